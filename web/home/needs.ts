import type { Context } from '../../core/context.ts'
import { listAccounts } from '../../core/accounts/accounts.ts'
import type { Account } from '../../core/accounts/accounts.ts'

/** An account that needs a reconnect, and the number of calls waiting for it. */
export interface SignInNeeded {
  readonly account: Account
  readonly waiting: number
}

/** A cool-down: an endpoint that the app blocks for an account. */
export interface Refused {
  readonly app: string
  readonly endpoint: string
  readonly label: string
  /** Time of the next probe. */
  readonly until: Date
}

/** Accounts that need the user, and cool-downs that end by themselves. */
export interface AccountNeeds {
  readonly accounts: number
  readonly signIns: readonly SignInNeeded[]
  readonly refused: readonly Refused[]
}

export async function accountNeeds({ db }: Pick<Context, 'db'>, owner: string): Promise<AccountNeeds> {
  const [accounts, waiting, refused] = await Promise.all([
    listAccounts({ db }, owner),
    db.query<{ account: string; count: number }>(
      `SELECT account, count(*)::integer AS count FROM calls
       WHERE owner = $1 AND status IN ('awaiting_confirmation', 'running') AND waiting_for = 'reconnect' GROUP BY account`,
      [owner],
    ),
    db.query<Refused>(
      `SELECT a.app, p.endpoint, a.label, p.until FROM accounts a JOIN pauses p ON p.account = a.id
       WHERE a.owner = $1 AND a.state = 'connected' AND p.until > clock_timestamp() ORDER BY p.until LIMIT 20`,
      [owner],
    ),
  ])
  const counts = new Map(waiting.rows.map(({ account, count }) => [account, count]))
  return {
    accounts: accounts.length,
    signIns: accounts
      .filter(({ state }) => state !== 'connected')
      .map((account) => ({ account, waiting: counts.get(account.id) ?? 0 })),
    refused: refused.rows,
  }
}
