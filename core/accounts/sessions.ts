import { ulid } from 'ulid'
import { takenOver } from '../../connectors/runtime/cookies.ts'
import type { AppSession } from '../../schemas/session.ts'
import type { ReconnectCode } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { markIfDemanded } from '../approvals/passkey-demand-rules.ts'
import { newDataKey, openWithAny, seal, unwrapDataKey, unwrapDataKeys } from '../secrets/crypto.ts'
import { audit } from '../audit.ts'
import type { Db } from '../database/pool.ts'
import { isConnectionError } from '../database/failures.ts'
import { transaction } from '../database/pool.ts'
import { disconnected, endOfAccounts, shredIfEmpty } from './forget.ts'
import { logUnopened } from '../security-log.ts'

export interface SealedAccount {
  readonly id: string
  readonly owner: string
  /** The app's origin; '' for an app with one fixed origin. */
  readonly origin: string
  readonly data_key: Buffer
  readonly session_version: number
}

/** Associated data of a sealed session: it cannot be opened for another origin. */
export const aboutSession = ({ owner, id, session_version, origin }: SealedAccount): string =>
  [`session:${owner}:${id}:${session_version}`, ...(origin === '' ? [] : [origin])].join(' ')

/** The app's own account id, qualified by the origin for apps that have several. */
export const externalIdAt = (origin: string, id: string): string => (origin === '' ? id : `${origin} ${id}`)

/**
 * Stores the session of a sign-in. Signing in to the same account of the app renews it, and calls
 * that waited for it continue; another account gets a new row. Returns the account id.
 */
export async function connect(
  ctx: Pick<Context, 'db' | 'secrets'>,
  signedIn: {
    readonly owner: string
    readonly app: string
    /** Where the user signed in, for an app without a fixed origin. */
    readonly origin?: string
    /** The app's own id of the account that signed in. */
    readonly externalId: string
    readonly label: string
    readonly session: AppSession
  },
): Promise<string> {
  const id = `acct_${ulid()}`
  const origin = signedIn.origin ?? ''
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<SealedAccount>(
      `INSERT INTO accounts (id, owner, app, external_id, label, state, data_key, origin)
       SELECT $1, $2, $3, $4, $5, 'connected', $6, $7 WHERE NOT EXISTS (SELECT FROM erasures WHERE owner = $2)
       ON CONFLICT (owner, app, external_id) DO UPDATE SET label = excluded.label
       RETURNING id, owner, origin, data_key, session_version`,
      [
        id,
        signedIn.owner,
        signedIn.app,
        externalIdAt(origin, signedIn.externalId),
        signedIn.label,
        newDataKey(ctx.secrets, id),
        origin,
      ],
    )
    const account = rows[0]
    if (account === undefined) throw new Error('an account was not written')
    await markIfDemanded(ctx, db, account.owner)
    const { version, sealed } = sealNext(ctx, account, signedIn.session)
    await db.query(
      `UPDATE accounts SET session = $2, session_version = $3, signed_in_version = $3, state = 'connected', reason = NULL,
         renewal_begun = NULL, connected_at = clock_timestamp() WHERE id = $1`,
      [account.id, sealed, version],
    )
    await audit(db, signedIn.owner, 'account.connected', { account: account.id, app: signedIn.app })
    return account.id
  })
}

/**
 * Deletes the session and the account's identity in the app; connecting again makes a new account.
 * Calls that still wait end with AUTH_REQUIRED, and its approval rules end. The data key is
 * shredded with the last data that it sealed (forget.ts).
 */
