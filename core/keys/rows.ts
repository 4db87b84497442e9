import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { keyedHash } from '../secrets/crypto.ts'
import { audit } from '../audit.ts'
import { isSecretText, newSecretText } from './form.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'

const prefix = 'cg_live_'

export interface ApiKey {
  readonly id: string
  readonly owner: string
  /** The path that a token is for; a key is for all. */
  readonly resource?: string
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
    readonly place?: Turn
  },
): Promise<{ readonly id: string; readonly key: string }> {
  const id = `key_${ulid()}`
  const key = newSecretText(prefix)
  await ctx.db.query(
    `INSERT INTO api_keys (id, owner, name, hash, hint, apps, expires_at, sees_all, line, turn)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      wanted.owner,
      wanted.name,
      Buffer.from(keyHash(ctx, key), 'hex'),
      `${key.slice(0, prefix.length + 4)}…`,
      wanted.apps,
      wanted.expiresAt ?? null,
      wanted.seesAll ?? false,
      wanted.place?.line ?? id,
      wanted.place?.turn ?? 0,
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
  const hash = keyHash(ctx, key)
  return (await findKeys(ctx, [hash])).get(hash)
}

/** Those of the keys that are valid now, by their hashes. */
export async function findKeys(
  ctx: Pick<Context, 'db' | 'log'>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ApiKey>> {
  const { rows } = await ctx.db.query<ApiKey & { readonly hash: string; readonly stale: boolean }>({
    name: 'find-keys',
    text: `SELECT id, owner, encode(hash, 'hex') AS hash,
       coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) AS stale FROM api_keys
     WHERE hash = ANY($1) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
    values: [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  })
  for (const { id, stale } of rows) if (stale) void noteUse(ctx, id)
  return new Map(rows.map(({ hash, id, owner }) => [hash, { id, owner }]))
}

/** Whether the form and the checksum are right: tells a typo from an unknown key without a look-up. */
export function isWellFormedKey(key: string): boolean {
  return isSecretText(prefix, key)
}

/** What is kept of a key, in hex. */
export function keyHash(ctx: Pick<Context, 'secrets'>, key: string): string {
  return keyedHash(ctx.secrets, 'api-key', key).toString('hex')
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
