import { continueAsNew, defineQuery, defineSignal, patched, proxyActivities, setHandler } from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { CallArgs, CallEnd, CallView, FinalStatus, ReconnectCode } from '../schemas/call.ts'
import { decided } from './decided.ts'
import { decidedOnce } from './one-round.ts'
import { RetryPolicy } from './retry-policy.ts'
import { send } from './send.ts'
import { CallState } from './state.ts'
import { words } from './words.ts'

/** Signals only wake the run: it then reads the row, which decides. */
const signals = {
  nudge: 'something about the call changed',
  approved: 'its owner, or an approval rule, approved the call',
  rejected: 'its owner rejected the call',
  cancelled: 'the call was cancelled',
}
const view = defineQuery<CallView>('view')

const { giveUp } = proxyActivities<CallgateActivities>({
  startToCloseTimeout: '30s',
  retry: { maximumInterval: '10s' },
  summary: 'end the call, which waited as long as it may',
})

/** One call, from accepted to settled. Every branch ends in one status, which its row holds. */
export async function call(args: CallArgs): Promise<FinalStatus> {
  const state = new CallState(args)
  setHandler(view, () => state.view, { description: 'what the call waits for' })
  for (const [signal, description] of Object.entries(signals))
    setHandler(defineSignal(signal), () => state.look(), { description })

  const end = await settled(args, state)
  if (args.showsOutcome) state.end(end)
  return end.status
}

async function settled(args: CallArgs, state: CallState): Promise<CallEnd> {
  const rounds = args.confirm && patched('rounds')
  for (let attempt = args.attempt; ;) {
    if (args.confirm) {
      const decision = rounds ? await decided(args, state) : await decidedOnce(args, state)
      if (decision === 'long') return continueAsNew<typeof call>({ ...args, attempt })
      if (decision !== 'approved') return typeof decision === 'string' ? { status: decision } : decision
      state.enter('sending')
    }
    const outcome = await sent(args, attempt, state)
    if ('status' in outcome) return outcome
    // Its entities have changed in the app since: the approver decides again.
    attempt = outcome.attempt
    state.enter('deciding')
  }
}

/** Makes attempts until the row is final or the approver is to be asked again. */
async function sent(args: CallArgs, first: number, state: CallState): Promise<CallEnd | { attempt: number }> {
  const policy = new RetryPolicy(args, () => patched('only-ordered-waits'))
  for (let attempt = first; ;) {
    state.say(words.sending(attempt))
    const outcome = await send(args, attempt, state)
    if (outcome.kind === 'final') return outcome
    if (outcome.kind === 'asked_again') return outcome
    attempt = outcome.attempt
    if (outcome.kind === 'again') continue
    const wait = policy.after(outcome, Date.now())
    if ('code' in wait) return givenUp(args, wait.code)
    const line =
      outcome.kind === 'reconnect' ? words.reconnect(wait.until, outcome.code) : words[outcome.kind](wait.until)
    state.say(line)
    state.enter(outcome.kind === 'reconnect' ? 'reconnect' : 'blocked', wait.until)
    await state.nudgedBefore(wait.until, line)
    policy.waited(Date.now())
    state.enter('sending')
  }
}

async function givenUp({ callId }: CallArgs, code: 'TARGET_BLOCKED' | ReconnectCode): Promise<CallEnd> {
  const status = await giveUp(callId, code)
  return { status, ...(status === 'failed' && { code }) }
}
