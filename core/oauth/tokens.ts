import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'
import { noteUse } from '../keys/rows.ts'
import type { FoundKey } from '../keys/rows.ts'
import { forgetNetworks } from './networks.ts'
import { secretHash, secretHashes } from './secrets.ts'

/** Lifetime of an access token, in seconds. */
export const accessSeconds = 3_600
/** A grant ends if it is not refreshed for this many days. */
export const refreshDays = 90

/** Stores a new token pair and extends its grant. `parent`: the refresh token that it replaces. */
export async function keepTokens(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  made: { readonly key: string; readonly parent: Buffer | null; readonly access: string; readonly refresh: string },
): Promise<void> {
  const { key, parent } = made
  await db.query('DELETE FROM oauth_tokens WHERE key = $1 AND expires_at <= clock_timestamp()', [key])
  await db.query(
    `INSERT INTO oauth_tokens (hash, key, kind, parent, expires_at) VALUES
       ($1, $3, 'access', NULL, clock_timestamp() + make_interval(secs => $5)),
       ($2, $3, 'refresh', $4, clock_timestamp() + make_interval(days => $6))`,
    [
      secretHash(ctx, 'access', made.access),
      secretHash(ctx, 'refresh', made.refresh),
      key,
      parent,
      accessSeconds,
      refreshDays,
    ],
  )
  await keepGrant(db, key)
  failPoint('oauth.before-commit')
}

/** Repeats the stored pair: extends its access token to the lifetime that the response states. */
export async function repeatTokens(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  made: { readonly key: string; readonly access: string },
): Promise<void> {
  await db.query(
    `UPDATE oauth_tokens SET expires_at = clock_timestamp() + make_interval(secs => $3)
     WHERE hash = ANY ($1) AND key = $2 AND kind = 'access'`,
    [secretHashes(ctx, 'access', made.access), made.key, accessSeconds],
  )
  await keepGrant(db, made.key)
  failPoint('oauth.before-commit')
}

async function keepGrant(db: Db, key: string): Promise<void> {
  await db.query('UPDATE api_keys SET expires_at = clock_timestamp() + make_interval(days => $2) WHERE id = $1', [
    key,
    refreshDays,
  ])
}

/** The principal and resource path of each existing access token, by hash. */
export async function findTokens(
  ctx: Pick<Context, 'db' | 'log'>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, FoundKey>> {
  const { rows } = await ctx.db.query<Required<FoundKey> & { readonly hash: string; readonly stale: boolean }>({
    name: 'find-tokens',
    text: `SELECT k.id, k.owner, g.resource, encode(t.hash, 'hex') AS hash,
       coalesce(k.last_used_at < clock_timestamp() - interval '1 minute', true) AS stale,
       t.expires_at > clock_timestamp() AND is_valid_key(k) AS valid
     FROM oauth_tokens t JOIN oauth_grants g ON g.key = t.key JOIN api_keys k ON k.id = t.key
     WHERE t.hash = ANY ((SELECT $1::bytea[])::bytea[]) AND t.kind = 'access'`,
    values: [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  })
  for (const { id, valid, stale } of rows) if (valid && stale) void noteUse(ctx, id)
  return new Map(rows.map(({ hash, id, owner, resource, valid }) => [hash, { id, owner, resource, valid }]))
}

/** Deletes expired tokens, codes and unused clients. */
export async function forgetOAuth(db: Db): Promise<void> {
  await db.query('DELETE FROM oauth_tokens WHERE expires_at < clock_timestamp()')
  await forgetNetworks(db)
  // Kept for a day, so that reuse of a code still ends its grant.
  await db.query(`DELETE FROM oauth_codes WHERE expires_at < clock_timestamp() - interval '1 day'`)
  await db.query('DELETE FROM oauth_clients WHERE expires_at < clock_timestamp()')
}
