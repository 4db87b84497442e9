import type { ReconnectCode } from '../../schemas/call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import type { KeyedCall } from '../keys/access.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import type { DemandsRow } from '../approvals/passkey-demands.ts'

export interface Account {
  readonly id: string
  readonly app: string
  readonly label: string
  /** The app's origin; '' for an app with one fixed origin. */
  readonly origin: string
  readonly state: 'connected' | 'expired' | 'needs_check' | 'disconnected'
  readonly reason: ReconnectCode | null
  readonly connected_at: Date | null
}

interface PickedAccount extends Account, DemandsRow {
  readonly data_key: Buffer
  /** Seconds left of the endpoint's cool-down; 0 = none. */
  readonly paused_seconds: number
  /** The endpoint's approval policy: ask, or never ask with its proof. Null = the default. */
  readonly confirm: boolean | null
  readonly proof: string | null
  /** Line of the calling key when it never asks, and the proof of that; null = no such switch. */
  readonly key_line: string | null
  readonly key_proof: string | null
  readonly expiry_seconds: number | null
  /** Whether the endpoint may have approval rules on this account. */
  readonly standing: boolean
}

/** The page where the user connects or reconnects an account. */
export function connectUrl(publicUrl: string, app: string, account?: string): string {
  const query = account === undefined ? '' : `?account=${encodeURIComponent(account)}`
  return `${publicUrl}/connect/${encodeURIComponent(app)}${query}`
}

/** The page where the owner sees how credits were spent, and changes the plan. */
export function creditsUrl(publicUrl: string): string {
  return `${publicUrl}/credits`
}

/** The owner's accounts, without disconnected ones. */
export async function listAccounts(ctx: Pick<Context, 'db'>, owner: string, app?: string): Promise<readonly Account[]> {
  const { rows } = await ctx.db.query<Account>(
    `SELECT id, app, label, origin, state, reason, connected_at FROM accounts
     WHERE owner = $1 AND ($2::text IS NULL OR app = $2) AND state <> 'disconnected' ORDER BY app, label, id`,
    [owner, app ?? null],
  )
  return rows
}

/** Why the key may not make the call (`problem`, null = it may), and the usable accounts. */
export async function beforeCall(
  db: Db,
  call: KeyedCall,
): Promise<{ readonly problem: ErrorCode | null; readonly accounts: readonly PickedAccount[] }> {
  const { rows } = await db.query<PickedAccount & { readonly problem: ErrorCode | null }>({
    name: 'before-call',
    text: `SELECT k.problem, a.id, a.app, a.label, a.origin, a.state, a.reason, a.connected_at, a.data_key, s.confirm, s.proof,
       y.key_line, y.proof AS key_proof, s.expiry_seconds, d.demands, d.proof AS demands_proof,
       greatest(0, coalesce(extract(epoch FROM p.until - clock_timestamp()), 0))::float8 AS paused_seconds,
       EXISTS (SELECT FROM standing_approvals t WHERE t.account = a.id AND t.endpoint = $3 AND t.revoked_at IS NULL) AS standing
     FROM access_problem(p_key => $4, p_owner => $1, p_app => $2, p_endpoint => $3, p_access => $5) AS k(problem)
     LEFT JOIN accounts a ON a.owner = $1 AND a.app = $2 AND a.state <> 'disconnected'
     LEFT JOIN pauses p ON p.account = a.id AND p.endpoint = $3
     LEFT JOIN endpoint_settings s ON s.owner = a.owner AND s.app = a.app AND s.endpoint = $3
     LEFT JOIN key_switches y ON y.owner = a.owner AND y.app = a.app AND y.endpoint = $3
       AND y.key_line = (SELECT line FROM api_keys WHERE id = $4)
     LEFT JOIN passkey_demands d ON d.owner = a.owner
     ORDER BY a.id`,
    values: [call.owner, call.app, call.endpoint, call.keyId, call.access],
  })
  // Without an account, the left join returns one row of nulls.
  return { problem: rows[0]?.problem ?? null, accounts: rows.filter(({ id }) => id !== null) }
}

/** The account that a call uses; throws unknown_account, AUTH_REQUIRED or account_required. */
export function pickAccount(
  ctx: Pick<Context, 'config'>,
  accounts: readonly PickedAccount[],
  wanted: { readonly app: string; readonly account: string | undefined },
): PickedAccount {
  if (wanted.account !== undefined) {
    const picked = accounts.find(({ id }) => id === wanted.account)
    if (picked === undefined) throw new CallgateError('unknown_account')
    return picked
  }
  const [only, second] = accounts
  if (only === undefined) {
    throw new CallgateError('AUTH_REQUIRED', { fields: { connect_url: connectUrl(ctx.config.publicUrl, wanted.app) } })
  }
  if (second !== undefined) {
    throw new CallgateError('account_required', {
      fields: {
        accounts: accounts.map(({ id, label, origin }) => ({ account: id, label, ...(origin !== '' && { origin }) })),
      },
    })
  }
  return only
}
