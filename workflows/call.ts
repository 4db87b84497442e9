import {
  defineQuery,
  defineSignal,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { CallArgs, CallView, Decision, FinalStatus } from '../schemas/call.ts'
import { RetryPolicy } from './retry-policy.ts'
import { send } from './send.ts'
import { CallState } from './state.ts'

const nudge = defineSignal('nudge')
const view = defineQuery<CallView>('view')

const { decisionOf } = proxyLocalActivities<CallgateActivities>({ startToCloseTimeout: '10s' })
const { giveUp } = proxyActivities<CallgateActivities>({
  startToCloseTimeout: '30s',
  retry: { maximumInterval: '10s' },
})

/** One call, from accepted to settled. Its row in Postgres says how it ended; every branch ends in exactly one status. */
export async function call(args: CallArgs): Promise<FinalStatus> {
  const state = new CallState(args)
  setHandler(view, () => state.view)
  setHandler(nudge, () => state.look()) // "something changed": the row decides, not the signal

  if (args.confirm) {
    const decision = await decided(args, state)
    if (decision !== 'approved') return decision
    state.enter('sending')
  }
  const policy = new RetryPolicy(args, () => patched('only-ordered-waits'))
  for (let attempt = args.attempt; ;) {
    const outcome = await send(args, attempt, state)
    if (outcome.kind === 'final') return outcome.status
    attempt = outcome.attempt
    if (outcome.kind === 'again') continue
    const wait = policy.after(outcome, Date.now())
    if ('code' in wait) return giveUp(args.callId, wait.code)
    state.enter(outcome.kind === 'reconnect' ? 'reconnect' : 'blocked', wait.until)
    await state.nudgedBefore(wait.until)
    policy.waited(Date.now())
    state.enter('sending')
  }
}

/**
 * Waits until nudged or until the time to decide is over; then the row says who won. By the database's clock it may be over later than by
 * the engine's: then it looks again, less and less often.
 */
async function decided(args: CallArgs, state: CallState): Promise<Decision> {
  let until = args.expiresAt ?? 0
  for (let pause = 200; ; pause = Math.min(pause * 2, 60_000)) {
    await state.nudgedBefore(until)
    const decision = await decisionOf(args.callId)
    if (decision !== null) return decision
    until = Math.max(until, Date.now() + pause)
  }
}
