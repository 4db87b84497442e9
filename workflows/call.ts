import { continueAsNew, defineQuery, defineSignal, patched, proxyActivities, setHandler } from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { CallArgs, CallView, FinalStatus } from '../schemas/call.ts'
import { decided } from './decided.ts'
import { decidedOnce } from './one-round.ts'
import { RetryPolicy } from './retry-policy.ts'
import { send } from './send.ts'
import { CallState } from './state.ts'

const nudge = defineSignal('nudge')
const view = defineQuery<CallView>('view')

const { giveUp } = proxyActivities<CallgateActivities>({
  startToCloseTimeout: '30s',
  retry: { maximumInterval: '10s' },
})

/** One call, from accepted to settled. Its row in Postgres says how it ended; every branch ends in exactly one status. */
export async function call(args: CallArgs): Promise<FinalStatus> {
  const state = new CallState(args)
  setHandler(view, () => state.view)
  setHandler(nudge, () => state.look()) // "something changed": the row decides, not the signal

  const rounds = args.confirm && patched('rounds')
  for (let attempt = args.attempt; ;) {
    if (args.confirm) {
      const decision = rounds ? await decided(args, state) : await decidedOnce(args, state)
      if (decision === 'long') return continueAsNew<typeof call>({ ...args, attempt })
      if (decision !== 'approved') return decision
      state.enter('sending')
    }
    const outcome = await sent(args, attempt, state)
    if (typeof outcome === 'string') return outcome
    // What it is about has changed in the app since: the person decides once more.
    attempt = outcome.attempt
    state.enter('deciding')
  }
}

/** Tries until the row has ended, or its person is to be asked again. */
async function sent(args: CallArgs, first: number, state: CallState): Promise<FinalStatus | { attempt: number }> {
  const policy = new RetryPolicy(args, () => patched('only-ordered-waits'))
  for (let attempt = first; ;) {
    const outcome = await send(args, attempt, state)
    if (outcome.kind === 'final') return outcome.status
    if (outcome.kind === 'asked_again') return outcome
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
