import type { Context } from './context.ts'
import { audit } from './db/audit.ts'
import { createKey } from './db/keys.ts'
import type { Db } from './db/pool.ts'
import { transaction } from './db/pool.ts'

/** An API key as its owner sees it: never the key itself. */
export interface KeyView {
  readonly id: string
  readonly name: string
  /** Its first characters, to tell it from others. */
  readonly hint: string
  /** Null: all apps. */
  readonly apps: readonly string[] | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
  readonly created_at: Date
  /** Neither revoked nor expired. */
  readonly valid: boolean
}

/** All of the owner's keys: valid ones first, then the newest. */
export async function listKeys(db: Db, owner: string): Promise<readonly KeyView[]> {
  const { rows } = await db.query<KeyView>(
    `SELECT id, name, hint, apps, expires_at, revoked_at, last_used_at, created_at, valid FROM api_keys
     CROSS JOIN LATERAL (SELECT revoked_at IS NULL AND coalesce(expires_at > clock_timestamp(), true) AS valid) v
     WHERE owner = $1 ORDER BY valid DESC, created_at DESC, id DESC`,
    [owner],
  )
  return rows
}

/** A key that was just made: the only moment in which it can be read. */
export interface NewKey {
  readonly id: string
  readonly name: string
  readonly key: string
}

export function makeKey(
  ctx: Pick<Context, 'db' | 'secrets'>,
  wanted: {
    readonly owner: string
    readonly name: string
    readonly apps: readonly string[] | null
    /** Null: it does not expire. */
    readonly days: number | null
  },
): Promise<NewKey> {
  const { owner, name, apps, days } = wanted
  return transaction(ctx.db, async (db) => {
    const expiresAt = days === null ? undefined : new Date(Date.now() + days * 86_400_000)
    const made = await createKey({ db, secrets: ctx.secrets }, { owner, name, apps, ...(expiresAt && { expiresAt }) })
    await audit(db, owner, 'key.created', { key: made.id, name, apps, days })
    return { ...made, name }
  })
}

/** A new key of the same name and apps; the old one stays valid for so many hours, so that programs can be changed over. */
export function rotateKey(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  keyId: string,
  overlapHours: number,
): Promise<NewKey | undefined> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ name: string; apps: string[] | null; expires_at: Date | null }>(
      `UPDATE api_keys k SET expires_at = least(k.expires_at, clock_timestamp() + make_interval(hours => $3))
       FROM api_keys old WHERE old.id = k.id AND k.id = $1 AND k.owner = $2 AND k.revoked_at IS NULL
         AND coalesce(k.expires_at > clock_timestamp(), true)
       RETURNING k.name, k.apps, old.expires_at`,
      [keyId, owner, overlapHours],
    )
    const old = rows[0]
    if (old === undefined) return undefined
    const { name, apps, expires_at: expiresAt } = old
    const made = await createKey({ db, secrets: ctx.secrets }, { owner, name, apps, ...(expiresAt && { expiresAt }) })
    await audit(db, owner, 'key.rotated', { key: keyId, new_key: made.id, overlap_hours: overlapHours })
    return { ...made, name }
  })
}

/** Ticks the apps that a key may use; null = all. False: the owner has no such valid key. */
export async function setKeyApps(
  ctx: Pick<Context, 'db'>,
  owner: string,
  keyId: string,
  apps: readonly string[] | null,
): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      'UPDATE api_keys SET apps = $3 WHERE id = $1 AND owner = $2 AND revoked_at IS NULL',
      [keyId, owner, apps],
    )
    if (rowCount === 1) await audit(db, owner, 'key.apps', { key: keyId, apps })
    return rowCount === 1
  })
}
