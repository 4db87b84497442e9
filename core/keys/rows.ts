import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { keyedHash, keyedHashes, newestKey } from '../secrets/crypto.ts'
import { audit } from '../audit.ts'
import type { KeyEndpoints } from './endpoints.ts'
import { isSecretText, newSecretText } from './form.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'

const prefix = 'cg_live_'
const purpose = 'api-key'

export interface ApiKey {
  readonly id: string
  readonly owner: string
  /** The path that an OAuth token is valid for; an API key is valid for all. */
  readonly resource?: string
}

/** A key as found in the database. */
export interface FoundKey extends ApiKey {
  /** Neither revoked nor expired. */
  readonly valid: boolean
}

/** Position in a key lineage: `line` is the first key's id, `turn` how many came before. */
export interface Turn {
  readonly line: string
  readonly turn: number
}

/**
 * Creates a key for the owner: the first of its lineage, unless `place` is given. `apps` null =
 * all. Only this function returns the key itself: the database keeps a keyed hash.
 */
export async function createKey(
  ctx: Pick<Context, 'secrets'> & { readonly db: Db },
  wanted: {
    readonly owner: string
    readonly name: string
    readonly apps: readonly string[] | null
    readonly expiresAt?: Date
    /** Call visibility: all calls of its owner, in its apps. */
    readonly seesAll?: boolean
    /** Whether it may call read endpoints only. */
    readonly readOnly?: boolean
    /** By app, the endpoints that it may call; null: no such limit. */
    readonly endpoints?: KeyEndpoints | null
    readonly place?: Turn
  },
): Promise<{ readonly id: string; readonly key: string }> {
  const id = `key_${ulid()}`
  const key = newSecretText(prefix)
  await ctx.db.query(
    `INSERT INTO api_keys (id, owner, name, hash, hint, apps, expires_at, sees_all, line, turn, pepper, read_only, endpoints)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      id,
      wanted.owner,
      wanted.name,
      keyedHash(ctx.secrets, purpose, key),
      `${key.slice(0, prefix.length + 4)}…`,
      wanted.apps,
      wanted.expiresAt ?? null,
      wanted.seesAll ?? false,
      wanted.place?.line ?? id,
      wanted.place?.turn ?? 0,
      newestKey(ctx.secrets.pepper).id,
      wanted.readOnly ?? false,
      wanted.endpoints ? JSON.stringify(wanted.endpoints) : null,
    ],
  )
  return { id, key }
}

/** Revokes a key at once, in all processes. False: the owner has no such key, or it is revoked. */
export async function revokeKey(ctx: Pick<Context, 'db'>, owner: string, keyId: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const revoked = await endKey(db, owner, keyId)
    if (revoked) await audit(db, owner, 'key.revoked', { key: keyId })
    return revoked
  })
}

/** In a transaction that audits the reason. False: the owner has no such key, or it is revoked. */
export async function endKey(db: Db, owner: string, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = $1 AND owner = $2 AND revoked_at IS NULL',
    [keyId, owner],
  )
  return rowCount === 1
}

/** The key's row, if valid now. Queried every time: a revocation applies at once everywhere. */
export async function findKey(ctx: Pick<Context, 'db' | 'secrets' | 'log'>, key: string): Promise<ApiKey | undefined> {
  const hashes = keyHashes(ctx, key)
  const found = await findKeys(ctx, hashes)
  const known = hashes.map((hash) => found.get(hash)).find((one) => one !== undefined)
  return known?.valid === true ? { id: known.id, owner: known.owner } : undefined
}

/** The keys that have these hashes, valid or not. */
export async function findKeys(
  ctx: Pick<Context, 'db' | 'log'>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, FoundKey>> {
  const { rows } = await ctx.db.query<FoundKey & { readonly hash: string; readonly stale: boolean }>({
    name: 'find-keys',
    // The sub-select hides the array's length: Postgres would plan again for each length.
    text: `SELECT id, owner, encode(hash, 'hex') AS hash,
       coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) AS stale,
       is_valid_key(k) AS valid
     FROM api_keys k WHERE hash = ANY ((SELECT $1::bytea[])::bytea[])`,
    values: [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  })
  for (const { id, valid, stale } of rows) if (valid && stale) void noteUse(ctx, id)
  return new Map(rows.map(({ hash, id, owner, valid }) => [hash, { id, owner, valid }]))
}

/** Whether form and checksum are right: tells a typo from an unknown key without a query. */
export function isWellFormedKey(key: string): boolean {
  return isSecretText(prefix, key)
}

/** The storable hashes of a key, in hex: one per pepper, the newest first. */
export function keyHashes(ctx: Pick<Context, 'secrets'>, key: string): readonly string[] {
  return keyedHashes(ctx.secrets, purpose, key).map((hash) => hash.toString('hex'))
}

/** Stores the hash with the newest pepper, so that an older pepper can be removed. */
export async function renewKeyHash(ctx: Pick<Context, 'db' | 'secrets'>, keyId: string, hash: string): Promise<void> {
  await ctx.db.query('UPDATE api_keys SET hash = $2, pepper = $3 WHERE id = $1', [
    keyId,
    Buffer.from(hash, 'hex'),
    newestKey(ctx.secrets.pepper).id,
  ])
}

/** API keys per pepper, and whether this process has it: without it they cannot be found. */
export async function pepperUse(
  ctx: Pick<Context, 'db' | 'secrets'>,
): Promise<readonly { readonly id: string; readonly known: boolean; readonly api_keys: number }[]> {
  const { rows } = await ctx.db.query<{ id: string; api_keys: number }>(
    `SELECT pepper AS id, count(*)::integer AS api_keys FROM api_keys k
     WHERE is_valid_key(k) AND NOT EXISTS (SELECT FROM oauth_grants WHERE key = id) GROUP BY pepper`,
  )
  const used = new Map(rows.map(({ id, api_keys }) => [id, api_keys]))
  const { pepper } = ctx.secrets
  return [...new Set([...pepper.keys(), ...used.keys()])].map((id) => ({
    id,
    known: pepper.has(id),
    api_keys: used.get(id) ?? 0,
  }))
}

/** Records the use of a key, once a minute. SKIP LOCKED: of concurrent requests one writes. */
export async function noteUse(ctx: Pick<Context, 'db' | 'log'>, keyId: string): Promise<void> {
  try {
    await ctx.db.query(
      `UPDATE api_keys SET last_used_at = clock_timestamp() WHERE id = (
         SELECT id FROM api_keys WHERE id = $1 AND coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)
         FOR NO KEY UPDATE SKIP LOCKED)`,
      [keyId],
    )
  } catch (error) {
    ctx.log.debug(
      { key: keyId, reason: error instanceof Error ? error.name : 'unknown' },
      'the use of a key was not noted',
    )
  }
}
