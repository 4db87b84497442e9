import { defaultPayloadConverter } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'
import type { Begun } from '../schemas/call.ts'
import type { Context } from './context.ts'
import { errorName, within } from './engine.ts'

type Event = temporal.api.history.v1.IHistoryEvent
type Payloads = temporal.api.common.v1.IPayloads | null | undefined

const begun: Begun = 'begun'

/**
 * Whether a write's bytes may have gone out, by the engine's history of its ended run: what the run itself concluded, or,
 * when it was ended by hand, what its activities came to. Undefined: the engine does not say now.
 */
export async function mayHaveSent(ctx: Context, callId: string): Promise<boolean | undefined> {
  try {
    const handle = ctx.temporal.workflow.getHandle(callId)
    const { events } = await within(ctx, 5_000, () => handle.fetchHistory())
    const completed = events?.at(-1)?.workflowExecutionCompletedEventAttributes
    return completed ? isSent(values(completed.result)[0]) : (events ?? []).some(showsSending)
  } catch (error) {
    ctx.log.warn({ call: callId, reason: errorName(error) }, 'the history of a run could not be read')
    return undefined
  }
}

function showsSending(event: Event): boolean {
  const [outcome] = values(event.activityTaskCompletedEventAttributes?.result)
  if (typeof outcome === 'object' && outcome !== null && 'status' in outcome) return isSent(outcome.status)
  const failure =
    event.activityTaskTimedOutEventAttributes?.failure?.timeoutFailureInfo?.lastHeartbeatDetails ??
    event.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo?.details
  return values(failure).includes(begun)
}

const isSent = (status: unknown): boolean => status === 'executed' || status === 'unknown'

function values(payloads: Payloads): unknown[] {
  return (payloads?.payloads ?? []).map((payload): unknown => defaultPayloadConverter.fromPayload(payload))
}
