import { proxyActivities } from '@temporalio/workflow'
import type { NoticeActivities } from '../activities/deliver-notice.ts'
import type { NoticeState } from '../core/notices/rows.ts'
import type { Delivery } from '../core/notices/start.ts'

/**
 * One notice, told until it arrives or is given up. After a failed try the activity says when the next one is; the intervals here count
 * when it died. Its row in Postgres says how it ended.
 */
export async function deliver({ noticeId, targetId }: Delivery): Promise<NoticeState> {
  const { deliverNotice } = proxyActivities<NoticeActivities>({
    taskQueue: 'notices',
    startToCloseTimeout: '40s',
    allowEagerDispatch: false,
    priority: { fairnessKey: targetId },
    retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '10m' },
  })
  return deliverNotice(noticeId)
}
