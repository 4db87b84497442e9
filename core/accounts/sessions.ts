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
  /** The address of its app; '' for an app that is in one place. */
  readonly origin: string
  readonly data_key: Buffer
  readonly session_version: number
}

/** What a session is sealed for: sent to another address, it cannot be opened. */
export const aboutSession = ({ owner, id, session_version, origin }: SealedAccount): string =>
  [`session:${owner}:${id}:${session_version}`, ...(origin === '' ? [] : [origin])].join(' ')

/** The app's own id of an account, told apart by where the app is. */
export const externalIdAt = (origin: string, id: string): string => (origin === '' ? id : `${origin} ${id}`)

/**
 * Keeps the session that a person's sign-in made. The same account of the app again is renewed, and the calls that waited for it go on;
 * another one becomes a new account. Returns the account id.
 */
export async function connect(
  ctx: Pick<Context, 'db' | 'secrets'>,
  signedIn: {
    readonly owner: string
    readonly app: string
    /** Where they signed in, for an app that is not in one place. */
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
 * Forgets the session and whose account it was in the app; connected again, it is another account. Calls of this one that still wait end
 * with AUTH_REQUIRED, and what was approved of it in advance is over. The data key goes with the last that it sealed (forget.ts).
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
 * The session as it is to be used. Undefined: there is none, or somebody changed it, for the account's key opens and it does not. That is noted, so
 * that the person signs in again. Throws where the key itself does not open: it may elsewhere.
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

/** The session that an account of the owner's has now, whatever the app thinks of it; null when there is none. */
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

/** What one exchange with the app did to the session that it began with. */
interface SessionChange {
  readonly before: AppSession
  readonly after: AppSession
  /** The app said that the session is over: this change then gives way to any that another exchange made. */
  readonly over: boolean
}

/**
 * Stores cookies that the app changed, beside those that other exchanges changed meanwhile, unless somebody signed in again or disconnected.
 * Returns the version of the session that the app knows now. May be repeated.
 */
export async function renewSession(
  ctx: Pick<Context, 'db' | 'secrets'>,
  account: SealedAccount,
  { before, after, over }: SessionChange,
): Promise<number> {
  const version = await writeCookies(ctx, ctx.db, account, after)
  if (version !== null) return version
  // The session that is over may be one that another exchange has replaced by now.
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

/** The version that it is now; null: the account has another session than this one, or none. */
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

/** Notes what the app said about an account's session, so that people and waiting calls can tell. Null: it works. */
export async function noteSessionState(
  db: Db,
  accountId: string,
  reason: ReconnectCode | null,
  /** Nothing is noted once the account has another session. */
  sessionVersion?: number,
): Promise<void> {
  await db.query(
    `UPDATE accounts SET reason = $2, state = CASE WHEN $2::text IS NULL THEN 'connected' WHEN $2 = 'AUTH_EXPIRED' THEN 'expired' ELSE 'needs_check' END
     WHERE id = $1 AND state <> 'disconnected' AND session_version = coalesce($3, session_version)`,
    [accountId, reason, sessionVersion ?? null],
  )
}
