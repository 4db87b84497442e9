import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { takeAsItIs } from './shapes.ts'

/** A change closes after this many canary reads in a row without it. */
const clearLooks = 3
/** Per endpoint: an app whose answers always differ must not fill the table. */
const mostOfEndpoint = 100

/** A deviation of an app from its connector's rules or its earlier answers. */
export interface Change {
  readonly app: string
  readonly endpoint: string
  /** A broken rule, or in the output: something gone, of another type, or a list newly empty. */
  readonly kind: 'rule' | 'gone' | 'type' | 'empty'
  /** The rule, or the path in the output. */
  readonly place: string
  readonly words: string
  readonly excerpt?: string | null | undefined
  readonly version?: string | null | undefined
}

/** Records a change, or another occurrence of it. */
export async function noteChange(db: Db, change: Change): Promise<void> {
  const { app, endpoint, kind, place, words, excerpt = null, version = null } = change
  await db.query({
    name: 'note-change',
    text: `INSERT INTO app_changes AS c (app, endpoint, kind, place, words, excerpt, version)
      SELECT $1, $2, $3, $4, $5, $6, $7
      WHERE EXISTS (SELECT FROM app_changes WHERE app = $1 AND endpoint = $2 AND kind = $3 AND place = $4)
        OR (SELECT count(*) FROM app_changes WHERE app = $1 AND endpoint = $2) < $8
      ON CONFLICT (app, endpoint, kind, place) DO UPDATE SET
        first_at = CASE WHEN c.closed_at IS NULL THEN c.first_at ELSE excluded.first_at END,
        times = CASE WHEN c.closed_at IS NULL THEN c.times ELSE 0 END + 1,
        last_at = excluded.last_at, words = excluded.words, excerpt = coalesce(excluded.excerpt, c.excerpt),
        version = coalesce(excluded.version, c.version), looks_since = 0, closed_at = NULL, closed_by = NULL`,
    // The same change at another list index is the same change.
    values: [app, endpoint, kind, place.replaceAll(/\[\d+\]/g, '[*]'), words, excerpt, version, mostOfEndpoint],
  })
}

/** After a successful canary read: counts toward closing changes that it did not show. */
export async function noteClear(
  db: Db,
  { app, endpoint }: Pick<Change, 'app' | 'endpoint'>,
  { shown, places }: { readonly shown: readonly Change[]; readonly places: readonly string[] },
): Promise<void> {
  await db.query(
    `UPDATE app_changes SET looks_since = looks_since + 1,
       closed_at = CASE WHEN looks_since + 1 >= $3 THEN clock_timestamp() END, closed_by = CASE WHEN looks_since + 1 >= $3 THEN 'looks' END
     WHERE app = $1 AND endpoint = $2 AND closed_at IS NULL AND kind || ' ' || place <> ALL ($4) AND (kind = 'rule' OR place = ANY ($5))`,
    [app, endpoint, clearLooks, shown.map(({ kind, place }) => `${kind} ${place}`), places],
  )
}

export interface ChangeRow extends Change {
  readonly excerpt: string | null
  readonly version: string | null
  readonly first_at: Date
  readonly last_at: Date
  readonly times: number
  readonly looks_since: number
}

/** Open changes, the latest first. */
export async function openChanges(db: Db, app: string): Promise<readonly ChangeRow[]> {
  const { rows } = await db.query<ChangeRow>(
    `SELECT app, endpoint, kind, place, words, excerpt, version, first_at, last_at, times, looks_since FROM app_changes
     WHERE app = $1 AND closed_at IS NULL ORDER BY last_at DESC LIMIT 100`,
    [app],
  )
  return rows
}

/** Closes a change: an operator accepts the latest answers' shape. False: no such open change. */
export async function closeChange(
  ctx: Pick<Context, 'db'>,
  { app, endpoint, kind, place }: Pick<Change, 'app' | 'endpoint' | 'place'> & { readonly kind: string },
  actor: string,
): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE app_changes SET closed_at = clock_timestamp(), closed_by = $5
       WHERE app = $1 AND endpoint = $2 AND kind = $3 AND place = $4 AND closed_at IS NULL`,
      [app, endpoint, kind, place, actor],
    )
    if (rowCount !== 1) return false
    if (kind !== 'rule') await takeAsItIs(db, app, endpoint)
    await audit(db, actor, 'change.closed', { app, endpoint, kind, place })
    return true
  })
}
