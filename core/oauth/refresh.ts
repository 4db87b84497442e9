import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { endGrant } from './exchange.ts'
import { OAuthRefusal } from './refusal.ts'
import { secretHashes } from './secrets.ts'

/** Seconds in which a refresh token may be sent again, by a program that the answer did not reach. */
const retrySeconds = 30

export interface Refresh {
  readonly hash: Buffer
  readonly key: string
  readonly owner: string
  readonly read_only: boolean
  readonly client: string
  readonly resource: string
  readonly parent: Buffer | null
  /** It was used before, or another answer than the one that it came with arrived. */
  readonly replayed: boolean
  /** For which it is good still; none or less: it is over. */
  readonly seconds: number
}

/**
 * Within a transaction: the refresh token, locked with its grant, not alone: of all that comes of one grant, one is refreshed after the
 * other. Undefined: there is none, or what it is of has ended.
 *
 * A refresh token is good once: a used one that comes again ends the grant, because two have it. But for 30 s, while nobody used what it was
 * answered with, it is answered anew: answers get lost. Of several such answers the first that is used is the one that arrived; the refresh
 * token of another one counts as used.
 */
export async function lockRefresh(ctx: Pick<Context, 'secrets'>, db: Db, text: string): Promise<Refresh | undefined> {
  const hashes = secretHashes(ctx, 'refresh', text)
  await db.query(
    'SELECT FROM oauth_grants WHERE key = (SELECT key FROM oauth_tokens WHERE hash = ANY ($1)) FOR NO KEY UPDATE',
    [hashes],
  )
  const { rows } = await db.query<Refresh>(
    `SELECT t.hash, t.key, k.owner, k.read_only, g.client, g.resource, t.parent,
       t.superseded OR t.used_at IS NOT NULL AND NOT (t.used_at > clock_timestamp() - make_interval(secs => $2)
         AND NOT EXISTS (SELECT FROM oauth_tokens child WHERE child.parent = t.hash AND child.used_at IS NOT NULL)) AS replayed,
       extract(epoch FROM t.expires_at - clock_timestamp())::float8 AS seconds
     FROM oauth_tokens t JOIN oauth_grants g ON g.key = t.key JOIN api_keys k ON k.id = t.key
     WHERE t.hash = ANY ($1) AND t.kind = 'refresh' AND k.revoked_at IS NULL AND k.expires_at > clock_timestamp()`,
    [hashes, retrySeconds],
  )
  return rows[0]
}

/** Within the transaction that locked it: the refresh token of this client counts as used. Throws invalid_grant or invalid_target. */
export async function useRefresh(db: Db, token: Refresh, resource: string | undefined): Promise<void> {
  const { hash, key, owner, parent } = token
  if (token.replayed) {
    await endGrant(db, owner, key, 'a refresh token was used twice')
    const message = 'This refresh token was used before. What it is of has ended; ask the person again.'
    throw new OAuthRefusal('invalid_grant', message, key)
  }
  if (resource !== undefined && resource !== token.resource)
    throw new OAuthRefusal('invalid_target', `This refresh token is for ${token.resource}.`)
  await db.query('UPDATE oauth_tokens SET used_at = coalesce(used_at, clock_timestamp()) WHERE hash = $1', [hash])
  if (parent !== null)
    await db.query('UPDATE oauth_tokens SET superseded = true WHERE parent = $1 AND hash <> $2', [parent, hash])
}

/** RFC 7009: the program needs its grant no more. A token of nobody, or of another client, changes nothing. */
export async function revokeToken(
  ctx: Pick<Context, 'db' | 'secrets'>,
  clientId: string,
  token: string,
): Promise<void> {
  await transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ key: string; owner: string }>(
      `SELECT t.key, k.owner FROM oauth_tokens t JOIN oauth_grants g ON g.key = t.key JOIN api_keys k ON k.id = t.key
       WHERE t.hash = ANY ($1) AND g.client = $2`,
      [[...secretHashes(ctx, 'refresh', token), ...secretHashes(ctx, 'access', token)], clientId],
    )
    for (const { key, owner } of rows) await endGrant(db, owner, key, 'the program gave it back')
  })
}
