import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { codeOf } from '../error-labels.ts'
import type { Mailer, WaitingLine } from './mail.ts'
import { notDelivered, retryWindow, pauseAfter } from './retry-policy.ts'
import { endNotices, noteFailure } from './rows.ts'
import type { NoticeRow, NoticeState } from './rows.ts'

/** Between two emails to one owner. */
const mailEvery = '5 minutes'

interface Waiting {
  readonly id: string
  readonly email: string
  readonly call_id: string
  readonly app: string
  readonly endpoint: string
  readonly key_name: string
  readonly expires_at: Date
  readonly tries: number
  /** ms since it was first tried to be told. */
  readonly trying: number
}

/** One email of all calls that the owner was not told of yet and that still wait. */
export async function mailDigest(ctx: Context, mailer: Mailer, notice: NoticeRow): Promise<NoticeState> {
  const { waiting, wait } = await claim(ctx, notice.target)
  const [first] = waiting
  if (first === undefined) return 'dropped'
  if (wait > 0) throw notDelivered(wait)
  try {
    await mailer.send({ to: first.email, id: notice.id, lines: waiting.map((call) => lineOf(ctx, call)) })
  } catch (error) {
    // The server's own words may quote the address.
    ctx.log.warn({ notice: notice.id, code: codeOf(error) }, 'an email was not taken')
    return notSent(ctx, notice, waiting)
  }
  await endNotices(ctx.db, idsOf(waiting), 'delivered', 'sent')
  return 'delivered'
}

/**
 * What there is to tell, and the right to tell it now: of several that come here at once one gets it. The others wait, in ms, until the
 * next email may leave, and find then that theirs was told.
 */
function claim(ctx: Context, target: string): Promise<{ readonly waiting: readonly Waiting[]; readonly wait: number }> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ wait: number }>(
      `SELECT greatest(0, ceil(extract(epoch FROM mail_at - clock_timestamp()) * 1000))::double precision AS wait
       FROM notice_targets WHERE id = $1 FOR NO KEY UPDATE`,
      [target],
    )
    const { rows: over } = await db.query<{ id: string }>(
      `SELECT n.id FROM notices n JOIN calls c ON c.id = n.call_id
       WHERE n.target = $1 AND n.state = 'pending' AND (c.status <> 'awaiting_confirmation' OR c.expires_at <= clock_timestamp())`,
      [target],
    )
    await endNotices(db, idsOf(over), 'dropped', null)
    const { rows: waiting } = await db.query<Waiting>(
      `SELECT n.id, u.email, c.id AS call_id, c.app, c.endpoint, k.name AS key_name, c.expires_at, n.tries,
         coalesce(extract(epoch FROM clock_timestamp() - n.first_try_at) * 1000, 0)::double precision AS trying
       FROM notices n JOIN calls c ON c.id = n.call_id JOIN api_keys k ON k.id = c.key_id JOIN users u ON u.id = n.owner
       WHERE n.target = $1 AND n.state = 'pending' ORDER BY n.created_at`,
      [target],
    )
    const wait = rows[0]?.wait ?? 0
    if (waiting.length > 0 && wait === 0)
      await db.query('UPDATE notice_targets SET mail_at = clock_timestamp() + $2::interval WHERE id = $1', [
        target,
        mailEvery,
      ])
    return { waiting, wait }
  })
}

/** Each is given up when its own time is over, and the others are tried again: with this one, or with one that the sweeper starts then. */
async function notSent(ctx: Context, notice: NoticeRow, waiting: readonly Waiting[]): Promise<NoticeState> {
  await ctx.db.query('UPDATE notice_targets SET mail_at = clock_timestamp() WHERE id = $1', [notice.target])
  const over = waiting.filter(({ trying }) => trying >= retryWindow)
  const later = waiting.filter(({ trying }) => trying < retryWindow)
  await endNotices(ctx.db, idsOf(over), 'failed', 'not_taken')
  const next = later.find(({ id }) => id === notice.id) ?? later[0]
  const pause = next === undefined ? null : pauseAfter('email', next.tries + 1, next.trying)
  if (pause !== null) await noteFailure(ctx.db, notice.target, idsOf(later), 'not_taken', pause)
  if (pause === null || over.some(({ id }) => id === notice.id)) return 'failed'
  throw notDelivered(pause)
}

function idsOf(notices: readonly { readonly id: string }[]): readonly string[] {
  return notices.map(({ id }) => id)
}

function lineOf(ctx: Context, call: Waiting): WaitingLine {
  const app = ctx.apps.get(call.app)
  return {
    call_id: call.call_id,
    app: app?.name ?? call.app,
    action: app?.endpoints.get(call.endpoint)?.summary ?? call.endpoint,
    key: call.key_name,
    until: call.expires_at,
  }
}
