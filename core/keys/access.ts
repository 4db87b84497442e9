import type { Endpoint } from '../../connectors/registry.ts'
import type { Access } from '../../schemas/call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import type { Context } from '../context.ts'
import type { ApiKey } from './rows.ts'
import { named } from '../database/named.ts'
import type { Db } from '../database/pool.ts'

/** What a key would call. */
export interface KeyedCall {
  readonly keyId: string
  readonly owner: string
  readonly app: string
  readonly endpoint: string
  readonly access: Access
}

/** Why the key may not call the endpoint now: revoked or expired, no access to the app, outside the owner's scope. Null = it may. */
export async function accessProblem(db: Db, call: KeyedCall): Promise<ErrorCode | null> {
  const { list, values } = byName(call)
  const text = `SELECT access_problem(${list}) AS problem`
  const { rows } = await db.query<{ problem: ErrorCode | null }>({ name: 'access-problem', text, values })
  return rows[0]?.problem ?? null
}

/** Why a call of this key may not be sent now: what its own key may not do any more, the youngest valid one that replaced it may. */
export async function callProblem(db: Db, call: KeyedCall): Promise<ErrorCode | null> {
  const { list, values } = byName(call)
  const { rows } = await db.query<{ problem: ErrorCode | null }>(`SELECT call_problem(${list}) AS problem`, values)
  return rows[0]?.problem ?? null
}

const byName = ({ keyId, owner, app, endpoint, access }: KeyedCall) =>
  named({ p_key: keyId, p_owner: owner, p_app: app, p_endpoint: endpoint, p_access: access })

/** The same within a statement, of the call `c`. */
export const problemOfCall =
  'call_problem(p_key => c.key_id, p_owner => c.owner, p_app => c.app, p_endpoint => c.endpoint, p_access => c.access)'

/** The youngest valid key that came after this one in its line; undefined: there is none. */
export async function heirOf(db: Db, keyId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ heir: string | null }>('SELECT heir_of($1) AS heir', [keyId])
  return rows[0]?.heir ?? undefined
}

/** Throws api_key_invalid, access_not_granted or SCOPE_DENIED unless the key may call the endpoint. */
export async function checkAccess(ctx: Pick<Context, 'db' | 'config'>, key: ApiKey, endpoint: Endpoint): Promise<void> {
  const { app, name, access } = endpoint
  const problem = await accessProblem(ctx.db, { keyId: key.id, owner: key.owner, app, endpoint: name, access })
  if (problem !== null) throw noAccess(ctx, problem, key.id, app)
}

/** The refusal, with where the owner can change it. */
export function noAccess(ctx: Pick<Context, 'config'>, problem: ErrorCode, keyId: string, app: string): CallgateError {
  const { publicUrl } = ctx.config
  return new CallgateError(problem, {
    ...(problem === 'SCOPE_DENIED' && {
      message: `The owner has not allowed this action. They can allow it at ${publicUrl}/apps/${app}, or where this key may only read, at ${publicUrl}/keys.`,
    }),
    fields:
      problem === 'access_not_granted'
        ? { request_access_url: `${publicUrl}/access/${app}?key=${keyId}`, docs_url: `${publicUrl}/docs/${app}` }
        : {},
  })
}
