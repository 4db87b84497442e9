import { cancellationSignal } from '@temporalio/activity'
import { assertOwnRun } from '../core/temporal/own-run.ts'
import { hidingCauses } from './hiding-causes.ts'
import type { Context } from '../core/context.ts'
import { failPoint } from '../core/fail-point.ts'
import { createCrowding } from '../core/notices/crowding.ts'
import { tellPerson } from '../core/notices/digest.ts'
import type { Telling } from '../core/notices/digest.ts'
import { eventBody, eventHeaders } from '../core/notices/event.ts'
import { createMailer } from '../core/notices/mail.ts'
import { notDelivered, pauseAfter } from '../core/notices/retry-policy.ts'
import { post } from '../core/notices/post.ts'
import type { Posted } from '../core/notices/post.ts'
import { disableTarget, endNotices, loadNotice, noteFailure } from '../core/notices/rows.ts'
import type { NoticeRow, NoticeState } from '../core/notices/rows.ts'

/** Activities of the "notices" queue, apart from calls: a slow receiver must not delay a call. */
export function noticeActivities(ctx: Context, wordsOf: Telling['wordsOf']) {
  const { mail, publicUrl } = ctx.config
  const telling: Telling = { mailer: mail === null ? undefined : createMailer(mail, publicUrl), wordsOf }
  const crowding = createCrowding()
  return hidingCauses(ctx, {
    /** One delivery attempt. Returns the final state; throws, with the delay, to be retried. */
    async deliverNotice(noticeId: string): Promise<NoticeState> {
      assertOwnRun(ctx, 'deliver', noticeId)
      const notice = await loadNotice(ctx.db, noticeId)
      if (notice === undefined) return 'dropped'
      if (notice.state !== 'pending') return notice.state
      const { channel } = notice
      if (!notice.enabled || (channel === 'email' && telling.mailer === undefined)) return drop(ctx, notice)
      // A run that was ended by hand and restarted: its backoff is in the row. Messages to users
      // batch several notifications, each with its own backoff.
      if (channel === 'webhook' && notice.early > 0) throw notDelivered(notice.early)
      const tell = () =>
        channel === 'webhook'
          ? callWebhook(ctx, notice, notice.url ?? '')
          : tellPerson(ctx, telling, { ...notice, channel })
      // A user waits for a test's result on the page; tests are few.
      if (notice.kind === 'test') return tell()
      // All emails go through one server.
      return crowding.deliver(channel === 'email' ? 'email' : notice.target, tell)
    },
  })
}

export type NoticeActivities = ReturnType<typeof noticeActivities>

async function drop(ctx: Context, notice: NoticeRow): Promise<NoticeState> {
  await endNotices(ctx.db, [notice.id], 'dropped', null)
  return 'dropped'
}

async function callWebhook(ctx: Context, notice: NoticeRow, url: string): Promise<NoticeState> {
  const body = eventBody(notice, ctx.config.publicUrl)
  const posted = await post(
    url,
    { body, headers: eventHeaders(ctx, notice, body) },
    ctx.config.webhookAllow,
    cancellationSignal(),
  ).catch(() => {
    // This process is stopping: another one retries.
    throw notDelivered(1_000)
  })
  failPoint('notice.unrecorded')
  if (posted.delivered) {
    await endNotices(ctx.db, [notice.id], 'delivered', posted.result)
    return 'delivered'
  }
  return refused(ctx, notice, posted)
}

async function refused(ctx: Context, notice: NoticeRow, { result }: Posted): Promise<NoticeState> {
  const gone = result === '410'
  const pause = gone || notice.kind === 'test' ? null : pauseAfter('webhook', notice.tries + 1, notice.trying)
  if (pause !== null) {
    await noteFailure(ctx.db, notice.target, [notice.id], result, pause)
    throw notDelivered(pause)
  }
  await endNotices(ctx.db, [notice.id], 'failed', result)
  const failing = notice.kind !== 'test' && !notice.alive
  if ((gone || failing) && (await disableTarget(ctx.db, notice.target, gone ? 'gone' : 'failing')))
    ctx.log.warn({ target: notice.target, reason: gone ? 'gone' : 'failing' }, 'a webhook was switched off')
  return 'failed'
}
