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
  /** The path that a token is for; a key is for all. */
  readonly resource?: string
}

/** A key as a look-up finds it. */
export interface FoundKey extends ApiKey {
  /** Neither revoked nor expired. */
  readonly valid: boolean
}

/** Where a key stands among those that replace each other: `line` is the id of the first, `turn` how many came before. */
export interface Turn {
  readonly line: string
  readonly turn: number
}

/**
 * Makes a key for the owner: the first of its line, unless `place` says otherwise. `apps` null = all. The key itself is returned here only:
 * the database keeps a keyed hash of it.
 */
export async function createKey(
  ctx: Pick<Context, 'secrets'> & { readonly db: Db },
  wanted: {
    readonly owner: string
    readonly name: string
    readonly apps: readonly string[] | null
    readonly expiresAt?: Date
    /** Whether it sees all calls of its owner, in its apps. */
    readonly seesAll?: boolean
    /** Whether it may call what reads only. */
    readonly readOnly?: boolean
    /** Of some apps, the endpoints that it may call; null: it has no such limit. */
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

/** Ends a key at once, in all processes. False: the owner has no such key, or it was revoked before. */
export async function revokeKey(ctx: Pick<Context, 'db'>, owner: string, keyId: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const revoked = await endKey(db, owner, keyId)
    if (revoked) await audit(db, owner, 'key.revoked', { key: keyId })
    return revoked
  })
}

/** Within a transaction that says in the audit log why. False: the owner has no such key, or it was revoked before. */
export async function endKey(db: Db, owner: string, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = $1 AND owner = $2 AND revoked_at IS NULL',
    [keyId, owner],
  )
  return rowCount === 1
}

/** The key's row, if it is valid now. Asked of the database every time, so that a revoked key ends at once everywhere. */
export async function findKey(ctx: Pick<Context, 'db' | 'secrets' | 'log'>, key: string): Promise<ApiKey | undefined> {
  const hashes = keyHashes(ctx, key)
  const found = await findKeys(ctx, hashes)
  const known = hashes.map((hash) => found.get(hash)).find((one) => one !== undefined)
  return known?.valid === true ? { id: known.id, owner: known.owner } : undefined
}

/** Those of the keys that there are, or were, by their hashes. */
export async function findKeys(
  ctx: Pick<Context, 'db' | 'log'>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, FoundKey>> {
  const { rows } = await ctx.db.query<FoundKey & { readonly hash: string; readonly stale: boolean }>({
    name: 'find-keys',
    // From within a SELECT: an array whose length can be seen is planned for anew each time.
    text: `SELECT id, owner, encode(hash, 'hex') AS hash,
       coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) AS stale,
       revoked_at IS NULL AND coalesce(expires_at > clock_timestamp(), true) AS valid
     FROM api_keys WHERE hash = ANY ((SELECT $1::bytea[])::bytea[])`,
    values: [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  })
  for (const { id, valid, stale } of rows) if (valid && stale) void noteUse(ctx, id)
  return new Map(rows.map(({ hash, id, owner, valid }) => [hash, { id, owner, valid }]))
}

/** Whether the form and the checksum are right: tells a typo from an unknown key without a look-up. */
export function isWellFormedKey(key: string): boolean {
  return isSecretText(prefix, key)
}

/** What may be kept of a key, in hex: with each pepper, the newest first. */
export function keyHashes(ctx: Pick<Context, 'secrets'>, key: string): readonly string[] {
  return keyedHashes(ctx.secrets, purpose, key).map((hash) => hash.toString('hex'))
}

/** Keeps the hash with the newest pepper from now on, so that an older one can go. */
export async function renewKeyHash(ctx: Pick<Context, 'db' | 'secrets'>, keyId: string, hash: string): Promise<void> {
  await ctx.db.query('UPDATE api_keys SET hash = $2, pepper = $3 WHERE id = $1', [
    keyId,
    Buffer.from(hash, 'hex'),
    newestKey(ctx.secrets.pepper).id,
  ])
}

/** How many API keys are known by each pepper still, and whether this process has it: without it they are known no more. */
export async function pepperUse(
  ctx: Pick<Context, 'db' | 'secrets'>,
): Promise<readonly { readonly id: string; readonly known: boolean; readonly api_keys: number }[]> {
  const { rows } = await ctx.db.query<{ id: string; api_keys: number }>(
    `SELECT pepper AS id, count(*)::integer AS api_keys FROM api_keys
     WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
       AND NOT EXISTS (SELECT FROM oauth_grants WHERE key = id) GROUP BY pepper`,
  )
  const used = new Map(rows.map(({ id, api_keys }) => [id, api_keys]))
  const { pepper } = ctx.secrets
  return [...new Set([...pepper.keys(), ...used.keys()])].map((id) => ({
    id,
    known: pepper.has(id),
    api_keys: used.get(id) ?? 0,
  }))
}

/** Notes that the key was used, once a minute. SKIP LOCKED: of many requests at once one writes, and none waits. */
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
