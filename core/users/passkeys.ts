import { isIP } from 'node:net'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import type { Db } from '../database/pool.ts'
import { transaction } from '../database/pool.ts'
import { challengeOf, keepChallenge, takeChallenge, unlessRefused } from './passkey-challenges.ts'
import type { Purpose } from './passkey-challenges.ts'
import { webauthn, webauthnHelpers } from './webauthn.ts'

type Ctx = Pick<Context, 'db' | 'secrets' | 'log'>

/** COSE ids that authenticators support: Ed25519, ES256 and RS256. */
const algorithms = [-8, -7, -257]

/** Maximum of passkeys per user. */
export const mostPasskeys = 20

/** The relying party: browsers use its passkeys nowhere else. */
export interface Party {
  /** The host of the public address. */
  readonly id: string
  readonly origin: string
}

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** Undefined where browsers refuse passkeys: at IP addresses, and at http except on localhost. */
export function partyOf(publicUrl: string): Party | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const secure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  const numeric = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return secure && !numeric ? { id: hostname, origin } : undefined
}

export async function listPasskeys(db: Db, owner: string): Promise<readonly Passkey[]> {
  const { rows } = await db.query<Passkey>(
    'SELECT id, name, created_at, last_used_at FROM passkeys WHERE owner = $1 ORDER BY id',
    [owner],
  )
  return rows
}

/** Options to make a passkey. Only for a user who has just proved their identity. */
export async function beginAdding(
  ctx: Ctx,
  party: Party,
  person: { readonly owner: string; readonly email: string },
  formToken: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return beginMaking(ctx, party, person, 'add', formToken)
}

export async function beginMaking(
  ctx: Ctx,
  party: Party,
  person: { readonly owner: string; readonly email: string },
  purpose: Extract<Purpose, 'add' | 'recover'>,
  formToken: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { rows } = await ctx.db.query<{ id: string; transports: string[] }>(
    'SELECT credential AS id, transports FROM passkeys WHERE owner = $1',
    [person.owner],
  )
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Callgate',
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(person.owner)),
    userName: person.email,
    userDisplayName: person.email,
    timeout: 300_000,
    excludeCredentials: rows,
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(ctx, options.challenge, purpose, formToken)
  return options
}

/** Adds the passkey that the browser made. False: the response is not valid. */
export async function addPasskey(
  ctx: Ctx,
  party: Party,
  made: {
    readonly owner: string
    readonly name: string
    readonly response: RegistrationResponseJSON
    readonly formToken: string
  },
): Promise<boolean> {
  const { owner, name, response, formToken } = made
  const challenge = await challengeOf(ctx, response)
  if (challenge === undefined || !(await takeChallenge(ctx, challenge, 'add', formToken))) return false
  const credential = await verifyMade(ctx, party, response, challenge)
  if (credential === undefined) return false
  return transaction(ctx.db, (db) => insertPasskey(db, { owner, name, credential, evenIfFull: false }))
}

/** Verifies a passkey made for a challenge that is consumed; undefined: invalid response. */
export function verifyMade(
  ctx: Pick<Context, 'log'>,
  party: Party,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<WebAuthnCredential | undefined> {
  return unlessRefused(ctx, async () => {
    if (!(await isPlain(response))) return undefined
    const { verifyRegistrationResponse } = await webauthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      supportedAlgorithmIDs: algorithms,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
    })
    return registrationInfo?.credential
  })
}

/** In a transaction. False: the passkey exists already, or the owner has the maximum. */
export async function insertPasskey(
  db: Db,
  made: {
    readonly owner: string
    readonly name: string
    readonly credential: WebAuthnCredential
    readonly evenIfFull: boolean
  },
): Promise<boolean> {
  const { owner, name, credential, evenIfFull } = made
  const id = `pk_${ulid()}`
  const { rowCount } = await db.query(
    `INSERT INTO passkeys (id, owner, name, credential, public_key, counter, transports)
     SELECT $1, $2, $3, $4, $5, $6, $7 WHERE $9 OR (SELECT count(*) FROM passkeys WHERE owner = $2) < $8
     ON CONFLICT (credential) DO NOTHING`,
    [
      id,
      owner,
      name,
      credential.id,
      Buffer.from(credential.publicKey),
      credential.counter,
      credential.transports ?? [],
      mostPasskeys,
      evenIfFull,
    ],
  )
  if (rowCount === 1) await audit(db, owner, 'passkey.added', { passkey: id, name })
  return rowCount === 1
}

/** 'none': the owner has no such passkey. 'last': it is the only way to sign in. */
export async function removePasskey(
  ctx: Pick<Context, 'db'>,
  owner: string,
  id: string,
): Promise<'removed' | 'none' | 'last'> {
  return transaction(ctx.db, async (db) => {
    // Locks the user: of two concurrent removals, the second sees that its passkey is the last.
    const { rowCount: isOnly } = await db.query(
      `SELECT FROM (SELECT passwords_allowed FROM users WHERE id = $1 FOR NO KEY UPDATE) u WHERE NOT passwords_allowed`,
      [owner],
    )
    const { rows: others } = await db.query('SELECT FROM passkeys WHERE owner = $1 AND id <> $2', [owner, id])
    const { rows: own } = await db.query('SELECT FROM passkeys WHERE owner = $1 AND id = $2', [owner, id])
    if (own.length === 0) return 'none'
    if (isOnly === 1 && others.length === 0) return 'last'
    const { rows } = await db.query<{ name: string }>(
      'DELETE FROM passkeys WHERE id = $1 AND owner = $2 RETURNING name',
      [id, owner],
    )
    const [removed] = rows
    if (removed === undefined) return 'none'
    await audit(db, owner, 'passkey.removed', { passkey: id, name: removed.name })
    return 'removed'
  })
}

/** No certificates: attestation is not requested, and checking it would query other hosts. */
async function isPlain({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await webauthnHelpers()
  const made = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = made.get('fmt')
  return format === 'none' || (format === 'packed' && made.get('attStmt').get('x5c') === undefined)
}
