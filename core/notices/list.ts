import type { Db } from '../database/pool.ts'
import type { Channel } from './retry-policy.ts'
import type { CallKind, NoticeKind, NoticeState, Shows } from './rows.ts'

/** A notification target, without its secrets. */
export interface TargetView {
  readonly id: string
  readonly channel: Channel
  readonly kinds: readonly CallKind[]
  readonly enabled: boolean
  readonly disabled_reason: 'gone' | 'failing' | null
  readonly url: string | null
  /** The owner's name for a device, or the host of ntfy. */
  readonly name: string | null
  /** Apps and kinds that it does not get. */
  readonly muted: readonly string[]
  readonly shows: Shows
  /** For a device, SHA-256 of its push endpoint, by which the browser recognizes itself. */
  readonly place: string | null
  /** Until then the previous secret signs, too. */
  readonly old_secret_until: Date | null
  readonly last_try_at: Date | null
  readonly last_result: string | null
  readonly last_delivered_at: Date | null
  readonly created_at: Date
}

export interface NoticeView {
  readonly id: string
  readonly kind: NoticeKind
  readonly call_id: string | null
  readonly status: string | null
  readonly created_at: Date
  readonly state: NoticeState
  readonly tries: number
  readonly last_result: string | null
  readonly next_try_at: Date | null
  readonly channel: Channel
  readonly url: string | null
  readonly name: string | null
}

export async function listTargets(db: Db, owner: string): Promise<readonly TargetView[]> {
  const { rows } = await db.query<TargetView>(
    `SELECT id, channel, kinds, muted, shows, enabled, disabled_reason, url, name, encode(place, 'hex') AS place, last_try_at, last_result, last_delivered_at, created_at,
       CASE WHEN old_secret_until > clock_timestamp() THEN old_secret_until END AS old_secret_until
     FROM notice_targets WHERE owner = $1 AND deleted_at IS NULL ORDER BY created_at`,
    [owner],
  )
  return rows
}

/** The owner's latest notifications, newest first. */
export async function listNotices(db: Db, owner: string, limit: number): Promise<readonly NoticeView[]> {
  const { rows } = await db.query<NoticeView>(
    `SELECT n.id, n.kind, n.call_id, n.status, n.created_at, n.state, n.tries, n.last_result, n.next_try_at, t.channel, t.url, t.name
     FROM notices n JOIN notice_targets t ON t.id = n.target WHERE n.owner = $1 ORDER BY n.created_at DESC, n.id LIMIT $2`,
    [owner, limit],
  )
  return rows
}
