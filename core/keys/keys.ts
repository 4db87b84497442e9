import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { inWords } from './endpoints.ts'
import type { KeyEndpoints } from './endpoints.ts'
import { createKey } from './rows.ts'
import type { Turn } from './rows.ts'
import type { Db } from '../database/pool.ts'
import { transaction } from '../database/pool.ts'

/** Maximum of valid keys per owner, including replaced ones that have not expired. */
export const mostKeys = 50

/** An API key as its owner sees it: never the key itself. */
export interface KeyView {
  readonly id: string
  /** The lineage that it shares with the keys that it replaced and that replaced it. */
  readonly line: string
  readonly name: string
  /** Its first characters, to recognize it by. */
  readonly hint: string
  /** Null: all apps. */
  readonly apps: readonly string[] | null
  /** Call visibility: all calls of its owner in its apps, not only its own. */
  readonly sees_all: boolean
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
  readonly created_at: Date
  /** Neither revoked nor expired. */
  readonly valid: boolean
  /** The first characters of the key that replaced it; null: none did. */
  readonly successor: string | null
  /** It may call read endpoints only. */
  readonly read_only: boolean
  /** By app, the endpoints that it may call; null: no such limit. */
  readonly endpoints: KeyEndpoints | null
  /** For an OAuth grant, the path below which the client uses it; null: it is an API key. */
  readonly granted_for: string | null
}

/** All of the owner's keys: valid ones first, then the newest. */
export async function listKeys(db: Db, owner: string): Promise<readonly KeyView[]> {
  const { rows } = await db.query<KeyView>(
    `SELECT k.id, k.line, k.name, k.hint, k.apps, k.sees_all, k.expires_at, k.revoked_at, k.last_used_at, k.created_at, valid,
       next.hint AS successor, k.read_only, k.endpoints, g.resource AS granted_for
     FROM api_keys k LEFT JOIN api_keys next ON next.line = k.line AND next.turn = k.turn + 1
     LEFT JOIN oauth_grants g ON g.key = k.id
     CROSS JOIN LATERAL (SELECT is_valid_key(k) AS valid) v
     WHERE k.owner = $1 ORDER BY valid DESC, k.created_at DESC, k.id DESC`,
    [owner],
  )
  return rows
}

/** A key that was just created: the only time that it can be read. */
export interface NewKey {
  readonly id: string
  readonly name: string
  readonly key: string
}

/** 'full': the owner has the maximum of valid keys; nothing was changed. */
export function makeKey(
  ctx: Pick<Context, 'db' | 'secrets'>,
  wanted: {
    readonly owner: string
    readonly name: string
    readonly apps: readonly string[] | null
    readonly seesAll: boolean
    readonly readOnly?: boolean
    readonly endpoints?: KeyEndpoints | null
    /** Null: it does not expire. */
    readonly days: number | null
  },
): Promise<NewKey | 'full'> {
  const { owner, name, apps, seesAll, readOnly = false, endpoints = null, days } = wanted
  return transaction(ctx.db, async (db) => {
    await lockKeys(db, owner)
    if ((await validKeys(db, owner)) >= mostKeys) return 'full'
    const expiresAt = days === null ? undefined : new Date(Date.now() + days * 86_400_000)
    const parts = { db, secrets: ctx.secrets }
    const rights = { apps, seesAll, readOnly, endpoints }
    const made = await createKey(parts, { owner, name, ...rights, ...(expiresAt && { expiresAt }) })
    const said = { apps, sees_all: seesAll, read_only: readOnly, endpoints: inWords(endpoints), days }
    await audit(db, owner, 'key.created', { key: made.id, name, ...said })
    return { ...made, name }
  })
}

/**
 * Creates a key with the same name, apps, rights and call visibility, which replaces the old one in
 * its lineage. The old key stays valid for `overlapHours`, so that agents can switch. Undefined:
 * the owner has no such valid key. 'replaced': it was replaced before; a key is replaced once.
 * 'full': there would be too many valid keys. In these cases nothing was changed.
 */
export async function rotateKey(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  keyId: string,
  overlapHours: number,
): Promise<NewKey | 'replaced' | 'full' | undefined> {
  return transaction(ctx.db, async (db) => {
    await lockKeys(db, owner)
    const old = await readReplaceable(db, owner, keyId)
    if (old === undefined) return undefined
    if (old.replaced) return 'replaced'
    const ends = overlapHours === 0 ? 1 : 0
    if ((await validKeys(db, owner)) - ends >= mostKeys) return 'full'
    await db.query(
      'UPDATE api_keys SET expires_at = least(expires_at, clock_timestamp() + make_interval(hours => $2)) WHERE id = $1',
      [keyId, overlapHours],
    )
    const { name, apps, sees_all: seesAll, read_only: readOnly, endpoints, expires_at: expiresAt, line, turn } = old
    const place = { line, turn: turn + 1 }
    const parts = { db, secrets: ctx.secrets }
    const made = await createKey(parts, {
      owner,
      name,
      apps,
      seesAll,
      readOnly,
      endpoints,
      place,
      ...(expiresAt && { expiresAt }),
    })
    await audit(db, owner, 'key.rotated', { key: keyId, new_key: made.id, overlap_hours: overlapHours })
    return { ...made, name }
  })
}

interface Replaceable extends Turn {
  readonly name: string
  readonly apps: readonly string[] | null
  readonly sees_all: boolean
  readonly read_only: boolean
  readonly endpoints: KeyEndpoints | null
  readonly expires_at: Date | null
  readonly replaced: boolean
}

async function readReplaceable(db: Db, owner: string, keyId: string): Promise<Replaceable | undefined> {
  const { rows } = await db.query<Replaceable>(
    `SELECT name, apps, sees_all, read_only, endpoints, expires_at, line, turn,
       EXISTS (SELECT FROM api_keys next WHERE next.line = k.line AND next.turn = k.turn + 1) AS replaced
     FROM api_keys k WHERE id = $1 AND owner = $2 AND hash IS NOT NULL AND is_valid_key(k)
     FOR NO KEY UPDATE`,
    [keyId, owner],
  )
  return rows[0]
}

/** Serializes key creation per owner: the maximum and the successor are checked one at a time. */
export async function lockKeys(db: Db, owner: string): Promise<void> {
  await db.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [owner])
}

/** What an owner's valid key may use. */
export interface KeyAccess {
  readonly id: string
  readonly name: string
  /** Null: all apps. */
  readonly apps: readonly string[] | null
  readonly endpoints: KeyEndpoints | null
}

export async function findKeyAccess(db: Db, owner: string, keyId: string): Promise<KeyAccess | undefined> {
  const { rows } = await db.query<KeyAccess>(
    'SELECT id, name, apps, endpoints FROM api_keys k WHERE id = $1 AND owner = $2 AND is_valid_key(k)',
    [keyId, owner],
  )
  return rows[0]
}

/** How many keys and grants of the owner are valid now. */
export async function validKeys(db: Db, owner: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM api_keys k WHERE owner = $1 AND is_valid_key(k)',
    [owner],
  )
  return rows[0]?.count ?? 0
}
