import { createHash } from 'node:crypto'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { equalTexts, newToken } from '../secrets/crypto.ts'

/** Prefix of all operators' own tokens. */
const prefix = 'cgo_'

/** An operator with a credential of their own. */
export interface OperatorCredential {
  readonly name: string
  readonly created_at: Date
  readonly created_by: string
  /** Last use, to a minute. */
  readonly used_at: Date | null
}

/** `name`: null for the shared token. 'spent': the shared one, once any operator has their own. */
export type TokenOwner = { readonly name: string | null } | 'spent'

type Parts = Pick<Context, 'db' | 'secrets'>

/** Shared until an operator has their own token. All who can read the key file have it. */
export function operatorToken(secrets: Context['secrets']): string {
  return secrets.operator.toString('base64url')
}

/** Whether the text can be an operator's name in the audit log. */
export function isOperatorName(text: string): boolean {
  return /^[\w.@-]{1,60}$/.test(text)
}

/** Undefined: unknown token. */
export async function ownerOfToken(ctx: Parts, token: string): Promise<TokenOwner | undefined> {
  if (equalTexts(token, operatorToken(ctx.secrets))) return (await anyCredential(ctx)) ? 'spent' : { name: null }
  if (!token.startsWith(prefix)) return undefined
  const { rows } = await ctx.db.query<{ name: string; stale: boolean }>(
    `SELECT name, used_at IS NULL OR used_at < now() - interval '1 minute' AS stale FROM operators WHERE token_hash = $1`,
    [hashOf(token)],
  )
  const [found] = rows
  if (found?.stale === true) await ctx.db.query('UPDATE operators SET used_at = now() WHERE name = $1', [found.name])
  return found && { name: found.name }
}

/** Creates a token, stored as a hash only. Undefined: the name is taken. */
export async function addOperator(ctx: Pick<Context, 'db'>, name: string, actor: string): Promise<string | undefined> {
  const token = `${prefix}${newToken()}`
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      'INSERT INTO operators (name, token_hash, created_by) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [name, hashOf(token), actor],
    )
    if (rowCount !== 1) return undefined
    await audit(db, actor, 'operator.added', { name })
    return token
  })
}

/** Revokes the token and ends its sessions. False: no such name. */
export async function revokeOperator(ctx: Pick<Context, 'db'>, name: string, actor: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query('DELETE FROM operators WHERE name = $1', [name])
    if (rowCount === 1) await audit(db, actor, 'operator.revoked', { name })
    return rowCount === 1
  })
}

export async function listOperators(ctx: Pick<Context, 'db'>): Promise<readonly OperatorCredential[]> {
  const { rows } = await ctx.db.query<OperatorCredential>(
    'SELECT name, created_at, created_by, used_at FROM operators ORDER BY name',
  )
  return rows
}

async function anyCredential(ctx: Parts): Promise<boolean> {
  const { rows } = await ctx.db.query<{ any: boolean }>('SELECT EXISTS (SELECT FROM operators) AS any')
  return rows[0]?.any === true
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