export async function disconnect(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  accountId: string,
): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE accounts SET ${disconnected} WHERE id = $1 AND owner = $2 AND state <> 'disconnected'`,
      [accountId, owner],
    )
    if (rowCount !== 1) return false
    await endOfAccounts(db, [accountId])
    await shredIfEmpty(ctx, db, accountId)
    await audit(db, owner, 'account.disconnected', { account: accountId })
    return true
  })
}

/** Opens the sealed session of an account. */
export function openSession(
  ctx: Pick<Context, 'secrets'>,
  account: SealedAccount & { readonly session: Buffer },
): AppSession {
  const plain = openWithAny(
    unwrapDataKeys(ctx.secrets, account.id, account.data_key),
    aboutSession(account),
    account.session,
  )
  return JSON.parse(plain.toString('utf8')) as AppSession
}

/**
 * The session to use. Undefined: none, or it was tampered with (its key opens, it does not), which
 * is recorded so that the user signs in again. Throws if the key does not open: another process may
 * have it.
 */
export async function usableSession(
  ctx: Pick<Context, 'db' | 'secrets' | 'log' | 'security'>,
  account: SealedAccount & { readonly session: Buffer | null },
): Promise<AppSession | undefined> {
  const { session } = account
  if (session === null) return undefined
  unwrapDataKey(ctx.secrets, account.id, account.data_key)
  try {
    return openSession(ctx, { ...account, session })
  } catch (error) {
    logUnopened(ctx, { account: account.id }, error, 'the session of an account cannot be opened')
    await noteSessionState(ctx.db, account.id, 'AUTH_EXPIRED', account.session_version)
    return undefined
  }
}

/** Whether the account has no session that can be opened, so that only a new sign-in helps. */
export async function hasLostSession(
  ctx: Pick<Context, 'db' | 'secrets' | 'log' | 'security'>,
  owner: string,
  accountId: string,
): Promise<boolean> {
  try {
    return (await openStoredSession(ctx, owner, accountId)) === null
  } catch (error) {
    if (isConnectionError(error)) throw error
    logUnopened(ctx, { account: accountId }, error, 'the session of an account cannot be opened')
    return true
  }
}

/** The owner's stored session of an account, whatever its state; null when there is none. */
export async function openStoredSession(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  accountId: string,
): Promise<AppSession | null> {
  const { rows } = await ctx.db.query<SealedAccount & { readonly session: Buffer | null }>(
    'SELECT id, owner, origin, data_key, session_version, session FROM accounts WHERE id = $1 AND owner = $2',
    [accountId, owner],
  )
  const [account] = rows
  const session = account?.session
  return account && session ? openSession(ctx, { ...account, session }) : null
}

/** How one exchange with the app changed the session. */
interface SessionChange {
  readonly before: AppSession
  readonly after: AppSession
  /** The app said that the session is over: a concurrent exchange's change then wins. */
  readonly over: boolean
}

/**
 * Stores cookies that the app changed, merged with those of concurrent exchanges, unless the user
 * signed in again or disconnected. Returns the session version that the app now knows. Idempotent.
 */
export async function renewSession(
  ctx: Pick<Context, 'db' | 'secrets'>,
  account: SealedAccount,
  { before, after, over }: SessionChange,
): Promise<number> {
  const version = await writeCookies(ctx, ctx.db, account, after)
  if (version !== null) return version
  // A concurrent exchange may have replaced the session that is over.
  if (over) return account.session_version
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<SealedAccount & { readonly session: Buffer }>(
      `SELECT id, owner, origin, data_key, session_version, session FROM accounts
       WHERE id = $1 AND owner = $2 AND session IS NOT NULL AND signed_in_version <= $3 FOR NO KEY UPDATE`,
      [account.id, account.owner, account.session_version],
    )
    const [present] = rows
    if (present === undefined) return account.session_version
    const now = openSession(ctx, present)
    const cookies = takenOver(now.cookies, before.cookies, after.cookies)
    return (await writeCookies(ctx, db, present, { ...now, cookies })) ?? account.session_version
  })
}

/** Returns the new version; null: the account has a different session, or none. */
async function writeCookies(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  account: SealedAccount,
  session: AppSession,
): Promise<number | null> {
  const { version, sealed } = sealNext(ctx, account, session)
  const { rowCount } = await db.query(
    'UPDATE accounts SET session = $2, session_version = $3 WHERE id = $1 AND session_version = $4 AND session IS NOT NULL',
    [account.id, sealed, version, account.session_version],
  )
  return rowCount === 1 ? version : null
}

export function sealNext(ctx: Pick<Context, 'secrets'>, account: SealedAccount, session: AppSession) {
  const version = account.session_version + 1
  const place = aboutSession({ ...account, session_version: version })
  const key = unwrapDataKey(ctx.secrets, account.id, account.data_key)
  return { version, sealed: seal(key, place, JSON.stringify(session)) }
}

/** Records what the app said about a session, for users and waiting calls. Null: it works. */
export async function noteSessionState(
  db: Db,
  accountId: string,
  reason: ReconnectCode | null,
  /** If given, records nothing once the account has another session. */
  sessionVersion?: number,
): Promise<void> {
  await db.query(
    `UPDATE accounts SET reason = $2, state = CASE WHEN $2::text IS NULL THEN 'connected' WHEN $2 = 'AUTH_EXPIRED' THEN 'expired' ELSE 'needs_check' END
     WHERE id = $1 AND state <> 'disconnected' AND session_version = coalesce($3, session_version)`,
    [accountId, reason, sessionVersion ?? null],
  )
}
