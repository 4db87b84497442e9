import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { takeAsItIs } from './shapes.ts'

/** So many daily looks in a row that do not show it close a change. */
const clearLooks = 3
/** Of one endpoint: an app that answers something else each time must not fill the table. */
const mostOfEndpoint = 100

/** Something of an app that was not as its connector knows it, or as it was before. */
export interface Change {
  readonly app: string
  readonly endpoint: string
  /** A rule of the connector did not hold; or the shape of an output: something is gone, of another type, a list is empty for the first time. */
  readonly kind: 'rule' | 'gone' | 'type' | 'empty'
  /** The rule, or the place in the output. */
  readonly place: string
  readonly words: string
  readonly excerpt?: string | null | undefined
  readonly version?: string | null | undefined
}

/** Notes it: the first time, or once more. */
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
    // Which entry of a list it was makes no other change of it.
    values: [app, endpoint, kind, place.replaceAll(/\[\d+\]/g, '[*]'), words, excerpt, version, mostOfEndpoint],
  })
}

/** A daily look had an output: what it did not show, although it had the place, may be over. */
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

/** Those that nobody closed, the latest first. */
export async function openChanges(db: Db, app: string): Promise<readonly ChangeRow[]> {
  const { rows } = await db.query<ChangeRow>(
    `SELECT app, endpoint, kind, place, words, excerpt, version, first_at, last_at, times, looks_since FROM app_changes
     WHERE app = $1 AND closed_at IS NULL ORDER BY last_at DESC LIMIT 100`,
    [app],
  )
  return rows
}

/** An operator has seen to it: what the last looks found is how the endpoint may answer from now on. False: there is none such that is open. */
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
