import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'
import { noteUse } from '../keys/rows.ts'
import type { FoundKey } from '../keys/rows.ts'
import { secretHash } from './secrets.ts'

/** Seconds for which an access token is good. */
export const accessSeconds = 3_600
/** A grant ends when it was not refreshed for so many days. */
export const refreshDays = 90

/** Keeps a new pair of tokens of the grant, which lives on from here. `parent`: the refresh token that they are for. */
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
  await db.query('UPDATE api_keys SET expires_at = clock_timestamp() + make_interval(days => $2) WHERE id = $1', [
    key,
    refreshDays,
  ])
  failPoint('oauth.before-commit')
}

/** Those of the access tokens that there are, by their hashes: each the principal that it is a token of, and the path that it is for. */
export async function findTokens(
  ctx: Pick<Context, 'db' | 'log'>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, FoundKey>> {
  const { rows } = await ctx.db.query<Required<FoundKey> & { readonly hash: string; readonly stale: boolean }>({
    name: 'find-tokens',
    text: `SELECT k.id, k.owner, g.resource, encode(t.hash, 'hex') AS hash,
       coalesce(k.last_used_at < clock_timestamp() - interval '1 minute', true) AS stale,
       t.expires_at > clock_timestamp() AND k.revoked_at IS NULL AND k.expires_at > clock_timestamp() AS valid
     FROM oauth_tokens t JOIN oauth_grants g ON g.key = t.key JOIN api_keys k ON k.id = t.key
     WHERE t.hash = ANY ((SELECT $1::bytea[])::bytea[]) AND t.kind = 'access'`,
    values: [hashes.map((hash) => Buffer.from(hash, 'hex'))],
  })
  for (const { id, valid, stale } of rows) if (valid && stale) void noteUse(ctx, id)
  return new Map(rows.map(({ hash, id, owner, resource, valid }) => [hash, { id, owner, resource, valid }]))
}

/** Forgets what nobody can use any more: tokens, codes, and clients that were not used for long. */
export async function forgetOAuth(db: Db): Promise<void> {
  await db.query('DELETE FROM oauth_tokens WHERE expires_at < clock_timestamp()')
  // A code that comes again within a day still ends what was made of it.
  await db.query(`DELETE FROM oauth_codes WHERE expires_at < clock_timestamp() - interval '1 day'`)
  await db.query('DELETE FROM oauth_clients WHERE expires_at < clock_timestamp()')
}
