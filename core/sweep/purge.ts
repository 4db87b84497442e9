import { columns } from '../calls/payload.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'

/** Rows per statement, so that a purge neither delays calls nor hits the statement timeout. */
const batch = 1_000

/** Cursor: the last call examined. */
interface Last {
  readonly created_at: string
  readonly id: string
}

/**
 * Deletes the content of old final calls, their files and their idempotency keys; outcomes and the
 * ledger stay. Returns how many calls were emptied. `onBatch` runs after each batch and may throw
 * to stop; a new run continues with what is left.
 */
export async function purge(
  { db, config }: Pick<Context, 'db' | 'config'>,
  onBatch: () => void = () => undefined,
): Promise<number> {
  const days = config.retentionDays
  let emptied = 0
  for (let last: Last = { created_at: '-infinity', id: '' }; ; onBatch()) {
    const next = await emptyCalls(db, days, last)
    if (next === undefined) break
    last = next
    emptied += next.emptied
  }
  while ((await deleteFindings(db, days)) === batch) onBatch()
  while ((await deleteKeys(db, days)) === batch) onBatch()
  return emptied
}

/** Empties the next batch of old calls; open and recently ended ones stay. Undefined: no more. */
async function emptyCalls(
  db: Db,
  days: number,
  after: Last,
): Promise<(Last & { readonly emptied: number }) | undefined> {
  const { rows } = await db.query<Last & { readonly emptied: number }>(
    `WITH span AS (
         SELECT created_at, id FROM calls
         WHERE input IS NOT NULL AND created_at < now() - make_interval(days => $1) AND (created_at, id) > ($2::timestamptz, $3)
         ORDER BY created_at, id LIMIT $4),
       emptied AS (
         UPDATE calls SET ${columns.map((column) => `${column} = NULL`).join(', ')}, client = NULL
         WHERE id IN (SELECT id FROM span) AND status NOT IN ('awaiting_confirmation', 'running')
           AND updated_at < now() - make_interval(days => $1)
         RETURNING id),
       metadata_gone AS (DELETE FROM call_metadata WHERE call_id IN (SELECT id FROM emptied)),
       files_gone AS (DELETE FROM call_files WHERE call_id IN (SELECT id FROM emptied)),
       rounds_emptied AS (UPDATE rounds SET request = NULL, preview = NULL WHERE call_id IN (SELECT id FROM emptied))
     SELECT created_at::text, id, (SELECT count(*)::integer FROM emptied) AS emptied
     FROM span ORDER BY span.created_at DESC, id DESC LIMIT 1`,
    [days, after.created_at, after.id, batch],
  )
  return rows[0]
}

/** Deletes old verifications, by when they were last requested; returns of how many calls. */
async function deleteFindings(db: Db, days: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM findings WHERE call_id IN (
       SELECT call_id FROM findings WHERE asked_at < now() - make_interval(days => $1) LIMIT $2)`,
    [days, batch],
  )
  return rowCount ?? 0
}

/** Deletes idempotency keys of emptied calls; returns how many. They live for at least a day. */
async function deleteKeys(db: Db, days: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM idempotency_keys WHERE (line, key, turn) IN (
       SELECT k.line, k.key, k.turn FROM idempotency_keys k JOIN calls c ON c.id = k.call_id
       WHERE k.created_at < now() - make_interval(days => greatest($1, 1)) AND c.input IS NULL LIMIT $2)`,
    [days, batch],
  )
  return rowCount ?? 0
}
