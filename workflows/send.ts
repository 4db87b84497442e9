import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { SendActivities } from '../activities/send.ts'
import type { CallArgs, SendOutcome } from '../schemas/call.ts'
import type { CallState } from './state.ts'

const { endOf } = proxyLocalActivities<CallgateActivities>({
  startToCloseTimeout: '10s',
  // After a database that was away for long, nobody waits for minutes more.
  retry: { maximumInterval: '10s' },
})
const { recover } = proxyActivities<CallgateActivities>({
  startToCloseTimeout: '30s',
  // After a database that was away for long, nobody waits for minutes more.
  retry: { maximumInterval: '10s' },
})

/** One try on the app's paced queue, taken back if the call ends meanwhile. A dead activity comes back as what the row proves. */
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
    const status = await endOf(args.callId, attempt)
    // The send is not cancelled: the end of the run takes a queued one back, and one that runs has no right to send any more.
    // To cancel it here could not be replayed when it begins at that very moment.
    if (status !== null) return { kind: 'final', status }
  }
}

/** Of the activity's last heartbeat, or of its failure. What it proves, `recover` judges. */
function lastWord({ cause }: ActivityFailure): unknown {
  if (cause instanceof TimeoutFailure) return cause.lastHeartbeatDetails
  return cause instanceof ApplicationFailure ? cause.details?.[0] : undefined
}
