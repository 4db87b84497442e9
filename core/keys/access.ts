import type { Endpoint } from '../../connectors/registry.ts'
import type { Access } from '../../schemas/call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import type { Context } from '../context.ts'
import type { ApiKey } from './rows.ts'
import { named } from '../database/named.ts'
import type { Db } from '../database/pool.ts'

/** A call that a key would make. */
export interface KeyedCall {
  readonly keyId: string
  readonly owner: string
  readonly app: string
  readonly endpoint: string
  readonly access: Access
}

/**
 * Why the key may not call the endpoint: invalid, app not granted, or out of scope. Null = it may.
 */
export async function accessProblem(db: Db, call: KeyedCall): Promise<ErrorCode | null> {
  const { list, values } = byName(call)
  const text = `SELECT access_problem(${list}) AS problem`
  const { rows } = await db.query<{ problem: ErrorCode | null }>({ name: 'access-problem', text, values })
  return rows[0]?.problem ?? null
}

/** Why a waiting call may not be sent now: neither its key nor that key's valid successor may. */
export async function callProblem(db: Db, call: KeyedCall): Promise<ErrorCode | null> {
  const { list, values } = byName(call)
  const { rows } = await db.query<{ problem: ErrorCode | null }>(`SELECT call_problem(${list}) AS problem`, values)
  return rows[0]?.problem ?? null
}

const byName = ({ keyId, owner, app, endpoint, access }: KeyedCall) =>
  named({ p_key: keyId, p_owner: owner, p_app: app, p_endpoint: endpoint, p_access: access })

/** The same as SQL, for the call `c`. */
export const problemOfCall =
  'call_problem(p_key => c.key_id, p_owner => c.owner, p_app => c.app, p_endpoint => c.endpoint, p_access => c.access)'

/** The newest valid key that replaced this one, in the same lineage; undefined: none. */
export async function heirOf(db: Db, keyId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ heir: string | null }>('SELECT heir_of($1) AS heir', [keyId])
  return rows[0]?.heir ?? undefined
}

/** Throws api_key_invalid, access_not_granted or SCOPE_DENIED if the key may not call it. */
export async function checkAccess(ctx: Pick<Context, 'db' | 'config'>, key: ApiKey, endpoint: Endpoint): Promise<void> {
  const { app, name, access } = endpoint
  const call = { keyId: key.id, owner: key.owner, app, endpoint: name, access }
  const problem = await accessProblem(ctx.db, call)
  if (problem !== null) throw await refusalOf(ctx, problem, call)
}

/** What keeps a key from an endpoint of an app that it may use. */
export type Bar = 'key_reads_only' | 'key_endpoints' | 'owner'

/** The refusal, with the page where the owner can change it. */
export async function refusalOf(
  ctx: Pick<Context, 'db' | 'config'>,
  problem: ErrorCode,
  call: KeyedCall,
): Promise<CallgateError> {
  return noAccess(ctx, { ...call, problem, bar: problem === 'SCOPE_DENIED' ? await barOf(ctx.db, call) : null })
}

async function barOf(db: Db, { keyId, owner, app, endpoint, access }: KeyedCall): Promise<Bar | null> {
  const { rows } = await db.query<{ bar: Bar | null }>(
    'SELECT scope_refusal(k, $3, $4, $5) AS bar FROM api_keys k WHERE id = $1 AND owner = $2',
    [keyId, owner, app, endpoint, access],
  )
  return rows[0]?.bar ?? null
}

/** The same for a waiting call: for the key's valid successor, if there is one. */
export async function barOfCall(db: Db, call: KeyedCall): Promise<Bar | null> {
  return barOf(db, { ...call, keyId: (await heirOf(db, call.keyId)) ?? call.keyId })
}

interface Barred extends Pick<KeyedCall, 'keyId' | 'app' | 'endpoint'> {
  readonly problem: ErrorCode
  readonly bar: Bar | null
}

/** As `refusalOf`, with values read before. `bar` null: the bar was lifted since. */
export function noAccess(
  { config: { publicUrl } }: Pick<Context, 'config'>,
  { problem, bar, keyId, app, endpoint }: Barred,
): CallgateError {
  if (problem === 'access_not_granted') {
    const fields = {
      request_access_url: `${publicUrl}/access/${app}?key=${keyId}`,
      docs_url: `${publicUrl}/docs/${app}`,
    }
    return new CallgateError(problem, { fields })
  }
  if (problem !== 'SCOPE_DENIED') return new CallgateError(problem)
  const [why, widen_url] = {
    key_reads_only: [`This key may only read, and ${endpoint} of ${app} writes`, `${publicUrl}/keys#${keyId}`],
    key_endpoints: [
      `${endpoint} is not among the actions of ${app} that this key may call`,
      `${publicUrl}/keys/${keyId}/actions#${app}`,
    ],
    owner: [`The owner has not allowed ${endpoint} of ${app} to any key`, `${publicUrl}/apps/${app}#scope`],
  }[bar ?? 'owner']
  return new CallgateError(problem, {
    message: `${why}. The owner can allow it at ${widen_url}.`,
    fields: { widen_url },
  })
}
