import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { Context } from '../../core/context.ts'

/** All that the engine keeps of a run, as text, with every payload decoded behind it. */
export async function historyText({ temporal }: Pick<Context, 'temporal'>, callId: string): Promise<string> {
  const text = historyToJSON(await temporal.workflow.getHandle(callId).fetchHistory())
  const payloads = [...text.matchAll(/"data": ?"([A-Za-z0-9+/=]+)"/g)].map(([, data = '']) => fromBase64(data))
  return [text, ...payloads].join('\n')
}

/** The summaries of a run's activities, in their order, as the Temporal UI shows them. */
export async function activitySummaries(
  { temporal }: Pick<Context, 'temporal'>,
  callId: string,
): Promise<readonly unknown[]> {
  const { events } = await temporal.workflow.getHandle(callId).fetchHistory()
  return (events ?? [])
    .filter(({ activityTaskScheduledEventAttributes }) => activityTaskScheduledEventAttributes != null)
    .map(({ userMetadata }): unknown => JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString()))
}

/** When the engine handed a call's first send to a worker; ms since the epoch. */
export async function handedOverAt({ temporal }: Pick<Context, 'temporal'>, callId: string): Promise<number> {
  const { events } = await temporal.workflow.getHandle(callId).fetchHistory()
  const started = events?.find(({ activityTaskStartedEventAttributes }) => activityTaskStartedEventAttributes != null)
  return tsToMs(started?.eventTime)
}

/** When a call's first send was put into the queue of its app; ms since the epoch. */
export async function queuedAt({ temporal }: Pick<Context, 'temporal'>, callId: string): Promise<number> {
  const { events } = await temporal.workflow.getHandle(callId).fetchHistory()
  const queued = events?.find(
    ({ activityTaskScheduledEventAttributes }) => activityTaskScheduledEventAttributes != null,
  )
  return tsToMs(queued?.eventTime)
}

function fromBase64(data: string): string {
  return Buffer.from(data, 'base64').toString('utf8')
}
