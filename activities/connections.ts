import { ulid } from 'ulid'
import type { AppSession } from '../schemas/session.ts'
import type { ReconnectCode } from '../schemas/call.ts'
import type { Context } from './context.ts'
import { newDataKey, open, seal, unwrapDataKey } from './crypto.ts'
import { audit } from './db/audit.ts'
import type { Db } from './db/pool.ts'
import { transaction } from './db/pool.ts'

interface SealedAccount {
  readonly id: string
  readonly owner: string
  readonly data_key: Buffer
  readonly session_version: number
}

const about = (account: SealedAccount): string => `session:${account.owner}:${account.id}:${account.session_version}`

/**
 * Keeps the session that a person's sign-in made. The same account of the app again is renewed, and the calls that waited for it go on;
 * another one becomes a new account. Returns the account id.
 */
export async function connect(
  ctx: Pick<Context, 'db' | 'secrets'>,
  signedIn: {
    readonly owner: string
    readonly app: string
    /** The app's own id of the account that signed in. */
    readonly externalId: string
    readonly label: string
    readonly session: AppSession
  },
): Promise<string> {
  const id = `acct_${ulid()}`
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<SealedAccount>(
      `INSERT INTO accounts (id, owner, app, external_id, label, state, data_key) VALUES ($1, $2, $3, $4, $5, 'connected', $6)
       ON CONFLICT (owner, app, external_id) DO UPDATE SET label = excluded.label
       RETURNING id, owner, data_key, session_version`,
      [id, signedIn.owner, signedIn.app, signedIn.externalId, signedIn.label, newDataKey(ctx.secrets, id)],
    )
    const account = rows[0]
    if (account === undefined) throw new Error('an account was not written')
    await writeSession(ctx, db, account, signedIn.session)
    await db.query(
      `UPDATE accounts SET state = 'connected', reason = NULL, connected_at = clock_timestamp() WHERE id = $1`,
      [account.id],
    )
    await audit(db, signedIn.owner, 'account.connected', { account: account.id, app: signedIn.app })
    return account.id
  })
}

/** Forgets the session; calls of this account that still wait end with AUTH_REQUIRED. */
export async function disconnect(ctx: Pick<Context, 'db'>, owner: string, accountId: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE accounts SET state = 'disconnected', reason = NULL, session = NULL WHERE id = $1 AND owner = $2 AND state <> 'disconnected'`,
      [accountId, owner],
    )
    if (rowCount === 1) await audit(db, owner, 'account.disconnected', { account: accountId })
    return rowCount === 1
  })
}

/** Opens the sealed session of an account. */
export function openSession(
  ctx: Pick<Context, 'secrets'>,
  account: SealedAccount & { readonly session: Buffer },
): AppSession {
  const plain = open(unwrapDataKey(ctx.secrets, account.id, account.data_key), about(account), account.session)
  return JSON.parse(plain.toString('utf8')) as AppSession
}

/** The session that an account of the owner's has now, whatever the app thinks of it; null when there is none. */
export async function openStoredSession(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  accountId: string,
): Promise<AppSession | null> {
  const { rows } = await ctx.db.query<SealedAccount & { readonly session: Buffer | null }>(
    'SELECT id, owner, data_key, session_version, session FROM accounts WHERE id = $1 AND owner = $2',
    [accountId, owner],
  )
  const [account] = rows
  const session = account?.session
  return account && session ? openSession(ctx, { ...account, session }) : null
}

/** Stores cookies that the app changed, unless somebody reconnected meanwhile: false then. */
export async function renewSession(
  ctx: Pick<Context, 'db' | 'secrets'>,
  account: SealedAccount,
  session: AppSession,
): Promise<boolean> {
  return writeSession(ctx, ctx.db, account, session)
}

async function writeSession(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  account: SealedAccount,
  session: AppSession,
): Promise<boolean> {
  const next = { ...account, session_version: account.session_version + 1 }
  const sealed = seal(unwrapDataKey(ctx.secrets, account.id, account.data_key), about(next), JSON.stringify(session))
  const { rowCount } = await db.query(
    'UPDATE accounts SET session = $2, session_version = $3 WHERE id = $1 AND session_version = $4',
    [account.id, sealed, next.session_version, account.session_version],
  )
  return rowCount === 1
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
