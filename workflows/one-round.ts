import { proxyLocalActivities } from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { CallArgs, Decision } from '../schemas/call.ts'
import type { CallState } from './state.ts'

const { decisionOf } = proxyLocalActivities<CallgateActivities>({
  startToCloseTimeout: '10s',
  // After a long database outage, continue within 10 s rather than minutes.
  retry: { maximumInterval: '10s' },
  summary: 'what was decided?',
})

/** For runs from before rounds, to replay. The database's deadline may be later, so it polls. */
export async function decidedOnce(args: CallArgs, state: CallState): Promise<Decision> {
  let until = args.expiresAt ?? 0
  for (let pause = 200; ; pause = Math.min(pause * 2, 60_000)) {
    await state.nudgedBefore(until, 'end of the time to decide')
    const decision = await decisionOf(args.callId)
    if (decision !== null) return decision
    until = Math.max(until, Date.now() + pause)
  }
}
