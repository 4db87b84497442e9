import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { inWords } from '../keys/endpoints.ts'
import type { KeyEndpoints } from '../keys/endpoints.ts'
import { lockKeys, mostKeys, validKeys } from '../keys/keys.ts'
import { endKey } from '../keys/rows.ts'
import { equalTexts } from '../secrets/crypto.ts'
import { keepClient } from './clients.ts'
import { isRedirectOf, placeOf } from './metadata.ts'
import { OAuthRefusal } from './refusal.ts'
import { secretHash } from './secrets.ts'
import { issueTokens } from './tokens.ts'
import type { Tokens } from './tokens.ts'

interface Code {
  readonly client: string
  readonly client_name: string
  readonly redirect_uri: string
  readonly challenge: string
  readonly resource: string
  readonly owner: string
  readonly apps: readonly string[] | null
  readonly read_only: boolean
  readonly endpoints: KeyEndpoints | null
  readonly over: boolean
  readonly used: boolean
  readonly key: string | null
}

/**
 * Makes a grant of what a person allowed, and its first tokens, in one transaction. A code that was used before ends the grant that was made
 * of it: somebody else has it, too. Throws invalid_grant or invalid_target.
 */
export async function exchangeCode(
  ctx: Pick<Context, 'db' | 'secrets'>,
  sent: {
    readonly clientId: string
    readonly code: string
    readonly verifier: string
    /** Undefined: not said. */
    readonly redirectUri: string | undefined
    readonly resource: string | undefined
  },
): Promise<Tokens> {
  const hash = secretHash(ctx, 'code', sent.code)
  const made = await transaction(ctx.db, async (db) => {
    const code = await lockCode(db, hash)
    if (code === undefined || code.client !== sent.clientId) return refusal('There is no such code of this client.')
    if (code.used) {
      await endGrant(db, code.owner, code.key, 'its code was sent twice')
      return refusal('This code was used before. What was granted with it has ended.', code.key)
    }
    const wrong = problemOf(code, sent)
    if (wrong !== undefined) return wrong
    const { owner } = code
    await lockKeys(db, owner)
    if ((await validKeys(db, owner)) >= mostKeys) return refusal('This person has as many keys as there may be.')
    const key = await makeGrant(db, code)
    await db.query('UPDATE oauth_codes SET used_at = clock_timestamp(), key = $2 WHERE hash = $1', [hash, key])
    await keepClient(db, code.client)
    return issueTokens(ctx, db, { key, readOnly: code.read_only }, null)
  })
  // What a refusal has ended must stand: it is thrown after the transaction only.
  if (made instanceof OAuthRefusal) throw made
  return made
}

async function lockCode(db: Db, hash: Buffer): Promise<Code | undefined> {
  const { rows } = await db.query<Code>(
    `SELECT client, client_name, redirect_uri, challenge, resource, owner, apps, read_only, endpoints, key,
       expires_at <= clock_timestamp() AS over, used_at IS NOT NULL AS used
     FROM oauth_codes WHERE hash = $1 FOR UPDATE`,
    [hash],
  )
  return rows[0]
}

function problemOf(
  code: Code,
  sent: { readonly verifier: string; readonly redirectUri: string | undefined; readonly resource: string | undefined },
): OAuthRefusal | undefined {
  if (code.over) return refusal('This code is too old.')
  if (sent.redirectUri !== undefined && !isRedirectOf([code.redirect_uri], sent.redirectUri))
    return refusal('redirect_uri is not the one that the code was sent to.')
  if (sent.resource !== undefined && sent.resource !== code.resource)
    return new OAuthRefusal('invalid_target', `This code is for ${code.resource}.`)
  const challenge = createHash('sha256').update(sent.verifier).digest('base64url')
  return equalTexts(challenge, code.challenge) ? undefined : refusal('code_verifier is not that of the code.')
}

async function makeGrant(db: Db, code: Code): Promise<string> {
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
  const rights = { apps, read_only: readOnly, endpoints: inWords(endpoints) }
  await audit(db, owner, 'oauth.granted', { key, client: name, to, resource, ...rights })
  return key
}

/** Within a transaction: ends a grant that somebody else may have got at. */
export async function endGrant(db: Db, owner: string, key: string | null, reason: string): Promise<void> {
  if (key !== null && (await endKey(db, owner, key))) await audit(db, owner, 'oauth.ended', { key, reason })
}

function refusal(message: string, ended: string | null = null): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', message, ended)
}
