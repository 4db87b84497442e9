import { Context as Activity } from '@temporalio/activity'
import { readIdentity } from '../connectors/runtime/identity.ts'
import { noteSessionState, openSession, renewSession } from '../core/accounts/sessions.ts'
import type { Context } from '../core/context.ts'
import { reconnectCodes } from '../core/calls/settle.ts'

/** Housekeeping asks for it once a day. Whoever else does, the app is not asked about an account twice in a minute. */
export async function askedToCheck(ctx: Context, accountId: unknown): Promise<boolean> {
  const { rowCount } = await ctx.db.query(
    `UPDATE accounts SET checked_at = clock_timestamp()
     WHERE id = $1 AND $2 = 'app.' || app AND coalesce(checked_at, '-infinity') < clock_timestamp() - interval '1 minute'`,
    [String(accountId), Activity.current().info.taskQueue],
  )
  return rowCount === 1 && checkAccount(ctx, String(accountId))
}

/** Asks the app whether an account's session still works, and notes it for people and waiting calls. True: it does. A paused app is not asked. */
async function checkAccount(ctx: Context, accountId: string): Promise<boolean> {
  const { rows } = await ctx.db.query<{
    id: string
    owner: string
    app: string
    external_id: string
    data_key: Buffer
    session: Buffer | null
    session_version: number
  }>(
    `SELECT id, owner, app, external_id, data_key, session, session_version FROM accounts a WHERE id = $1 AND state <> 'disconnected'
       AND NOT EXISTS (SELECT FROM app_controls c WHERE c.app = a.app AND c.paused)`,
    [accountId],
  )
  const [account] = rows
  const app = account && ctx.apps.get(account.app)
  if (!account?.session || !app) return false
  const before = openSession(ctx, { ...account, session: account.session })
  const { who, session: after } = await readIdentity(app, before)
  const works = who.kind === 'account' && who.id === account.external_id
  if (who.kind !== 'unclear') {
    const reason = works ? null : who.kind === 'account' ? 'AUTH_EXPIRED' : reconnectCodes[who.kind]
    // Of the session that was asked about: who signed in again meanwhile has another one.
    await noteSessionState(ctx.db, account.id, reason, account.session_version)
  }
  if (after !== null) await renewSession(ctx, account, { before, after, over: who.kind === 'auth_expired' })
  return works
}
