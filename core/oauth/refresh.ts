import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { keepClient } from './clients.ts'
import { endGrant } from './exchange.ts'
import { OAuthRefusal } from './refusal.ts'
import { secretHashes } from './secrets.ts'
import { issueTokens } from './tokens.ts'
import type { Tokens } from './tokens.ts'

/** Seconds in which a refresh token may be sent again, by a program that the answer did not reach. */
const retrySeconds = 30

interface Refresh {
  readonly hash: Buffer
  readonly key: string
  readonly owner: string
  readonly read_only: boolean
  readonly client: string
  readonly resource: string
  readonly parent: Buffer | null
  readonly superseded: boolean
  readonly used: boolean
  /** It was used, a moment ago, and nothing that came of it was used yet. */
  readonly again: boolean
  readonly over: boolean
}

/**
 * New tokens for a refresh token, which is good once: a used one that comes again ends the grant, because two have it. But for 30 s, while
 * nobody used what it was answered with, it is answered anew: answers get lost. Of several such answers the first that is used is the one
 * that arrived; the refresh token of another one counts as used. One transaction. Throws invalid_grant or invalid_target.
 */
export async function refreshTokens(
  ctx: Pick<Context, 'db' | 'secrets'>,
  sent: { readonly clientId: string; readonly refresh: string; readonly resource: string | undefined },
): Promise<Tokens> {
  const made = await transaction(ctx.db, async (db) => {
    const token = await lockRefresh(db, secretHashes(ctx, 'refresh', sent.refresh))
    if (token === undefined || token.client !== sent.clientId)
      return refusal('There is no such refresh token of this client, or what it is of has ended.')
    if (token.superseded || (token.used && !token.again)) {
      await endGrant(db, token.owner, token.key, 'a refresh token was used twice')
      return refusal('This refresh token was used before. What it is of has ended; ask the person again.', token.key)
    }
    const { hash } = token
    if (token.over) return refusal('This refresh token is too old.')
    if (sent.resource !== undefined && sent.resource !== token.resource)
      return new OAuthRefusal('invalid_target', `This refresh token is for ${token.resource}.`)
    await db.query('UPDATE oauth_tokens SET used_at = coalesce(used_at, clock_timestamp()) WHERE hash = $1', [hash])
    if (token.parent !== null)
      await db.query('UPDATE oauth_tokens SET superseded = true WHERE parent = $1 AND hash <> $2', [token.parent, hash])
    await keepClient(db, token.client)
    return issueTokens(ctx, db, { key: token.key, readOnly: token.read_only }, hash)
  })
  if (made instanceof OAuthRefusal) throw made
  return made
}

/** The grant is locked, not the token: of all that comes of one grant, one is refreshed after the other. */
async function lockRefresh(db: Db, hashes: readonly Buffer[]): Promise<Refresh | undefined> {
  await db.query(
    'SELECT FROM oauth_grants WHERE key = (SELECT key FROM oauth_tokens WHERE hash = ANY ($1)) FOR NO KEY UPDATE',
    [hashes],
  )
  const { rows } = await db.query<Refresh>(
    `SELECT t.hash, t.key, k.owner, k.read_only, g.client, g.resource, t.parent, t.superseded, t.used_at IS NOT NULL AS used,
       coalesce(t.used_at > clock_timestamp() - make_interval(secs => $2), false)
         AND NOT EXISTS (SELECT FROM oauth_tokens child WHERE child.parent = t.hash AND child.used_at IS NOT NULL) AS again,
       t.expires_at <= clock_timestamp() AS over
     FROM oauth_tokens t JOIN oauth_grants g ON g.key = t.key JOIN api_keys k ON k.id = t.key
     WHERE t.hash = ANY ($1) AND t.kind = 'refresh' AND k.revoked_at IS NULL AND k.expires_at > clock_timestamp()`,
    [hashes, retrySeconds],
  )
  return rows[0]
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

function refusal(message: string, ended: string | null = null): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', message, ended)
}
