import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { SendActivities } from '../activities/send.ts'
import type { CallArgs, CallEnd, FinalStatus, SendOutcome } from '../schemas/call.ts'
import type { CallState } from './state.ts'

const { endOf } = proxyLocalActivities<CallgateActivities>({
  startToCloseTimeout: '10s',
  // After a long database outage, continue within 10 s rather than minutes.
  retry: { maximumInterval: '10s' },
  summary: 'has the call ended?',
})
const { recover } = proxyActivities<CallgateActivities>({
  startToCloseTimeout: '30s',
  retry: { maximumInterval: '10s' },
  summary: 'what became of a send that died',
})

/** One attempt on the app's queue, dropped if the call ends. If it dies: what the row proves. */
export async function send(args: CallArgs, attempt: number, state: CallState): Promise<SendOutcome> {
  const activities = proxyActivities<SendActivities>({
    taskQueue: args.taskQueue,
    startToCloseTimeout: '90s',
    heartbeatTimeout: '5s',
    allowEagerDispatch: false,
    priority: { fairnessKey: args.pacingKey },
    summary: `${args.app}.${args.endpoint}, attempt ${attempt + 1}`,
    retry: { maximumAttempts: args.access === 'read' ? 3 : 1, initialInterval: '500ms' },
  })
  const { callId, traceparent } = args
  const sending = activities
    .send({ callId, attempt, ...(traceparent !== undefined && { traceparent }) })
    .catch((error: unknown) => {
      if (!(error instanceof ActivityFailure)) throw error
      return recover({ callId: args.callId, attempt, lastWord: lastWord(error) })
    })
  for (;;) {
    const outcome = await state.unlessNudged(sending)
    if (outcome !== undefined) return outcome
    const end: CallEnd | FinalStatus | null = await endOf(args.callId, attempt)
    // Do not cancel the send: the end of the run drops a queued one, and a running one can no
    // longer take the send lease. Cancelling in the instant it begins could not be replayed.
    // In histories of older releases, `end` is the status alone.
    if (end !== null) return { kind: 'final', ...(typeof end === 'string' ? { status: end } : end) }
  }
}

/** Details of the activity's last heartbeat or failure. `recover` judges what they prove. */
function lastWord({ cause }: ActivityFailure): unknown {
  if (cause instanceof TimeoutFailure) return cause.lastHeartbeatDetails
  return cause instanceof ApplicationFailure ? cause.details?.[0] : undefined
}
