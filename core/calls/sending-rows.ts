import type { ReconnectCode } from '../../schemas/call.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import type { SealedAccount } from '../accounts/sessions.ts'
import type { DemandsRow } from '../approvals/passkey-demands.ts'
import { problemOfCall } from '../keys/access.ts'
import { filesOfCalls } from './rows.ts'
import type { CallRow, HeldBy } from './rows.ts'
import { queryFresh } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'

/** A call with everything its sending needs, read in one statement. */
export interface SendRow
  extends Omit<CallRow, 'account_label' | 'account_reason' | 'app_paused' | 'metadata'>, DemandsRow {
  readonly account_state: 'connected' | 'expired' | 'needs_check' | 'disconnected'
  readonly account_reason: ReconnectCode | null
  readonly session: Buffer | null
  readonly session_version: number
  readonly reserved_month: Date | null
  /** End of the cool-down of this account and endpoint, in ms since the epoch; null: none. */
  readonly paused_until: number | null
  /** Whether that end is past, by the database's clock. */
  readonly pause_over: boolean
  /** Still rate limited, or still waiting for a sign-in, by the database's clock. */
  readonly wait_goes_on: boolean
  /** No attempt that may still be running holds the send lease. */
  readonly nobody_sends: boolean
  /** Sends of a read in this attempt, and blocks of an unapproved call. */
  readonly tries: number
  readonly blocks: number
  /** An operator has paused the app or the endpoint. */
  readonly paused_by_operator: boolean
  /** The user's approval policy for the endpoint: whether it asks; null: the endpoint's default. */
  readonly asks: boolean | null
  /** How long the user wants to have to decide, in seconds; null: the default. */
  readonly expiry_seconds: number | null
  /** Proof that the user set it to never ask. */
  readonly asks_proof: string | null
  /** The lineage of the call's key, if set to never ask, and its proof; null: not set for it. */
  readonly asks_key_line: string | null
  readonly asks_key_proof: string | null
  /** Why neither its key nor a successor may call the endpoint now; null: one may. */
  readonly call_problem: ErrorCode | null
}

/** The account of a call, as its session is sealed. */
export function accountOf(row: SendRow): SealedAccount {
  const { account: id, owner, account_origin: origin, data_key, session_version } = row
  return { id, owner, origin, data_key, session_version }
}

export async function loadForSend(db: Db, callId: string): Promise<SendRow | undefined> {
  const rows = await queryFresh<SendRow>(db, {
    name: 'load-for-send',
    text: `
      SELECT c.*, ${filesOfCalls}, a.data_key, a.origin AS account_origin, a.state AS account_state, a.reason AS account_reason, a.session, a.session_version,
        (extract(epoch FROM p.until) * 1000)::float8 AS paused_until, coalesce(p.until <= clock_timestamp(), false) AS pause_over,
        CASE c.waiting_for WHEN 'rate_limited' THEN coalesce(c.retry_at > clock_timestamp() + interval '1 second', false)
          WHEN 'reconnect' THEN NOT may_reconnect(a.state, c.attempt, c.updated_at) ELSE false END AS wait_goes_on,
        CASE c.send WHEN 'sending' THEN sender_is_gone(c.sender, c.updated_at) ELSE true END AS nobody_sends,
        coalesce(o.paused, false) OR coalesce(e.paused, false) AS paused_by_operator, x.confirm AS asks, x.proof AS asks_proof,
        y.key_line AS asks_key_line, y.proof AS asks_key_proof, x.expiry_seconds, d.demands, d.proof AS demands_proof,
        ${problemOfCall}
      FROM calls c JOIN accounts a ON a.id = c.account
      LEFT JOIN pauses p ON p.account = c.account AND p.endpoint = c.endpoint
      LEFT JOIN app_controls o ON o.app = c.app
      LEFT JOIN endpoint_controls e ON e.app = c.app AND e.endpoint = c.endpoint
      LEFT JOIN endpoint_settings x ON x.owner = c.owner AND x.app = c.app AND x.endpoint = c.endpoint
      LEFT JOIN key_switches y ON y.owner = c.owner AND y.app = c.app AND y.endpoint = c.endpoint
        AND y.key_line = (SELECT line FROM api_keys WHERE id = c.key_id)
      LEFT JOIN passkey_demands d ON d.owner = c.owner
      WHERE c.id = $1`,
    values: [callId],
  })
  return rows[0]
}

/**
 * Takes the send lease for one attempt: a write's bytes may leave only after true. False: send
 * nothing, the row says why. Rechecks what may have changed since the row was read: the key, the
 * scope, the account and operators' pauses. A read may take it again after an attempt that is over,
 * as reading twice is harmless; `tries` counts them.
 * `sender` is this attempt's number: until it lets go or its process dies, no other may settle the
 * call.
 */
