import { isFinal } from '../../schemas/call.ts'
import type { Access, CallStatus, Decision, ReconnectCode } from '../../schemas/call.ts'
import { named } from '../database/named.ts'
import { queryFresh, transaction } from '../database/pool.ts'
import type { Db, Pool } from '../database/pool.ts'
import type { Metadata } from './metadata.ts'
import type { EndingsTold } from './tell-endings.ts'

/** Why a running call that could be sent is not. */
export type HeldBy = 'blocked' | 'rate_limited' | 'reconnect'

/** One row of `calls`. Sealed columns open only with the account's data key. */
export interface CallRow {
  readonly id: string
  readonly owner: string
  readonly key_id: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly access: Access
  readonly confirm: boolean
  readonly status: CallStatus
  readonly waiting_for: HeldBy | null
  readonly retry_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly expires_at: Date | null
  readonly input: Buffer | null
  readonly output: Buffer | null
  readonly error: Buffer | null
  readonly error_code: string | null
  readonly content_hash: Buffer
  /** Sealed, as it will be sent; null: not rendered yet, or rendered only at send time. */
  readonly request: Buffer | null
  /** Sealed: the preview of its entities, as the page shows it. */
  readonly preview: Buffer | null
  readonly previewed_at: Date | null
  /** When to render it or preview its entities; null: nothing to do. */
  readonly prepare_at: Date | null
  readonly prepare_tries: number
  /** Sealed: the progress of a preview that is under way. */
  readonly look_up: Buffer | null
  /** How often approval was requested, from 1. */
  readonly round: number
  /** Counts the changes of what the approver is asked. */
  readonly revision: number
  /** Sealed: the agent's reason, the input before the user edited it, the user's reason. */
  readonly why: Buffer | null
  readonly original: Buffer | null
  readonly decision_reason: Buffer | null
  /** The client's self-reported name; null: none. */
  readonly client: string | null
  /** What the client attached to find the call by; null: nothing. */
  readonly metadata: Metadata | null
  /** JSON paths of the input that the user edited. */
  readonly changed: readonly string[] | null
  /** Sealed: descriptions of its files; null: none. */
  readonly files: readonly Buffer[] | null
  readonly credits: number
  readonly credits_used: number
  readonly decision: Decision | null
  readonly decided_by: string | null
  readonly decided_at: Date | null
  readonly approval_proof: string | null
  /** Of an approval with a passkey. */
  readonly passkey_proof: string | null
  readonly send: 'ready' | 'sending' | 'withdrawn'
  readonly attempt: number
  readonly resolution: { readonly happened: boolean; readonly by: string; readonly at: string } | null
  /** Of the account, joined: */
  readonly data_key: Buffer
  readonly account_label: string
  /** The app's origin; '' for an app with one address for all users. */
  readonly account_origin: string
  readonly account_reason: ReconnectCode | null
  /** An operator has paused the app or this endpoint. */
  readonly app_paused: boolean
}

/** SQL: descriptions of the files of call `c`. */
export const filesOfCalls = '(SELECT array_agg(f.about) FROM call_files f WHERE f.call_id = c.id) AS files'

const metadataOfCalls = '(SELECT m.metadata FROM call_metadata m WHERE m.call_id = c.id) AS metadata'

/** The columns of a CallRow, of the calls `c`. */
export const selectCalls = `
  SELECT c.*, ${filesOfCalls}, ${metadataOfCalls}, a.data_key, a.label AS account_label, a.origin AS account_origin, a.reason AS account_reason,
    coalesce(p.paused, false) OR coalesce(e.paused, false) AS app_paused
  FROM calls c JOIN accounts a ON a.id = c.account LEFT JOIN app_controls p ON p.app = c.app
  LEFT JOIN endpoint_controls e ON e.app = c.app AND e.endpoint = c.endpoint`

/** The call, if it is this user's; undefined for any other, as for one that does not exist. */
export async function findCall(db: Db, owner: string, callId: string): Promise<CallRow | undefined> {
  const rows = await queryFresh<CallRow>(db, {
    name: 'find-call',
    text: `${selectCalls} WHERE c.id = $1 AND c.owner = $2`,
    values: [callId, owner],
  })
  return rows[0]
}

