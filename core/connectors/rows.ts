import type { AddedConnector } from '../../connectors/runtime/added.ts'
import type { Level } from '../../connectors/runtime/app.ts'
import type { Db } from '../database/pool.ts'

export interface ConnectorRow extends AddedConnector {
  readonly added_by: string
  readonly changed_at: Date
  readonly scale: Level | null
  readonly scaled_at: Date | null
}

/** Installed connectors, by slug. */
export async function addedConnectors(db: Db): Promise<readonly ConnectorRow[]> {
  const { rows } = await db.query<ConnectorRow>({
    name: 'added-connectors-scaled',
    text: `SELECT slug, package, hash, hosts, trusted, added_by, changed_at, scale, scaled_at FROM added_connectors WHERE removed_at IS NULL ORDER BY slug`,
  })
  return rows
}

/** Hash of the installed version; undefined: not installed. */
export async function hashOfAdded(db: Db, slug: string): Promise<string | undefined> {
  const { rows } = await db.query<{ hash: string }>(
    'SELECT hash FROM added_connectors WHERE slug = $1 AND removed_at IS NULL',
    [slug],
  )
  return rows[0]?.hash
}

export async function bundleOf(db: Db, hash: string): Promise<string> {
  const { rows } = await db.query<{ code: string }>('SELECT code FROM connector_bundles WHERE hash = $1', [hash])
  if (rows[0] === undefined) throw new Error(`there is no bundle ${hash}`)
  return rows[0].code
}

export async function keepBundle(db: Db, hash: string, code: string): Promise<void> {
  await db.query('INSERT INTO connector_bundles (hash, code) VALUES ($1, $2) ON CONFLICT DO NOTHING', [hash, code])
}

/** A connector to install, with the names of its endpoints. */
export interface NewConnector extends Omit<AddedConnector, 'trusted' | 'scale'> {
  readonly endpoints: readonly string[]
}

/** False: the name is taken. */
export async function insertConnector(db: Db, one: NewConnector, actor: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO added_connectors AS k (slug, hash, package, hosts, endpoints, added_by) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (slug) DO UPDATE SET hash = excluded.hash, package = excluded.package, hosts = excluded.hosts,
       endpoints = excluded.endpoints, trusted = '{}', added_by = excluded.added_by, changed_at = clock_timestamp(), removed_at = NULL,
       scale = NULL, scaled_at = NULL
     WHERE k.removed_at IS NOT NULL`,
    [one.slug, one.hash, one.package, one.hosts, one.endpoints, actor],
  )
  return rowCount === 1
}

/** False: no such connector. */
export async function replaceConnector(db: Db, one: NewConnector, actor: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE added_connectors SET hash = $2, package = $3, hosts = $4, endpoints = $5, trusted = '{}', added_by = $6,
       changed_at = clock_timestamp(), settled = false, scale = NULL, scaled_at = NULL
     WHERE slug = $1 AND removed_at IS NULL`,
    [one.slug, one.hash, one.package, one.hosts, one.endpoints, actor],
  )
  return rowCount === 1
}

/** False: no such connector. */
export async function removeRow(db: Db, slug: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE added_connectors SET removed_at = clock_timestamp(), changed_at = clock_timestamp(), settled = false
     WHERE slug = $1 AND removed_at IS NULL`,
    [slug],
  )
  return rowCount === 1
}

/** Saves the quality level of this exact version. False: this version is not installed. */
export async function setScale(db: Db, slug: string, hash: string, scale: Level | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE added_connectors SET scale = $3, scaled_at = clock_timestamp() WHERE slug = $1 AND hash = $2 AND removed_at IS NULL`,
    [slug, hash, scale],
  )
  return rowCount === 1
}

/** Sets whether an endpoint may run without approval. False: no such connector or endpoint. */
export async function setTrusted(db: Db, slug: string, endpoint: string, trusted: boolean): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE added_connectors SET trusted = array_remove(trusted, $2) || CASE WHEN $3 THEN ARRAY[$2] ELSE '{}' END
     WHERE slug = $1 AND removed_at IS NULL AND $2 = ANY (endpoints)`,
    [slug, endpoint, trusted],
  )
  return rowCount === 1
}
