import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { queueMail } from '../mails/queue.ts'
import type { Mailing } from '../mails/queue.ts'
import { endGrant } from './exchange.ts'
import { isUsedElsewhere, noteNetwork } from './networks.ts'
import { OAuthRefusal } from './refusal.ts'
import { secretHashes, successorsOf } from './secrets.ts'
import type { Successors } from './secrets.ts'

/** Seconds in which a used refresh token is answered with the same successors (`again`). */
const retrySeconds = 60

type Ctx = Mailing

export interface Refresh {
  readonly hash: Buffer
  readonly key: string
  readonly owner: string
  readonly read_only: boolean
  readonly client: string
  readonly resource: string
  readonly parent: Buffer | null
  /** live: never used. again: used within the last minute. late: used earlier, or superseded. */
  readonly state: 'live' | 'again' | 'late'
  /** The grant is revoked or expired. */
  readonly ended: boolean
  /** Remaining lifetime; 0 or less: expired. */
  readonly seconds: number
  /** The tokens that it is exchanged for, the same every time. */
  readonly next: Successors
  /** `next` is stored already. */
  readonly made: boolean
}

/**
 * In a transaction: the refresh token, locked with its grant, so that one grant is refreshed
 * serially. Undefined: there is none.
 *
 * Processes of one client may share a grant: for 60 s, a used token gets the same successors.
 */
export async function lockRefresh(ctx: Ctx, db: Db, text: string): Promise<Refresh | undefined> {
  const hashes = secretHashes(ctx, 'refresh', text)
  await db.query(
    'SELECT FROM oauth_grants WHERE key = (SELECT key FROM oauth_tokens WHERE hash = ANY ($1)) FOR NO KEY UPDATE',
    [hashes],
  )
  const { rows } = await db.query<Omit<Refresh, 'next' | 'made'>>(
    `SELECT t.hash, t.key, k.owner, k.read_only, g.client, g.resource, t.parent,
       NOT is_valid_key(k) AS ended,
       CASE WHEN t.superseded THEN 'late'
         WHEN t.used_at IS NULL THEN 'live'
         WHEN t.used_at > clock_timestamp() - make_interval(secs => $2) THEN 'again'
         ELSE 'late' END AS state,
       extract(epoch FROM t.expires_at - clock_timestamp())::float8 AS seconds
     FROM oauth_tokens t JOIN oauth_grants g ON g.key = t.key JOIN api_keys k ON k.id = t.key
     WHERE t.hash = ANY ($1) AND t.kind = 'refresh'`,
    [hashes, retrySeconds],
  )
  const [row] = rows
  return row && { ...row, ...(await nextOf(ctx, db, row.hash, text)) }
}

/** The stored successors, else those of the newest pepper. Random ones of old releases are lost. */
async function nextOf(ctx: Ctx, db: Db, parent: Buffer, text: string): Promise<Pick<Refresh, 'next' | 'made'>> {
  const { rows } = await db.query<{ hash: Buffer }>('SELECT hash FROM oauth_tokens WHERE parent = $1', [parent])
  const successors = successorsOf(ctx, text)
  const made = successors.find(({ refresh }) =>
    secretHashes(ctx, 'refresh', refresh).some((hash) => rows.some((row) => row.hash.equals(hash))),
  )
  const next = made ?? successors[0]
  if (next === undefined) throw new Error('a key ring is empty')
  return { next, made: made !== undefined }
}

/**
 * In the transaction that locked it: uses the token. A late one only fails, unless another network
 * uses its grant now: two parties have it, so it ends. Throws invalid_grant or invalid_target.
 */
export async function useRefresh(ctx: Ctx, db: Db, token: Refresh, sent: Sender): Promise<void> {
  const { hash, key, parent, state, ended } = token
  if (!ended && sent.resource !== undefined && sent.resource !== token.resource)
    throw new OAuthRefusal('invalid_target', `This refresh token is for ${token.resource}.`)
  const isTheft = state === 'late' && (await isUsedElsewhere(db, key, sent.ip))
  if (isTheft) await endStolen(ctx, db, token)
  if (ended) throw new OAuthRefusal('invalid_grant', 'What this refresh token is of has ended.', key)
  if (isTheft) {
    const message =
      'This refresh token was used before, and somewhere else. What it is of has ended; ask the user again.'
    throw new OAuthRefusal('invalid_grant', message, key)
  }
  await noteNetwork(db, key, sent.ip)
  if (state === 'late')
    throw new OAuthRefusal(
      'invalid_grant',
      'This refresh token was used before. Use the one that it was exchanged for.',
    )
  await db.query('UPDATE oauth_tokens SET used_at = coalesce(used_at, clock_timestamp()) WHERE hash = $1', [hash])
  if (parent !== null)
    await db.query('UPDATE oauth_tokens SET superseded = true WHERE parent = $1 AND hash <> $2', [parent, hash])
}

/** The resource that a refresh request names, and the client's IP address. */
interface Sender {
  readonly resource: string | undefined
  readonly ip: string
}

/** The user is notified even if the grant had ended already, but only once. */
async function endStolen(ctx: Ctx, db: Db, { key, owner }: Refresh): Promise<void> {
  await db.query('DELETE FROM oauth_networks WHERE key = $1', [key])
  await endGrant(db, owner, key, 'a superseded refresh token was used from another network')
  const { rows } = await db.query<{ email: string; name: string }>(
    'SELECT u.email, k.name FROM users u JOIN api_keys k ON k.owner = u.id WHERE k.id = $1',
    [key],
  )
  for (const { email, name } of rows)
    await queueMail(ctx, db, { kind: 'grant.ended', address: email, seconds: 86_400, detail: { name } })
}

/** RFC 7009: a client revokes its grant. An unknown token, or another client's, changes nothing. */
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