/** A page of the user's calls, newest first, with ids below `before`. */
export async function listCalls(
  db: Db,
  filter: {
    readonly owner: string
    readonly status?: CallStatus | undefined
    readonly app?: string | undefined
    readonly access?: Access | undefined
    /** Omits calls that await a decision. */
    readonly decided?: boolean
    /** Omits calls with a recorded resolution. */
    readonly unresolved?: boolean
    /** The user, or the approval rule, that decided. */
    readonly decidedBy?: string | undefined
    readonly before?: string | undefined
    readonly limit: number
  },
): Promise<readonly CallRow[]> {
  const { rows } = await db.query<CallRow>(
    `${selectCalls} WHERE c.owner = $1 AND ($2::text IS NULL OR c.status = $2) AND ($3::text IS NULL OR c.app = $3)
       AND ($4::text IS NULL OR c.id < $4) AND ($6::text IS NULL OR c.decided_by = $6)
       AND ($7::text IS NULL OR c.access = $7) AND (NOT $8 OR c.status <> 'awaiting_confirmation')
       AND (NOT $9 OR c.resolution IS NULL) ORDER BY c.id DESC LIMIT $5`,
    [
      filter.owner,
      filter.status ?? null,
      filter.app ?? null,
      filter.before ?? null,
      filter.limit,
      filter.decidedBy ?? null,
      filter.access ?? null,
      filter.decided ?? false,
      filter.unresolved ?? false,
    ],
  )
  return rows
}

/** How many of the user's calls ended unknown and have no recorded resolution. */
export async function countUnresolved(db: Db, owner: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM calls WHERE owner = $1 AND status = 'unknown' AND resolution IS NULL`,
    [owner],
  )
  return rows[0]?.count ?? 0
}

/** What a user's decision refers to, and their reason. */
export interface DecisionOf {
  readonly proof: string | null
  /** Null: no passkey was used. */
  readonly passkeyProof: string | null
  /** Of the row that the page showed. */
  readonly revision: number
  /** Sealed. */
  readonly reason: Buffer | null
  /** The page had no preview yet, so a preview that arrived since is not approved. */
  readonly unseen: boolean
}

/** Decides a waiting call; without `of`, whatever its content. False: decided, changed, expired. */
export async function decide(
  db: Db,
  callId: string,
  decision: Decision,
  by: string,
  of?: DecisionOf,
): Promise<boolean> {
  const { list, values } = named({
    p_call: callId,
    p_decision: decision,
    p_by: by,
    p_proof: of?.proof ?? null,
    p_revision: of?.revision ?? null,
    p_reason: of?.reason ?? null,
    p_unseen: of?.unseen ?? false,
    p_passkey_proof: of?.passkeyProof ?? null,
  })
  const { rows } = await db.query<{ won: boolean }>(`SELECT decide_call(${list}) AS won`, values)
  return rows[0]?.won === true
}

/** Withdraws a running call before its sending begins. False: too late. */
export async function withdraw(db: Db, callId: string): Promise<boolean> {
  const { rows } = await db.query<{ withdrawn: boolean }>('SELECT withdraw_call($1) AS withdrawn', [callId])
  return rows[0]?.withdrawn === true
}

/** Cancels a call for `by`, decided or not, unless its sending has begun. */
export async function takeBack(db: Db, callId: string, by: string): Promise<boolean> {
  // Not pending, or approved a moment ago: it can still be withdrawn.
  return (await decide(db, callId, 'cancelled', by)) || (await withdraw(db, callId))
}

/**
 * Ends a running call; returns the status that stands. `sender`: holder of the send lease, who
 * alone ends a write it was used for. `attempt` null: the current one; a write that may have been
 * sent is then unknown, whatever `end` says.
 */
export async function settle(
  db: Db,
  callId: string,
  attempt: number | null,
  end: End,
  sender: number | null = null,
): Promise<CallStatus> {
  return settleBy('settle_call', db, callId, attempt, end, sender)
}

/** Like `settle`, but notifies waiting clients after the commit, without delaying others. */
export async function settleSent(
  { db, endings }: { readonly db: Db; readonly endings: EndingsTold },
  callId: string,
  attempt: number,
  end: End,
  sender: number | null = null,
): Promise<CallStatus> {
  const status = await settleBy('settle_call_untold', db, callId, attempt, end, sender)
  if (isFinal(status)) endings.tell(callId)
  return status
}

interface End {
  readonly status: CallStatus
  readonly output?: Buffer
  readonly error?: Buffer
  readonly code?: string
}

async function settleBy(
  settler: 'settle_call' | 'settle_call_untold',
  db: Db,
  callId: string,
  attempt: number | null,
  end: End,
  sender: number | null,
): Promise<CallStatus> {
  const { list, values } = named({
    p_call: callId,
    p_attempt: attempt,
    p_status: end.status,
    p_output: end.output,
    p_error: end.error,
    p_error_code: end.code,
    p_sender: sender,
  })
  const text = `SELECT ${settler}(${list}) AS status`
  const { rows } = await db.query<{ status: CallStatus }>({ name: settler, text, values })
  const status = rows[0]?.status
  if (status === undefined) throw new Error('a call to settle does not exist')
  return status
}

/** Ends an open call, decided or not, as unknown; returns the status that stands. */
export function endForgotten(pool: Pool, callId: string): Promise<CallStatus> {
  return transaction(pool, async (db) => {
    await db.query(`UPDATE calls SET status = 'running' WHERE id = $1 AND status = 'awaiting_confirmation'`, [callId])
    return settle(db, callId, null, { status: 'unknown' })
  })
}
