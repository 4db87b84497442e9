import { cancellationSignal } from '@temporalio/activity'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { codeOf } from '../error-labels.ts'
import type { Mailer } from './mail.ts'
import { messageOf, subjectOf, testMessage } from './message.ts'
import type { CallWords, ToldCall } from './message.ts'
import { tellNtfy } from './ntfy.ts'
import type { Posted } from './post.ts'
import { push } from './push.ts'
import { quietLeft, readQuiet } from './quiet.ts'
import { notDelivered, retryWindow, pauseAfter } from './retry-policy.ts'
import type { PersonChannel } from './retry-policy.ts'
import { disableTarget, endNotices, noteFailure } from './rows.ts'
import type { CallKind, NoticeRow, NoticeState } from './rows.ts'

/** Minimum time between two messages to one target (ms): what comes meanwhile is batched. */
const gaps: Readonly<Record<PersonChannel, number>> = { email: 15 * 60_000, push: 60_000, ntfy: 60_000 }
/** Maximum of calls described in one message; the others are counted. */
const wordsAtMost = 50
const wordless: CallWords = { app: 'An app', action: 'a call', gist: undefined }
/** Quiet hours are read again after this time (ms), as the user may change them. */
const quietLook = 15 * 60_000
/** Results that mean that the target is gone for good. */
const goneWords = { email: [], push: ['404', '410'], ntfy: ['410'] } as const

/** Dependencies for notifying users: the mail server, if any, and the words for calls. */
export interface Telling {
  readonly mailer: Mailer | undefined
  readonly wordsOf: (owner: string, callIds: readonly string[]) => Promise<ReadonlyMap<string, CallWords>>
}

interface Due {
  readonly id: string
  readonly call_id: string
  readonly kind: CallKind
  readonly status: string
  readonly key_name: string
  readonly expires_at: Date | null
  readonly tries: number
  /** ms since the first attempt. */
  readonly trying: number
}

/** Sends one message about all pending notifications of the target that are still relevant. */
export async function tellPerson(
  ctx: Context,
  telling: Telling,
  notice: NoticeRow & { readonly channel: PersonChannel },
): Promise<NoticeState> {
  if (notice.kind === 'test') return tellTest(ctx, telling, notice)
  const quiet = await readQuiet(ctx.db, notice.owner)
  const left = quiet === undefined ? 0 : quietLeft(quiet, new Date())
  if (left > 0) throw notDelivered(Math.min(left, quietLook))
  const { due, wait } = await claim(ctx, notice)
  if (due.length === 0) return 'dropped'
  if (wait > 0) throw notDelivered(wait)
  // A call that asked for approval again is listed once.
  const calls = [...new Map(due.map((one) => [`${one.call_id} ${one.kind}`, one])).values()]
  const words = await telling.wordsOf(
    notice.owner,
    calls.slice(0, wordsAtMost).map(({ call_id: callId }) => callId),
  )
  const { delivered, result } = await say(
    ctx,
    telling,
    notice,
    calls.map((one) => toldOf(one, words)),
  )
  if (!delivered) return notSaid(ctx, notice, due, result)
  await endNotices(ctx.db, idsOf(due), 'delivered', result)
  return 'delivered'
}

/** One attempt at once: the user waits on the page. */
async function tellTest(ctx: Context, telling: Telling, notice: NoticeRow): Promise<NoticeState> {
  const { delivered, result } = await say(ctx, telling, notice, [])
  if (delivered) await endNotices(ctx.db, [notice.id], 'delivered', result)
  else await endedWith(ctx, notice, { ids: [notice.id], result, reason: isGone(notice, result) ? 'gone' : undefined })
  return delivered ? 'delivered' : 'failed'
}

/** Fails notifications, and disables the target if `reason`, atomically. True: disabled by this. */
function endedWith(
  { db }: Context,
  { target }: NoticeRow,
  failed: { readonly ids: readonly string[]; readonly result: string; readonly reason: 'gone' | 'failing' | undefined },
): Promise<boolean> {
  const { ids, result, reason } = failed
  return transaction(db, async (client) => {
    await endNotices(client, ids, 'failed', result)
    return reason !== undefined && disableTarget(client, target, reason)
  })
}

