import type { ReconnectCode } from '../schemas/call.ts'
import { CallgateError } from '../schemas/errors.ts'
import type { Context } from './context.ts'
import type { Db } from './db/pool.ts'

export interface Account {
  readonly id: string
  readonly app: string
  readonly label: string
  readonly state: 'connected' | 'expired' | 'needs_check' | 'disconnected'
  readonly reason: ReconnectCode | null
  readonly connected_at: Date | null
}

interface PickedAccount extends Account {
  readonly data_key: Buffer
  /** What is left of the endpoint's pause, 0 = none. */
  readonly paused_seconds: number
  readonly confirm: boolean | null
  readonly expiry_seconds: number | null
  /** Whether there may be standing approvals of the endpoint on this account. */
  readonly standing: boolean
}

/** Where the person connects, or reconnects, an account. */
export function connectUrl(publicUrl: string, app: string, account?: string): string {
  const query = account === undefined ? '' : `?account=${encodeURIComponent(account)}`
  return `${publicUrl}/connect/${encodeURIComponent(app)}${query}`
}

/** The accounts that the owner has connected, disconnected ones left out. */
export async function listAccounts(ctx: Pick<Context, 'db'>, owner: string, app?: string): Promise<readonly Account[]> {
  const { rows } = await ctx.db.query<Account>(
    `SELECT id, app, label, state, reason, connected_at FROM accounts
     WHERE owner = $1 AND ($2::text IS NULL OR app = $2) AND state <> 'disconnected' ORDER BY app, id`,
    [owner, app ?? null],
  )
  return rows
}

/** The account that a call is for, with what the owner set for the endpoint; throws unknown_account, AUTH_REQUIRED or account_required. */
export async function pickAccount(
  ctx: Pick<Context, 'config'>,
  db: Db,
  wanted: {
    readonly owner: string
    readonly app: string
    readonly endpoint: string
    readonly account: string | undefined
  },
): Promise<PickedAccount> {
  const { rows } = await db.query<PickedAccount>({
    name: 'pick-account',
    text: `SELECT a.id, a.app, a.label, a.state, a.reason, a.connected_at, a.data_key, s.confirm, s.expiry_seconds,
       greatest(0, coalesce(extract(epoch FROM p.until - clock_timestamp()), 0))::float8 AS paused_seconds,
       EXISTS (SELECT FROM standing_approvals t WHERE t.account = a.id AND t.endpoint = $3 AND t.revoked_at IS NULL) AS standing
     FROM accounts a
     LEFT JOIN pauses p ON p.account = a.id AND p.endpoint = $3
     LEFT JOIN endpoint_settings s ON s.owner = a.owner AND s.app = a.app AND s.endpoint = $3
     WHERE a.owner = $1 AND a.app = $2 AND a.state <> 'disconnected' ORDER BY a.id`,
    values: [wanted.owner, wanted.app, wanted.endpoint],
  })
  if (wanted.account !== undefined) {
    const picked = rows.find((row) => row.id === wanted.account)
    if (picked === undefined) throw new CallgateError('unknown_account')
    return picked
  }
  const [only, second] = rows
  if (only === undefined) {
    throw new CallgateError('AUTH_REQUIRED', { fields: { connect_url: connectUrl(ctx.config.publicUrl, wanted.app) } })
  }
  if (second !== undefined) {
    throw new CallgateError('account_required', {
      fields: { accounts: rows.map((row) => ({ account: row.id, label: row.label })) },
    })
  }
  return only
}
