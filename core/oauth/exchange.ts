import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import type { Db } from '../database/pool.ts'
import { inWords } from '../keys/endpoints.ts'
import type { KeyEndpoints } from '../keys/endpoints.ts'
import { lockKeys, mostKeys, validKeys } from '../keys/keys.ts'
import { endKey } from '../keys/rows.ts'
import { isRedirectOf, placeOf } from './metadata.ts'
import { OAuthRefusal } from './refusal.ts'
import { secretHashes } from './secrets.ts'

/** An authorization code with what the user granted, as codes.ts stores it. */
export interface Code {
  readonly hash: Buffer
  readonly client: string
  readonly client_name: string
  readonly redirect_uri: string
  readonly challenge: string
  readonly resource: string
  readonly owner: string
  readonly apps: readonly string[] | null
  readonly read_only: boolean
  readonly endpoints: KeyEndpoints | null
  /** Remaining lifetime; 0 or less: expired. */
  readonly seconds: number
  readonly used: boolean
  /** The grant that it was exchanged for. */
  readonly key: string | null
}

/** In a transaction: locks and returns the code. Undefined: there is none. */
export async function lockCode(ctx: Pick<Context, 'secrets'>, db: Db, text: string): Promise<Code | undefined> {
  const { rows } = await db.query<Code>(
    `SELECT hash, client, client_name, redirect_uri, challenge, resource, owner, apps, read_only, endpoints, key,
       extract(epoch FROM expires_at - clock_timestamp())::float8 AS seconds, used_at IS NOT NULL AS used
     FROM oauth_codes WHERE hash = ANY ($1) FOR UPDATE`,
    [secretHashes(ctx, 'code', text)],
  )
  return rows[0]
}

/**
 * In the transaction that locked it: consumes the code, even if the verifier turns out wrong. Reuse
 * ends the code's grant: a second party has it. Throws invalid_grant or invalid_target.
 */
export async function useCode(
  db: Db,
  code: Code,
  /** Undefined: not sent. */
  sent: { readonly redirectUri: string | undefined; readonly resource: string | undefined },
): Promise<void> {
  const { hash, owner, key, resource } = code
  if (code.used) {
    await endGrant(db, owner, key, 'its code was sent twice')
    throw refusal('This code was used before. What was granted with it has ended.', key)
  }
  if (sent.redirectUri !== undefined && !isRedirectOf([code.redirect_uri], sent.redirectUri))
    throw refusal('redirect_uri is not the one that the code was sent to.')
  if (sent.resource !== undefined && sent.resource !== resource)
    throw new OAuthRefusal('invalid_target', `This code is for ${resource}.`)
  await lockKeys(db, owner)
  if ((await validKeys(db, owner)) >= mostKeys) throw refusal('This person has as many keys as there may be.')
  await db.query('UPDATE oauth_codes SET used_at = clock_timestamp() WHERE hash = $1', [hash])
}

/** In the same transaction: creates the grant and returns its id. */
export async function makeGrant(db: Db, code: Code): Promise<string> {
  const { owner, client, client_name: name, resource, apps, read_only: readOnly, endpoints } = code
  const key = `grant_${ulid()}`
  const to = placeOf(code.redirect_uri)
  await db.query(
    `INSERT INTO api_keys (id, owner, name, hint, apps, read_only, endpoints, line) VALUES ($1, $2, $3, $4, $5, $6, $7, $1)`,
    [key, owner, name, to, apps, readOnly, endpoints && JSON.stringify(endpoints)],
  )
  await db.query('INSERT INTO oauth_grants (key, client, goes_to, resource) VALUES ($1, $2, $3, $4)', [
    key,
    client,
    to,
    resource,
  ])
  await db.query('UPDATE oauth_codes SET key = $2 WHERE hash = $1', [code.hash, key])
  const rights = { apps, read_only: readOnly, endpoints: inWords(endpoints) }
  await audit(db, owner, 'oauth.granted', { key, client: name, to, resource, ...rights })
  return key
}

/** In a transaction: ends a grant that may be compromised. */
export async function endGrant(db: Db, owner: string, key: string | null, reason: string): Promise<void> {
  if (key !== null && (await endKey(db, owner, key))) await audit(db, owner, 'oauth.ended', { key, reason })
}

function refusal(message: string, ended: string | null = null): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', message, ended)
}
