import type { Metadata } from '../calls/metadata.ts'
import type { Db } from '../database/pool.ts'
import type { Channel } from './retry-policy.ts'

/** An event of a call; `test` is requested by the owner to try a target. */
export type NoticeKind = 'call.waiting' | 'call.final' | 'test'

export type CallKind = Exclude<NoticeKind, 'test'>

/** What a notification shows on lock screens: a count, app and action, or names and amounts too. */
export const showings = ['count', 'action', 'all'] as const
export type Shows = (typeof showings)[number]

/** dropped: the target was disabled, or the call decided, before delivery. */
export type NoticeState = 'pending' | 'delivered' | 'failed' | 'dropped'

/** A notification with its target, as needed to deliver it. */
export interface NoticeRow {
  readonly id: string
  readonly owner: string
  readonly target: string
  readonly kind: NoticeKind
  readonly call_id: string | null
  readonly app: string | null
  readonly endpoint: string | null
  readonly status: string | null
  readonly metadata: Metadata | null
  readonly created_at: Date
  readonly state: NoticeState
  readonly tries: number
  /** ms since the first attempt. */
  readonly trying: number
  /** ms until the next attempt; at most 0 when due. Tolerates 1 s of clock difference. */
  readonly early: number
  readonly channel: Channel
  readonly enabled: boolean
  readonly shows: Shows
  /** The owner's email address. */
  readonly email: string
  readonly url: string | null
  readonly secret: Buffer | null
  /** Null after its overlap. */
  readonly old_secret: Buffer | null
  /** The target received something since this notification's first attempt. */
  readonly alive: boolean
}

export async function loadNotice(db: Db, id: string): Promise<NoticeRow | undefined> {
  const { rows } = await db.query<NoticeRow>(
    `SELECT n.id, n.owner, n.target, n.kind, n.call_id, c.app, c.endpoint, n.status, m.metadata, n.created_at, n.state, n.tries,
       coalesce(extract(epoch FROM clock_timestamp() - n.first_try_at) * 1000, 0)::double precision AS trying,
       coalesce(extract(epoch FROM n.next_try_at - clock_timestamp()) * 1000 - 1000, 0)::double precision AS early,
       t.channel, t.enabled, t.shows, u.email, t.url, t.secret,
       CASE WHEN t.old_secret_until > clock_timestamp() THEN t.old_secret END AS old_secret,
       coalesce(t.last_delivered_at >= n.first_try_at, false) AS alive
     FROM notices n JOIN notice_targets t ON t.id = n.target JOIN users u ON u.id = n.owner LEFT JOIN calls c ON c.id = n.call_id
     LEFT JOIN call_metadata m ON m.call_id = n.call_id
     WHERE n.id = $1`,
    [id],
  )
  return rows[0]
}

/** Ends notifications that have not ended. `result` null: no attempt was made. */
export async function endNotices(
  db: Db,
  ids: readonly string[],
  state: Exclude<NoticeState, 'pending'>,
  result: string | null,
): Promise<void> {
  await db.query('SELECT end_notices($1, $2, $3)', [ids, state, result])
}

/** Records a failed attempt; the next one is in `pause` ms. */
export async function noteFailure(
  db: Db,
  target: string,
  ids: readonly string[],
  result: string,
  pause: number,
): Promise<void> {
  await db.query(
    `WITH told AS (UPDATE notice_targets SET last_try_at = clock_timestamp(), last_result = $3 WHERE id = $1)
     UPDATE notices SET tries = tries + 1, last_result = $3, first_try_at = coalesce(first_try_at, clock_timestamp()),
       next_try_at = clock_timestamp() + make_interval(secs => $4::double precision / 1000)
     WHERE id = ANY ($2) AND state = 'pending'`,
    [target, ids, result, pause],
  )
}

/** Disables a target; `reason` null: on the user's request. False: it was disabled already. */
export async function disableTarget(db: Db, target: string, reason: 'gone' | 'failing' | null): Promise<boolean> {
  const { rows } = await db.query<{ disabled: boolean }>('SELECT disable_target($1, $2) AS disabled', [target, reason])
  return rows[0]?.disabled === true
}
