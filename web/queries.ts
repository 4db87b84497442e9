import type { Pool } from '../core/database/pool.ts'

/** The principal of a call: an API key, or an OAuth grant of its owner. */
export interface Asking {
  readonly name: string
  readonly isGrant: boolean
}

export async function whoAsks(db: Pool, call: { readonly key_id: string; readonly owner: string }): Promise<Asking> {
  const { rows } = await db.query<Asking>(
    `SELECT name, EXISTS (SELECT FROM oauth_grants g WHERE g.key = k.id) AS "isGrant"
     FROM api_keys k WHERE id = $1 AND owner = $2`,
    [call.key_id, call.owner],
  )
  return rows[0] ?? { name: call.key_id, isGrant: false }
}

/** An approved call that waits for a reconnect. */
export interface WaitingForSignIn {
  readonly id: string
  readonly endpoint: string
}

/** The owner's approved calls that wait for a reconnect of an account of the app, oldest first. */
export async function waitingForReconnect(
  db: Pool,
  owner: string,
  app: string,
  account: string | undefined,
): Promise<readonly WaitingForSignIn[]> {
  const { rows } = await db.query<WaitingForSignIn>(
    `SELECT id, endpoint FROM calls WHERE owner = $1 AND app = $2 AND status = 'running'
       AND waiting_for = 'reconnect' AND ($3::text IS NULL OR account = $3) ORDER BY id LIMIT 50`,
    [owner, app, account ?? null],
  )
  return rows
}

/** What an operator has paused of an app: all of it, or some endpoints. */
export interface Paused {
  readonly app: boolean
  readonly endpoints: readonly string[]
}

export async function pausedOf(db: Pool, app: string): Promise<Paused> {
  const { rows } = await db.query<Paused>(
    `SELECT EXISTS (SELECT FROM app_controls WHERE app = $1 AND paused) AS app,
       ARRAY (SELECT endpoint FROM endpoint_controls WHERE app = $1 AND paused ORDER BY endpoint) AS endpoints`,
    [app],
  )
  return rows[0] ?? { app: false, endpoints: [] }
}
