import { proxyLocalActivities } from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { CallArgs, Decision } from '../schemas/call.ts'
import type { CallState } from './state.ts'

const { decisionOf } = proxyLocalActivities<CallgateActivities>({
  startToCloseTimeout: '10s',
  // After a database that was away for long, nobody waits for minutes more.
  retry: { maximumInterval: '10s' },
})

/** How runs that began before there were rounds wait: their histories replay with it. By the database's clock it may be over later. */
export async function decidedOnce(args: CallArgs, state: CallState): Promise<Decision> {
  let until = args.expiresAt ?? 0
  for (let pause = 200; ; pause = Math.min(pause * 2, 60_000)) {
    await state.nudgedBefore(until)
    const decision = await decisionOf(args.callId)
    if (decision !== null) return decision
    until = Math.max(until, Date.now() + pause)
  }
}
