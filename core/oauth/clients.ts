import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { isDocumentAddress, readDocument } from './document.ts'
import type { AuthMethod, ClientMetadata } from './metadata.ts'
import { OAuthRefusal } from './refusal.ts'
import { isSecretHash, newSecret, secretHash } from './secrets.ts'

/** A registered client that was never used expires after this many days. */
const unusedDays = 7
/** A used client expires this many days after its last use. */
export const usedDays = 180
/** A client's document is read at most once in this many minutes. */
const freshMinutes = 60

type Ctx = Pick<Context, 'db' | 'secrets' | 'config'>

export interface OAuthClient extends ClientMetadata {
  readonly id: string
  /** Null: a public client without a secret. */
  readonly secretHash: Buffer | null
}

export interface NewClient extends OAuthClient {
  /** Readable only here; undefined: it has none. */
  readonly secret: string | undefined
  readonly createdAt: Date
}

/** Dynamic registration (RFC 7591). */
export async function registerClient(ctx: Ctx, metadata: ClientMetadata): Promise<NewClient> {
  const id = `client_${ulid()}`
  const secret = metadata.authMethod === 'none' ? undefined : newSecret('client')
  const hash = secret === undefined ? null : secretHash(ctx, 'client', secret)
  const { name, redirectUris, authMethod } = metadata
  const { rows } = await ctx.db.query<{ created_at: Date }>(
    `INSERT INTO oauth_clients (id, name, redirect_uris, auth_method, secret_hash, expires_at)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(days => $6)) RETURNING created_at`,
    [id, name, redirectUris, authMethod, hash, unusedDays],
  )
  return { ...metadata, id, secretHash: hash, secret, createdAt: rows[0]?.created_at ?? new Date() }
}

interface Row {
  readonly id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly auth_method: AuthMethod
  readonly secret_hash: Buffer | null
  readonly fresh: boolean
}

/** The client of a request, authenticated by its secret if it has one. Throws invalid_client. */
export async function provenClient(
  ctx: Pick<Context, 'secrets'> & { readonly db: Db },
  id: string,
  /** Undefined: it sent none. */
  secret: string | undefined,
): Promise<OAuthClient> {
  const client = id.length > 2_000 ? undefined : (await find(ctx.db, id))?.client
  if (client === undefined)
    throw new OAuthRefusal('invalid_client', 'There is no such client, or it was forgotten. Register again.')
  if (client.secretHash === null) {
    if (secret !== undefined) throw new OAuthRefusal('invalid_client', 'This client has no secret.')
  } else if (secret === undefined || !isSecretHash(ctx, 'client', secret, client.secretHash))
    throw new OAuthRefusal('invalid_client', 'The secret of the client is missing, or is another one.')
  return client
}

/**
 * The client for the consent page; one with a metadata document as read within the last hour.
 * Undefined: there is none. Throws OAuthRefusal when its document cannot be used.
 */
export async function clientToShow(ctx: Ctx, id: string): Promise<OAuthClient | undefined> {
  const known = await find(ctx.db, id)
  if (!isDocumentAddress(id) || known?.fresh === true) return known?.client
  const metadata = await readDocument(id, ctx.config.webhookAllow)
  await ctx.db.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris, auth_method, read_at, expires_at)
     VALUES ($1, $2, $3, 'none', clock_timestamp(), clock_timestamp() + make_interval(days => $4))
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris, read_at = excluded.read_at,
       expires_at = greatest(oauth_clients.expires_at, excluded.expires_at)`,
    [id, metadata.name, metadata.redirectUris, unusedDays],
  )
  return { ...metadata, id, secretHash: null }
}

async function find(
  db: Db,
  id: string,
): Promise<{ readonly client: OAuthClient; readonly fresh: boolean } | undefined> {
  const { rows } = await db.query<Row>(
    `SELECT id, name, redirect_uris, auth_method, secret_hash,
       coalesce(read_at > clock_timestamp() - make_interval(mins => $2), false) AS fresh
     FROM oauth_clients WHERE id = $1 AND expires_at > clock_timestamp()`,
    [id, freshMinutes],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { name, redirect_uris: redirectUris, auth_method: authMethod, secret_hash: hash, fresh } = row
  return { client: { id, name, redirectUris, authMethod, secretHash: hash }, fresh }
}

/** Extends the expiry of a client that is used. */
export async function keepClient(db: Db, id: string): Promise<void> {
  await db.query('UPDATE oauth_clients SET expires_at = clock_timestamp() + make_interval(days => $2) WHERE id = $1', [
    id,
    usedDays,
  ])
}