/** `calls`: none for a test. */
async function say(ctx: Context, { mailer }: Telling, notice: NoticeRow, calls: readonly ToldCall[]): Promise<Posted> {
  const { channel, shows } = notice
  const message = calls.length === 0 ? testMessage : messageOf(calls, shows)
  try {
    if (channel === 'push') return await push(ctx, notice, message, cancellationSignal())
    if (channel === 'ntfy') return await tellNtfy(ctx, notice, message, cancellationSignal())
  } catch {
    // This process is shutting down: another one retries.
    throw notDelivered(1_000)
  }
  try {
    const subject = calls.length === 0 ? testMessage.title : subjectOf(calls, shows)
    await mailer?.send({ to: notice.email, id: notice.id, subject, calls, shows })
    return { delivered: mailer !== undefined, result: mailer === undefined ? 'not_taken' : 'sent' }
  } catch (error) {
    // The server's own text may quote the address.
    ctx.log.warn({ notice: notice.id, code: codeOf(error) }, 'an email was not taken')
    return { delivered: false, result: 'not_taken' }
  }
}

/**
 * Claims what is due: of concurrent deliveries to a target one gets it. The others wait, in ms,
 * until the next message is allowed, and then find theirs delivered.
 */
function claim(
  ctx: Context,
  { target, channel }: { readonly target: string; readonly channel: PersonChannel },
): Promise<{ readonly due: readonly Due[]; readonly wait: number }> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ wait: number }>(
      `SELECT greatest(0, ceil(extract(epoch FROM mail_at - clock_timestamp()) * 1000))::double precision AS wait
       FROM notice_targets WHERE id = $1 FOR NO KEY UPDATE`,
      [target],
    )
    const { rows: over } = await db.query<{ id: string }>(
      `SELECT n.id FROM notices n JOIN calls c ON c.id = n.call_id
       WHERE n.target = $1 AND n.state = 'pending' AND n.kind = 'call.waiting'
         AND (c.status <> 'awaiting_confirmation' OR c.expires_at <= clock_timestamp())`,
      [target],
    )
    await endNotices(db, idsOf(over), 'dropped', null)
    const { rows: due } = await db.query<Due>(
      `SELECT n.id, n.kind, n.status, c.id AS call_id, k.name AS key_name, c.expires_at, n.tries,
         coalesce(extract(epoch FROM clock_timestamp() - n.first_try_at) * 1000, 0)::double precision AS trying
       FROM notices n JOIN calls c ON c.id = n.call_id JOIN api_keys k ON k.id = c.key_id
       WHERE n.target = $1 AND n.state = 'pending' AND n.kind <> 'test' ORDER BY n.created_at`,
      [target],
    )
    const wait = rows[0]?.wait ?? 0
    if (due.length > 0 && wait === 0)
      await db.query(
        'UPDATE notice_targets SET mail_at = clock_timestamp() + make_interval(secs => $2::double precision / 1000) WHERE id = $1',
        [target, gaps[channel]],
      )
    return { due, wait }
  })
}

/** Fails notifications whose time is over, and retries the others, here or by the reconciler. */
async function notSaid(ctx: Context, notice: NoticeRow, due: readonly Due[], result: string): Promise<NoticeState> {
  await ctx.db.query('UPDATE notice_targets SET mail_at = clock_timestamp() WHERE id = $1', [notice.target])
  const gone = isGone(notice, result)
  const over = due.filter(({ trying }) => gone || trying >= retryWindow)
  const later = due.filter((one) => !over.includes(one))
  // The mail server is the operator's: its outage says nothing about the user's address.
  const failing = over.length > 0 && notice.channel !== 'email' && !notice.alive
  const reason = gone ? 'gone' : failing ? 'failing' : undefined
  if (await endedWith(ctx, notice, { ids: idsOf(over), result, reason }))
    ctx.log.info({ target: notice.target, reason }, 'a device or a topic was switched off')
  const next = later.find(({ id }) => id === notice.id) ?? later[0]
  const pause = next === undefined ? null : pauseAfter(notice.channel, next.tries + 1, next.trying)
  if (pause !== null) await noteFailure(ctx.db, notice.target, idsOf(later), result, pause)
  if (pause === null || over.some(({ id }) => id === notice.id)) return 'failed'
  throw notDelivered(pause)
}

function isGone({ channel }: NoticeRow, result: string): boolean {
  return channel !== 'webhook' && goneWords[channel].some((word) => word === result)
}

function idsOf(notices: readonly { readonly id: string }[]): readonly string[] {
  return notices.map(({ id }) => id)
}

function toldOf(
  { call_id: callId, kind, status, key_name: key, expires_at: until }: Due,
  words: ReadonlyMap<string, CallWords>,
): ToldCall {
  return { callId, kind, status, key, until, ...(words.get(callId) ?? wordless) }
}
