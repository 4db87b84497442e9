import type { KeyEndpoints } from '../core/keys/endpoints.ts'
import type { Pool } from '../core/database/pool.ts'
import { transaction } from '../core/database/pool.ts'

export interface KeyAccess {
  readonly id: string
  readonly name: string
  /** Null: all apps. */
  readonly apps: readonly string[] | null
  readonly endpoints: KeyEndpoints | null
}

/** Who made a call: a key, or a program that its owner let in by signing in. */
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

/** A key of the owner's that is neither revoked nor expired. */
export async function findKey(db: Pool, owner: string, keyId: string): Promise<KeyAccess | undefined> {
  const { rows } = await db.query<KeyAccess>(
    `SELECT id, name, apps, endpoints FROM api_keys
     WHERE id = $1 AND owner = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [keyId, owner],
  )
  return rows[0]
}

/** Lets a key use one more app; again has no effect. */
export async function grantApp(db: Pool, owner: string, keyId: string, app: string): Promise<void> {
  await transaction(db, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE api_keys SET apps = array_append(apps, $3)
       WHERE id = $1 AND owner = $2 AND revoked_at IS NULL AND apps IS NOT NULL AND NOT $3 = ANY (apps)`,
      [keyId, owner, app],
    )
    if (rowCount === 0) return
    await client.query('INSERT INTO audit_log (actor, action, detail) VALUES ($1, $2, $3)', [
      owner,
      'key.app_granted',
      { key: keyId, app },
    ])
  })
}

/** An approved call that waits for the person to sign in. */
export interface WaitingForSignIn {
  readonly id: string
  readonly endpoint: string
}

/** The owner's approved calls that wait for an account of the app to be connected again, the oldest first. */
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
