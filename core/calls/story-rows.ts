import type { Pool } from '../database/pool.ts'
import type { CallRow } from './rows.ts'

/** Something that the user or an operator did while a call was open. */
export interface StoryEvent {
  readonly at: Date
  readonly action:
    | 'account.connected'
    | 'call.changed'
    | 'call.cancelled'
    | 'pause.lifted'
    | 'app.paused'
    | 'endpoint.paused'
  /** True: by the user; false: by an operator. */
  readonly isOwn: boolean
  /** `paused`: the pause began. `places`: number of edits. `reason`: of an operator's cancel. */
  readonly paused: boolean | null
  readonly places: number | null
  readonly reason: string | null
}

type Row = Pick<CallRow, 'id' | 'owner' | 'app' | 'endpoint' | 'account' | 'created_at'>

/** Events up to `until`, unordered. */
export async function storyEvents(db: Pool, row: Row, until: Date): Promise<readonly StoryEvent[]> {
  const { rows } = await db.query<StoryEvent>(
    `SELECT at, action, actor = $1 AS "isOwn", (detail->>'paused')::boolean AS paused, jsonb_array_length(detail->'changed') AS places,
       detail->>'reason' AS reason
     FROM (
       SELECT * FROM audit_log WHERE actor = $1
         AND ((action = 'account.connected' AND detail->>'account' = $3) OR (action = 'call.changed' AND detail->>'call' = $2))
       UNION ALL
       SELECT * FROM audit_log WHERE detail->>'owner' = $1 AND action = 'call.cancelled' AND detail->>'call' = $2
       UNION ALL
       SELECT * FROM audit_log WHERE action IN ('app.paused', 'endpoint.paused', 'pause.lifted') AND at BETWEEN $6 AND $7
         AND CASE action WHEN 'app.paused' THEN detail->>'app' = $4
                         WHEN 'endpoint.paused' THEN detail->>'app' = $4 AND detail->>'endpoint' = $5
                         ELSE detail->>'account' = $3 AND detail->>'endpoint' = $5 END
     ) events WHERE at BETWEEN $6 AND $7`,
    [row.owner, row.id, row.account, row.app, row.endpoint, row.created_at, until],
  )
  return rows
}

/** A delivered notification about a call. */
export interface Told {
  readonly at: Date
  readonly channel: 'email' | 'push' | 'ntfy' | 'webhook'
  readonly kind: 'call.waiting' | 'call.final'
}

export async function noticesTold(db: Pool, { id, owner }: Pick<CallRow, 'id' | 'owner'>): Promise<readonly Told[]> {
  const { rows } = await db.query<Told>(
    `SELECT n.ended_at AS at, t.channel, n.kind FROM notice_targets t JOIN notices n ON n.target = t.id
     WHERE t.owner = $1 AND n.call_id = $2 AND n.state = 'delivered'`,
    [owner, id],
  )
  return rows
}
