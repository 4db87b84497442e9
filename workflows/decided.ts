import { ActivityFailure, CancellationScope, isCancellation, patched } from '@temporalio/workflow'
import { proxyActivities, proxyLocalActivities, sleep, workflowInfo } from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { PrepareActivities } from '../activities/prepare.ts'
import type { CallArgs, CallEnd } from '../schemas/call.ts'
import type { CallState } from './state.ts'
import { words } from './words.ts'

const { whereItStands } = proxyLocalActivities<CallgateActivities>({
  startToCloseTimeout: '10s',
  // After a long database outage, continue within 10 s rather than minutes.
  retry: { maximumInterval: '10s' },
  summary: 'where does the call stand?',
})
/** Delay before a step that failed for good is retried (ms). */
const pauseAfterFailure = 60_000
const second = 1_000

/**
 * Waits for the decision in the row. Meanwhile prepares the approval request: renders the call and
 * previews its entities, paced and after all sends. `long`: the history is; continue as new.
 */
export async function decided(args: CallArgs, state: CallState): Promise<'approved' | CallEnd | 'long'> {
  let preparing = false
  let notBefore = 0
  const prepareStep = async (): Promise<void> => {
    preparing = true
    try {
      await preparerOf(args).prepare(args.callId)
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error
      notBefore = Date.now() + pauseAfterFailure
    }
    preparing = false
    state.look()
  }
  // Call patched() before the first await, so that replay sees the marker first.
  const alarm = alarmOf(() => state.look(), patched('alarm-rings-on'))
  for (;;) {
    alarm.settle()
    const row = await whereItStands(args.callId)
    if (row.status !== 'awaiting_confirmation') {
      alarm.off()
      return row.status === 'running' ? 'approved' : { status: row.status, ...(row.code && { code: row.code }) }
    }
    if (workflowInfo().continueAsNewSuggested && !preparing) return 'long'
    const now = Date.now()
    state.say(words.deciding(now + row.leftMs, row))
    alarm.at(now + row.leftMs, 'end of the time to decide')
    if (row.prepareInMs !== null && !preparing) {
      const prepareAt = Math.max(now + row.prepareInMs, notBefore)
      if (prepareAt <= now) void prepareStep()
      else alarm.at(prepareAt, 'next read of what the approver is shown')
    }
    await state.nudged()
  }
}

/**
 * Wakes at a timestamp (ms since the epoch), unless an earlier alarm is set: each timer adds to the
 * history. A ring while the row is read counts from the next `settle`, and never after `off`:
 * replay delivers both at once, in any order.
 */
function alarmOf(
  wake: () => void,
  ringsOn: boolean,
): { at: (moment: number, summary: string) => void; settle: () => void; off: () => void } {
  const scope = new CancellationScope()
  let next = Infinity
  let rang = false
  let isOff = false
  const ring = async (moment: number, summary: string): Promise<void> => {
    try {
      await scope.run(() => sleep(Math.max(1, moment - Date.now()), { summary }))
    } catch (error) {
      if (!isCancellation(error)) throw error
      return
    }
    if (isOff) return
    if (next === moment) rang = true
    wake()
  }
  return {
    at(moment, summary) {
      if (moment >= next - second) return
      next = moment
      rang = false
      void ring(moment, summary)
    },
    settle() {
      if (rang) next = Infinity
      rang = false
    },
    off() {
      isOff = true
      // If a query was answered during the row read, replay delivers the row before the timer that
      // fired. The SDK takes cancelling that for nondeterminism; left alone, it has no effect.
      if (!ringsOn) scope.cancel()
    },
  }
}

function preparerOf(args: CallArgs) {
  return proxyActivities<PrepareActivities>({
    taskQueue: args.taskQueue,
    startToCloseTimeout: '60s',
    heartbeatTimeout: '5s',
    allowEagerDispatch: false,
    priority: { priorityKey: 5, fairnessKey: args.pacingKey },
    summary: `what ${args.app}.${args.endpoint} is about`,
    retry: { maximumAttempts: 3, initialInterval: '500ms' },
  })
}
