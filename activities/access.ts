import type { Endpoint } from '../connectors/registry.ts'
import type { Access } from '../schemas/call.ts'
import { CallgateError } from '../schemas/errors.ts'
import type { ErrorCode } from '../schemas/errors.ts'
import type { Context } from './context.ts'
import type { ApiKey } from './db/keys.ts'
import type { Db } from './db/pool.ts'

/** Why the key may not call the endpoint now: revoked or expired, no access to the app, outside the owner's scope. Null = it may. */
export async function accessProblem(
  db: Db,
  call: {
    readonly keyId: string
    readonly owner: string
    readonly app: string
    readonly endpoint: string
    readonly access: Access
  },
): Promise<ErrorCode | null> {
  const { rows } = await db.query<{ problem: ErrorCode | null }>(
    `SELECT CASE
       WHEN k.revoked_at IS NOT NULL OR k.expires_at <= clock_timestamp() THEN 'api_key_invalid'
       WHEN NOT $3 = ANY (k.apps) THEN 'access_not_granted'
       WHEN s.mode = 'read' AND $5 <> 'read' OR s.mode = 'chosen' AND NOT $4 = ANY (s.endpoints) THEN 'SCOPE_DENIED'
     END AS problem
     FROM api_keys k LEFT JOIN scopes s ON s.owner = k.owner AND s.app = $3
     WHERE k.id = $1 AND k.owner = $2`,
    [call.keyId, call.owner, call.app, call.endpoint, call.access],
  )
  return rows[0] === undefined ? 'api_key_invalid' : rows[0].problem
}

/** Throws api_key_invalid, access_not_granted or SCOPE_DENIED unless the key may call the endpoint. */
export async function checkAccess(ctx: Pick<Context, 'db' | 'config'>, key: ApiKey, endpoint: Endpoint): Promise<void> {
  const { app, name, access } = endpoint
  const problem = await accessProblem(ctx.db, { keyId: key.id, owner: key.owner, app, endpoint: name, access })
  if (problem === null) return
  const { publicUrl } = ctx.config
  throw new CallgateError(problem, {
    fields:
      problem === 'access_not_granted'
        ? { request_access_url: `${publicUrl}/access/${app}?key=${key.id}`, docs_url: `${publicUrl}/docs/${app}` }
        : {},
  })
}
