import { WorkflowNotFoundError } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { tsToMs } from '@temporalio/common/lib/time.js'
import { expect } from 'vitest'
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

/** When the engine handed each call's first send to a worker, in the order of the calls; ms since the epoch. Waits for their runs to end. */
export async function handedOver(ctx: Pick<Context, 'temporal'>, callIds: readonly string[]): Promise<number[]> {
  const moments = (await Promise.all(callIds.map((id) => handedOverAt(ctx, id)))).filter(
    (moment) => moment !== undefined,
  )
  if (moments.length < callIds.length * 0.8)
    throw new Error(`only ${moments.length} of ${callIds.length} runs say when`)
  return moments
}

/** Undefined: the run heard of its end by a nudge, before the activity reported; the engine writes its beginning only with its end. */
async function handedOverAt({ temporal }: Pick<Context, 'temporal'>, callId: string): Promise<number | undefined> {
  const run = temporal.workflow.getHandle(callId)
  // A busy engine takes a call only when the sweeper brings it there.
  await expect.poll(() => run.describe().then(() => true, gone), { interval: 500 }).toBe(true)
  await run.result()
  const { events } = await run.fetchHistory()
  const started = events?.find(({ activityTaskStartedEventAttributes }) => activityTaskStartedEventAttributes != null)
  return started && tsToMs(started.eventTime)
}

function gone(error: unknown): false {
  if (error instanceof WorkflowNotFoundError) return false
  throw error
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
