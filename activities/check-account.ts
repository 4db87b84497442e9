import { Context as Activity } from '@temporalio/activity'
import { readIdentity } from '../connectors/runtime/threads/exchange-threads.ts'
import { talkAs } from '../core/accounts/in-session.ts'
import { externalIdAt, noteSessionState } from '../core/accounts/sessions.ts'
import { siteOf } from '../core/accounts/site.ts'
import type { Context } from '../core/context.ts'
import { reconnectCodes } from '../core/calls/settle.ts'

/** Checks an account's session, at most once a minute, whatever the caller. True: it works. */
export async function askedToCheck(ctx: Context, accountId: unknown): Promise<boolean> {
  const { rowCount } = await ctx.db.query(
    `UPDATE accounts SET checked_at = clock_timestamp()
     WHERE id = $1 AND $2 = 'app.' || app AND coalesce(checked_at, '-infinity') < clock_timestamp() - interval '1 minute'`,
    [String(accountId), Activity.current().info.taskQueue],
  )
  return rowCount === 1 && checkAccount(ctx, String(accountId))
}

/** Asks the app whether the session works (true), and records it. Skips apps that are paused. */
async function checkAccount(ctx: Context, accountId: string): Promise<boolean> {
  const { rows } = await ctx.db.query<{
    id: string
    owner: string
    app: string
    origin: string
    external_id: string
    data_key: Buffer
    session: Buffer | null
    session_version: number
  }>(
    `SELECT id, owner, app, origin, external_id, data_key, session, session_version FROM accounts a WHERE id = $1 AND state <> 'disconnected'
       AND NOT EXISTS (SELECT FROM app_controls c WHERE c.app = a.app AND c.paused)`,
    [accountId],
  )
  const [account] = rows
  const app = account && ctx.apps.get(account.app)
  const site = app && siteOf(ctx, app, account.origin)
  if (account === undefined || app === undefined || site === undefined) return false
  const asked = await talkAs(ctx, { app, site, account }, async (session) => {
    const { who, session: after, mayRenew } = await readIdentity(app, site, session)
    return { outcome: who, session: after, ...(mayRenew === true && { mayRenew }) }
  })
  if (asked === undefined) return false
  const { outcome: who } = asked.result
  const works = who.kind === 'account' && externalIdAt(account.origin, who.id) === account.external_id
  if (who.kind === 'account' || who.kind === 'auth_expired' || who.kind === 'captcha' || who.kind === 'mfa') {
    const reason = works ? null : who.kind === 'account' ? 'AUTH_EXPIRED' : reconnectCodes[who.kind]
    // Only for the session that was checked: a new sign-in meanwhile has another version.
    await noteSessionState(ctx.db, account.id, reason, asked.account.session_version)
  }
  return works
}
