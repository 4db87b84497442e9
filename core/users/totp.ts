import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { unwrapDataKey, wrapDataKey } from '../secrets/crypto.ts'
import { dropUseless, newRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'

type Ctx = Pick<Context, 'db' | 'secrets'>

/** Minutes in which setup must be confirmed with a first code. */
export const totpMinutes = 15
/** Codes of this many steps before and after now are accepted: clocks differ. */
const window = 1
/** Authenticator apps take 20 bytes, the hash's length (RFC 4226, 4); 32 are wrapped. */
const keyLength = 20

interface Row {
  readonly id: string
  readonly secret: Buffer
}

/** The key for the authenticator app, as its QR code has it (`uri`) and for typing (`key`). */
export interface TotpKey {
  readonly uri: string
  readonly key: string
}

/** Since when sign-in requires a code; undefined: it does not. */
export async function totpSince(db: Db, owner: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ confirmed_at: Date }>(
    'SELECT confirmed_at FROM totp WHERE owner = $1 AND confirmed_at IS NOT NULL',
    [owner],
  )
  return rows[0]?.confirmed_at
}

/** Starts setup again with a new key. False: two-factor authentication is on already. */
export async function beginTotp(ctx: Ctx, owner: string): Promise<boolean> {
  const id = `totp_${ulid()}`
  const { rowCount } = await ctx.db.query(
    `INSERT INTO totp (id, owner, secret) VALUES ($1, $2, $3)
     ON CONFLICT (owner) DO UPDATE SET id = excluded.id, secret = excluded.secret, begun_at = excluded.begun_at
       WHERE totp.confirmed_at IS NULL`,
    [id, owner, wrapDataKey(ctx.secrets, id, randomBytes(32))],
  )
  return rowCount === 1
}

/** The key of a setup that is not confirmed and not expired; undefined: there is none. */
export async function begunTotp(
  ctx: Ctx,
  person: { readonly owner: string; readonly email: string },
): Promise<TotpKey | undefined> {
  const row = await begun(ctx.db, person.owner)
  if (row === undefined) return undefined
  const totp = totpOf(ctx, row, person.email)
  return { uri: totp.toString(), key: totp.secret.base32 }
}

/** Turns codes on. Returns the recovery codes, readable only here; undefined: the code is wrong. */
export async function confirmTotp(ctx: Ctx, owner: string, code: string): Promise<readonly string[] | undefined> {
  return transaction(ctx.db, async (db) => {
    const row = await begun(db, owner, 'FOR UPDATE')
    const step = row && stepOf(ctx, row, code)
    if (step === undefined) return undefined
    await db.query('UPDATE totp SET confirmed_at = clock_timestamp(), last_step = $2 WHERE owner = $1', [owner, step])
    await audit(db, owner, 'totp.added', {})
    return newRecoveryCodes(db, owner)
  })
}

/** Consumes a TOTP code or a recovery code. False: wrong or used. */
export async function takeCode(ctx: Ctx, owner: string, typed: string): Promise<boolean> {
  const code = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return takeRecoveryCode(ctx, owner, code)
  const { rows } = await ctx.db.query<Row>(
    'SELECT id, secret FROM totp WHERE owner = $1 AND confirmed_at IS NOT NULL',
    [owner],
  )
  const step = rows[0] && stepOf(ctx, rows[0], code)
  if (step === undefined) return false
  const { rowCount } = await ctx.db.query('UPDATE totp SET last_step = $2 WHERE id = $1 AND last_step < $2', [
    rows[0]?.id,
    step,
  ])
  return rowCount === 1
}

/** Turns codes off. `by`: the actor for the audit log. False: they were not on. */
export async function removeTotp(ctx: Pick<Ctx, 'db'>, owner: string, by = owner): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ confirmed_at: Date | null }>(
      'DELETE FROM totp WHERE owner = $1 RETURNING confirmed_at',
      [owner],
    )
    if (rows[0]?.confirmed_at == null) return false
    await dropUseless(db, owner)
    await audit(db, by, 'totp.removed', by === owner ? {} : { owner })
    return true
  })
}

/** Deletes setups that were never confirmed. */
export async function pruneTotp(db: Db): Promise<void> {
  await db.query('DELETE FROM totp WHERE confirmed_at IS NULL AND begun_at < now() - make_interval(mins => $1)', [
    totpMinutes,
  ])
}

async function begun(db: Db, owner: string, lock: '' | 'FOR UPDATE' = ''): Promise<Row | undefined> {
  const { rows } = await db.query<Row>(
    `SELECT id, secret FROM totp
     WHERE owner = $1 AND confirmed_at IS NULL AND begun_at > clock_timestamp() - make_interval(mins => $2) ${lock}`,
    [owner, totpMinutes],
  )
  return rows[0]
}

/** The 30-second step that the code belongs to; undefined: none within the window. */
function stepOf(ctx: Pick<Ctx, 'secrets'>, row: Row, code: string): number | undefined {
  const totp = totpOf(ctx, row)
  const timestamp = Date.now()
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp, window })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

function totpOf({ secrets }: Pick<Ctx, 'secrets'>, { id, secret }: Row, label = ''): TOTP {
  const bytes = unwrapDataKey(secrets, id, secret).subarray(0, keyLength)
  return new TOTP({ issuer: 'Callgate', label, secret: new Secret({ buffer: new Uint8Array(bytes).buffer }) })
}
