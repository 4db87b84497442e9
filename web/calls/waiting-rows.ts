import type { CallRow } from '../../core/calls/rows.ts'
import { selectCalls } from '../../core/calls/rows.ts'
import type { Pool } from '../../core/database/pool.ts'

/** Condition on `calls c`: still undecided and within the deadline. */
const waits = `c.owner = $1 AND c.status = 'awaiting_confirmation' AND c.expires_at > clock_timestamp()`

/** The owner's undecided calls, first to expire first, starting after the call `after`. */
export async function listWaiting(
  db: Pool,
  wanted: { readonly owner: string; readonly after: string | undefined; readonly limit: number },
): Promise<readonly CallRow[]> {
  const { rows } = await db.query<CallRow>(
    `${selectCalls} WHERE ${waits}
       AND ($2::text IS NULL OR (c.expires_at, c.id) > (SELECT b.expires_at, b.id FROM calls b WHERE b.id = $2 AND b.owner = $1))
     ORDER BY c.expires_at, c.id LIMIT $3`,
    [wanted.owner, wanted.after ?? null, wanted.limit],
  )
  return rows
}

/** Id of the newest waiting call; '' if there is none. */
export async function newestWaiting(db: Pool, owner: string): Promise<string> {
  const { rows } = await db.query<{ id: string | null }>(`SELECT max(c.id) AS id FROM calls c WHERE ${waits}`, [owner])
  return rows[0]?.id ?? ''
}

/** Id of the next waiting call to decide; wraps around to the first. */
export async function nextWaiting(
  db: Pool,
  { owner, id, expires_at: expiresAt }: Pick<CallRow, 'owner' | 'id' | 'expires_at'>,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT c.id FROM calls c WHERE ${waits} AND c.id <> $2
     ORDER BY (c.expires_at, c.id) <= ($3::timestamptz, $2), c.expires_at, c.id LIMIT 1`,
    [owner, id, expiresAt],
  )
  return rows[0]?.id
}
