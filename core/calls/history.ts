import { defaultPayloadConverter } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'
import type { Context } from '../context.ts'
import type { CallRow } from './rows.ts'
import { errorName } from '../error-labels.ts'
import { within } from '../temporal/deadline.ts'
import { provesSending } from './evidence.ts'

type Event = temporal.api.history.v1.IHistoryEvent
type Payloads = temporal.api.common.v1.IPayloads | null | undefined

/**
 * Whether Temporal's history of a write's ended run proves that this row predates its sending.
 * Anyone with access to Temporal can write histories, so only marks sealed by Callgate's senders
 * count. Undefined: Temporal does not answer now.
 */
export async function mayHaveSent(
  ctx: Context,
  row: Pick<CallRow, 'id' | 'attempt' | 'status' | 'send'>,
): Promise<boolean | undefined> {
  try {
    const handle = ctx.temporal.workflow.getHandle(row.id)
    const { events } = await within(ctx, 5_000, () => handle.fetchHistory())
    return (events ?? []).flatMap(lastWords).some((word) => provesSending(ctx, row, word))
  } catch (error) {
    ctx.log.warn({ call: row.id, reason: errorName(error) }, 'the history of a run could not be read')
    return undefined
  }
}

/** Results of activities, or the details of their last heartbeat or failure. */
function lastWords(event: Event): unknown[] {
  const [outcome] = values(event.activityTaskCompletedEventAttributes?.result)
  if (typeof outcome === 'object' && outcome !== null && 'seal' in outcome) return [outcome.seal]
  return values(
    event.activityTaskTimedOutEventAttributes?.failure?.timeoutFailureInfo?.lastHeartbeatDetails ??
      event.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo?.details,
  )
}

/** Decoded payloads; those that do not decode are skipped, as Callgate did not write them. */
export function values(payloads: Payloads): unknown[] {
  return (payloads?.payloads ?? []).flatMap((payload): unknown[] => {
    try {
      return [defaultPayloadConverter.fromPayload(payload)]
    } catch {
      return []
    }
  })
}
