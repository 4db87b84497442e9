import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { AccountToCheck, HousekeepingActivities } from '../activities/housekeeping.ts'
import type { CheckActivities } from '../activities/send-worker.ts'

const { purgePayloads, accountsToCheck } = proxyActivities<HousekeepingActivities>({ startToCloseTimeout: '10m' })

/**
 * Once a day: forgets what old calls said. Which accounts are to be looked at is still asked, and answered with none, as long as processes of a
 * release that did that here may run beside this one or take its runs over.
 */
export async function housekeeping(after = ''): Promise<void> {
  if (after === '') await purgePayloads()
  for (let last = after; ;) {
    const accounts = await accountsToCheck(last)
    await Promise.all(accounts.map(check))
    const end = accounts.at(-1)
    if (end === undefined) return
    last = end.id
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof housekeeping>(last)
  }
}

/** On the app's own queue, so that the account's pace holds for this too. One that cannot be asked is asked tomorrow. */
async function check({ id, taskQueue, pacingKey }: AccountToCheck): Promise<void> {
  const { checkAccount } = proxyActivities<CheckActivities>({
    taskQueue,
    scheduleToCloseTimeout: '1h',
    startToCloseTimeout: '30s',
    retry: { maximumAttempts: 2 },
    priority: { fairnessKey: pacingKey },
  })
  try {
    await checkAccount(id)
  } catch {
    // The app, its queue or the worker was away: nothing was learned.
  }
}
