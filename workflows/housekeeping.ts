import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { AccountToCheck, HousekeepingActivities } from '../activities/housekeeping.ts'
import type { CheckActivities } from '../activities/send-worker.ts'

const { purgePayloads } = proxyActivities<HousekeepingActivities>({
  startToCloseTimeout: '10m',
  summary: 'delete what is kept no longer',
})
const { accountsToCheck } = proxyActivities<HousekeepingActivities>({
  startToCloseTimeout: '10m',
  summary: 'list the accounts to check',
})

/**
 * Daily purge of old payloads. It still asks for accounts to check, and gets none, while releases
 * that checked them here may run beside this one or take over its runs.
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

/** Runs on the app's queue, so that the account's rate limit holds. A failed one runs tomorrow. */
async function check({ id, taskQueue, pacingKey }: AccountToCheck): Promise<void> {
  const { checkAccount } = proxyActivities<CheckActivities>({
    taskQueue,
    scheduleToCloseTimeout: '1h',
    startToCloseTimeout: '30s',
    summary: `check ${id}`,
    retry: { maximumAttempts: 2 },
    priority: { fairnessKey: pacingKey },
  })
  try {
    await checkAccount(id)
  } catch {
    // The app, its queue or the worker was unavailable: nothing was learned.
  }
}