export async function takeRightToSend(
  db: Db,
  { id, attempt, round }: Pick<CallRow, 'id' | 'attempt' | 'round'>,
  sender: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'take-right-to-send',
    text: `
      UPDATE calls c SET send = 'sending', sender = $3, tries = tries + 1, waiting_for = NULL, retry_at = NULL,
        updated_at = clock_timestamp()
      WHERE id = $1 AND attempt = $2 AND round = $4 AND status = 'running' AND (
        access = 'read' AND (send = 'ready' OR send = 'sending' AND sender_is_gone(sender, updated_at))
        OR send = 'ready' AND ${problemOfCall} IS NULL
        AND EXISTS (SELECT FROM accounts a WHERE a.id = c.account AND a.session IS NOT NULL AND a.state <> 'disconnected')
        AND NOT EXISTS (SELECT FROM app_controls o WHERE o.app = c.app AND o.paused)
        AND NOT EXISTS (SELECT FROM endpoint_controls e WHERE e.app = c.app AND e.endpoint = c.endpoint AND e.paused))`,
    values: [id, attempt, sender, round],
  })
  return rowCount === 1
}

/** Readies the next attempt of a call whose bytes had no effect. Null: `attempt` is outdated. */
export async function nextAttempt(
  db: Db,
  callId: string,
  attempt: number,
  waitingFor: HeldBy,
  retryAt: Date | null,
): Promise<number | null> {
  const { rows } = await db.query<{ attempt: number }>(
    `UPDATE calls SET send = 'ready', attempt = attempt + 1, tries = 0, waiting_for = $3, retry_at = $4, updated_at = clock_timestamp(),
       check_at = clock_timestamp() + interval '5 seconds'
     WHERE id = $1 AND attempt = $2 AND status = 'running' RETURNING attempt`,
    [callId, attempt, waitingFor, retryAt],
  )
  return rows[0]?.attempt ?? null
}

/** Records what a call that was not attempted waits for. */
export async function noteWaiting(db: Db, callId: string, waitingFor: HeldBy, retryAt: Date | null): Promise<void> {
  await db.query(
    `UPDATE calls SET waiting_for = $2, retry_at = $3, updated_at = clock_timestamp() WHERE id = $1 AND status = 'running' AND send = 'ready'`,
    [callId, waitingFor, retryAt],
  )
}

/** Records, for operators, which rule an answer violated. */
export async function noteChanged(db: Db, callId: string, attempt: number, rule: string): Promise<void> {
  await db.query(`UPDATE calls SET changed_rule = $3 WHERE id = $1 AND attempt = $2 AND status = 'running'`, [
    callId,
    attempt,
    rule,
  ])
}

/** Whole seconds, at least 1, until a retry makes sense: cool-down and Retry-After are over. */
export async function secondsToRetry(db: Db, callId: string): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `SELECT greatest(1, ceil(extract(epoch FROM
       greatest(p.until, CASE WHEN c.waiting_for = 'rate_limited' THEN c.retry_at END) - clock_timestamp())))::integer AS seconds
     FROM calls c LEFT JOIN pauses p ON p.account = c.account AND p.endpoint = c.endpoint WHERE c.id = $1`,
    [callId],
  )
  return rows[0]?.seconds ?? 1
}

/**
 * The run is queued: clears what the call waited for, if the row agrees that this is over.
 * Otherwise the run would be nudged again and again and fill its history. Skips changes of the last
 * 3 s, which may be newer than what the run knows.
 */
export async function noteInLine(db: Db, callId: string, attempt: number): Promise<void> {
  await db.query(
    `UPDATE calls c SET waiting_for = NULL, retry_at = NULL, updated_at = clock_timestamp()
     WHERE id = $1 AND attempt = $2 AND status = 'running' AND send = 'ready' AND confirm AND waiting_for IS NOT NULL
       AND updated_at < clock_timestamp() - interval '3 seconds'
       AND CASE waiting_for WHEN 'rate_limited' THEN retry_at <= clock_timestamp()
         WHEN 'reconnect' THEN EXISTS (SELECT FROM accounts a WHERE a.id = c.account AND a.state IN ('connected', 'disconnected'))
         ELSE true END`,
    [callId, attempt],
  )
}

export async function reserveAgain(db: Db, callId: string): Promise<boolean> {
  const { rows } = await db.query<{ reserved: boolean }>('SELECT reserve_credits($1) AS reserved', [callId])
  return rows[0]?.reserved === true
}

export async function appOfCall(db: Db, callId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ app: string }>('SELECT app FROM calls WHERE id = $1', [callId])
  return rows[0]?.app
}

/** The state of a call, from its row alone. */
export async function callState(
  db: Db,
  callId: string,
): Promise<Pick<CallRow, 'id' | 'status' | 'attempt' | 'send' | 'access'> | undefined> {
  const { rows } = await db.query<Pick<CallRow, 'id' | 'status' | 'attempt' | 'send' | 'access'>>(
    'SELECT id, status, attempt, send, access FROM calls WHERE id = $1',
    [callId],
  )
  return rows[0]
}
