import { proxyActivities } from '@temporalio/workflow'
import type { NoticeActivities } from '../activities/deliver-notice.ts'
import type { NoticeState } from '../core/notices/rows.ts'
import type { Delivery } from '../core/notices/start.ts'

/**
 * One notification, retried until it is delivered or given up. A failed attempt sets the delay of
 * the next; the intervals here apply if it died. Its row in Postgres holds the result.
 */
export async function deliver({ noticeId, targetId }: Delivery): Promise<NoticeState> {
  const { deliverNotice } = proxyActivities<NoticeActivities>({
    taskQueue: 'notices',
    startToCloseTimeout: '40s',
    allowEagerDispatch: false,
    priority: { fairnessKey: targetId },
    summary: `notice ${noticeId} to ${targetId}`,
    retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '10m' },
  })
  return deliverNotice(noticeId)
}
