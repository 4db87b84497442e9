import { ActivityFailure, CancellationScope, isCancellation, patched } from '@temporalio/workflow'
import { proxyActivities, proxyLocalActivities, sleep, workflowInfo } from '@temporalio/workflow'
import type { CallgateActivities } from '../activities/callgate.ts'
import type { PrepareActivities } from '../activities/prepare.ts'
import type { CallArgs, FinalStatus } from '../schemas/call.ts'
import type { CallState } from './state.ts'

const { whereItStands } = proxyLocalActivities<CallgateActivities>({
  startToCloseTimeout: '10s',
  // After a database that was away for long, nobody waits for minutes more.
  retry: { maximumInterval: '10s' },
})
/** After so long a step that failed for good is tried again, in ms. */
const pauseAfterFailure = 60_000
const second = 1_000

/**
 * Waits until the row says what was decided, and meanwhile has done what the person is to be shown: the request made, its things looked up in the
 * app, at the account's pace and after everybody's sends. `long`: the history is, and the run goes on in a new one.
 */
export async function decided(args: CallArgs, state: CallState): Promise<'approved' | FinalStatus | 'long'> {
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
  // At the beginning, where nothing is read yet: a replay must know of it before it hears of anything else.
  const alarm = alarmOf(() => state.look(), patched('alarm-rings-on'))
  for (;;) {
    alarm.settle()
    const row = await whereItStands(args.callId)
    if (row.status !== 'awaiting_confirmation') {
      alarm.off()
      return row.status === 'running' ? 'approved' : row.status
    }
    if (workflowInfo().continueAsNewSuggested && !preparing) return 'long'
    const now = Date.now()
    alarm.at(now + row.leftMs)
    if (row.prepareInMs !== null && !preparing) {
      const prepareAt = Math.max(now + row.prepareInMs, notBefore)
      if (prepareAt <= now) void prepareStep()
      else alarm.at(prepareAt)
    }
    await state.nudged()
  }
}

/**
 * Wakes at a moment (ms since the epoch), unless it is to wake before that anyway: each timer stands in the history. That it rang while the row
 * was read counts from the next look on (`settle`), and not at all after `off`: a replay is told of both at once, in whatever order.
 */
function alarmOf(
  wake: () => void,
  ringsOn: boolean,
): { at: (moment: number) => void; settle: () => void; off: () => void } {
  const scope = new CancellationScope()
  let next = Infinity
  let rang = false
  let isOff = false
  const ring = async (moment: number): Promise<void> => {
    try {
      await scope.run(() => sleep(Math.max(1, moment - Date.now())))
    } catch (error) {
      if (!isCancellation(error)) throw error
      return
    }
    if (isOff) return
    if (next === moment) rang = true
    wake()
  }
  return {
    at(moment) {
      if (moment >= next - second) return
      next = moment
      rang = false
      void ring(moment)
    },
    settle() {
      if (rang) next = Infinity
      rang = false
    },
    off() {
      isOff = true
      // Where a query was answered while the row was read, a replay hears of the row before the timer that rang: it would cancel what has rung, which
      // the engine's SDK takes for a contradiction. A timer that rings on is heard by nobody, and goes with the run.
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
