import type { Context } from '../context.ts'
import { keyedHash, keyedHashes, newToken } from '../secrets/crypto.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'

/** Maximum lifetime of a session, in days. */
export const webSessionDays = 30
/** Lifetime of an unused session, in days. */
const idleDays = 7
/** Maximum of sessions per user: the least recently used one is dropped. */
const mostOfOne = 30

/** What a session records of the browser at sign-in. */
export interface FirstSeen {
  /** As `networkOf` has it. */
  readonly network: string
  readonly browser: string | undefined
}

/** A session, as its owner sees it. */
export interface OwnSession {
  readonly id: string
  readonly created_at: Date
  readonly seen_at: Date
  /** Null: the session began before this was recorded. */
  readonly network: string | null
  readonly browser: string | null
}

/** A browser in which a user is signed in. */
export interface WebSession {
  readonly owner: string
  readonly email: string
  /** Calls that wait for this user's decision. */
  readonly waiting: number
  /** Signed in, or proved their identity again, within the last ten minutes. */
  readonly recent: boolean
  /** Keyed hash of the cookie. */
  readonly hash: Buffer
  readonly id: string
}

/**
 * Begins a session; returns its cookie, stored as keyed hash only. `verified`: the password hash
 * that was verified; returns undefined if it changed since.
 */
export async function createWebSession(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  seen?: FirstSeen,
  verified?: string,
): Promise<string | undefined> {
  const cookie = newToken()
  return transaction(ctx.db, async (db) => {
    // Serializes concurrent sign-ins for the session limit, and sees a changed password.
    const { rowCount } = await db.query(
      'SELECT FROM users WHERE id = $1 AND ($2::text IS NULL OR password_hash = $2) FOR NO KEY UPDATE',
      [owner, verified],
    )
    if (rowCount === 0) return undefined
    await db.query(
      `INSERT INTO web_sessions (hash, owner, expires_at, network, browser)
         VALUES ($1, $2, now() + make_interval(days => $3), $4, $5)`,
      [keyedHash(ctx.secrets, purpose, cookie), owner, webSessionDays, seen?.network, seen?.browser],
    )
    await db.query(
      `DELETE FROM web_sessions WHERE hash IN (
         SELECT hash FROM web_sessions WHERE owner = $1 ORDER BY ${lives} DESC, seen_at DESC, created_at DESC OFFSET $2)`,
      [owner, mostOfOne],
    )
    return cookie
  })
}

const lives = `(expires_at > now() AND seen_at > now() - interval '${idleDays} days')`

/** The session of a cookie; undefined: none, or expired. `used`: this request counts as use. */
export async function findWebSession(
  ctx: Pick<Context, 'db' | 'secrets'>,
  cookie: string,
  { used }: { readonly used: boolean },
): Promise<WebSession | undefined> {
  const { rows } = await ctx.db.query<WebSession & { readonly stale: boolean }>(
    `SELECT s.owner, u.email, s.hash, s.id, greatest(s.created_at, s.proved_at) > now() - interval '10 minutes' AS recent,
       s.seen_at < now() - interval '5 minutes' AS stale,
       (SELECT count(*)::integer FROM calls c WHERE c.owner = s.owner AND c.status = 'awaiting_confirmation') AS waiting
     FROM web_sessions s JOIN users u ON u.id = s.owner
     WHERE s.hash = ANY ($1) AND ${lives}`,
    [hashesOf(ctx, cookie)],
  )
  const [session] = rows
  if (used && session?.stale === true)
    await ctx.db.query('UPDATE web_sessions SET seen_at = now() WHERE hash = $1', [session.hash])
  return session
}

/** Records that the owner proved their identity again. */
export async function proveWebSession(
  db: Db,
  { owner, session }: { readonly owner: string; readonly session: string },
): Promise<void> {
  await db.query('UPDATE web_sessions SET proved_at = clock_timestamp() WHERE id = $1 AND owner = $2', [session, owner])
}

/** The user's live sessions, last used first. */
export async function listWebSessions(db: Db, owner: string): Promise<readonly OwnSession[]> {
  const { rows } = await db.query<OwnSession>(
    `SELECT id, created_at, seen_at, network, browser FROM web_sessions WHERE owner = $1 AND ${lives} ORDER BY seen_at DESC, created_at DESC`,
    [owner],
  )
  return rows
}

/** Ends one of the user's sessions, or with `except` all others. Returns how many. */
export async function endWebSessions(
  db: Db,
  owner: string,
  which: { readonly id: string } | { readonly except: string },
): Promise<number> {
  const [condition, id] = 'id' in which ? ['id = $2', which.id] : ['id <> $2', which.except]
  const { rowCount } = await db.query(`DELETE FROM web_sessions WHERE owner = $1 AND ${condition}`, [owner, id])
  return rowCount ?? 0
}

export async function pruneWebSessions(db: Db): Promise<void> {
  await db.query(`DELETE FROM web_sessions WHERE NOT ${lives}`)
}

export async function endWebSession(ctx: Pick<Context, 'db' | 'secrets'>, cookie: string): Promise<void> {
  await ctx.db.query('DELETE FROM web_sessions WHERE hash = ANY ($1)', [hashesOf(ctx, cookie)])
}

/** Ends all sessions of the user. */
export async function endAllWebSessions(db: Db, owner: string): Promise<void> {
  await db.query('DELETE FROM web_sessions WHERE owner = $1', [owner])
}

const purpose = 'web-session'

/** The storable hashes, one per pepper. */
function hashesOf({ secrets }: Pick<Context, 'secrets'>, cookie: string): readonly Buffer[] {
  return keyedHashes(secrets, purpose, cookie)
}
