import type { Access } from '../../schemas/call.ts'
import type { Standing } from '../approvals/standing.ts'
import { named } from '../database/named.ts'
import { commit } from '../database/pool.ts'
import { keepFiles, withinLimit } from '../files/files.ts'
import type { SealedFile } from '../files/files.ts'
import type { Metadata } from './metadata.ts'
import type { Pool } from '../database/pool.ts'

/** A call to be written. `input` is sealed. */
export interface NewCall {
  readonly id: string
  readonly owner: string
  readonly keyId: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly access: Access
  readonly confirm: boolean
  readonly expirySeconds: number
  readonly input: Buffer
  readonly contentHash: Buffer
  /** Sealed; undefined: rendered later. */
  readonly request: Buffer | undefined
  readonly files: readonly SealedFile[]
  /** Sealed. */
  readonly why: Buffer | undefined
  /** The client's self-reported name. */
  readonly client: string | undefined
  readonly metadata: Metadata | undefined
  /** The request must be rendered, or its entities previewed, before the user is asked. */
  readonly prepare: boolean
  readonly credits: number
  readonly idempotencyKey: string | undefined
  readonly requestHash: Buffer | undefined
  /** Limit on open calls: waiting ones if `confirm`, else running ones. */
  readonly maxOpen: number
  /** Approval rules that may approve it at once; it then counts against `maxRunning`. */
  readonly standing: Standing | undefined
  readonly maxRunning: number
  /** Record that the answer is due until it is delivered. */
  readonly answerDue: boolean
}

/** `approved_by`: the id of the approval rule that approved it, if any. */
export type AcceptOutcome =
  | {
      readonly outcome: 'accepted'
      readonly created_at: Date
      readonly expires_at: Date | null
      readonly approved_by: string | null
    }
  | { readonly outcome: 'replayed'; readonly call_id: string }
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'full'; readonly approved_by: string | null }
  | { readonly outcome: 'poor'; readonly credits_left: number; readonly next_credits_at: Date }

/**
 * Writes the call and everything that belongs to it in one statement and transaction, or nothing.
 * Throws CommitLost, and too_many_waiting when its files exceed the limit.
 */
export async function acceptCall(pool: Pool, call: NewCall): Promise<AcceptOutcome> {
  const { standing } = call
  const { list, values } = named({
    p_id: call.id,
    p_owner: call.owner,
    p_key_id: call.keyId,
    p_app: call.app,
    p_endpoint: call.endpoint,
    p_account: call.account,
    p_access: call.access,
    p_confirm: call.confirm,
    p_expiry_seconds: call.expirySeconds,
    p_input: call.input,
    p_content_hash: call.contentHash,
    p_credits: call.credits,
    p_idempotency_key: call.idempotencyKey,
    p_request_hash: call.requestHash,
    p_max_open: call.maxOpen,
    p_standing: standing?.ids,
    p_per_day: standing?.perDay,
    p_proofs: standing?.proofs,
    p_decide_until: standing?.decideUntil,
    p_max_running: call.maxRunning,
    p_request: call.request,
    p_why: call.why,
    p_prepare: call.prepare,
    p_client: call.client,
    p_answer_due: call.answerDue,
  })
  const plain = { name: 'accept-call', text: `SELECT * FROM accept_call(${list})`, values }
  const kept = call.files.length === 0 ? plain : withFiles(plain, call.files)
  const statement = call.metadata === undefined ? kept : withMetadata(kept, call.id, call.metadata)
  const [accepted] = await withinLimit(() => commit<AcceptOutcome>(pool, statement))
  if (accepted === undefined) throw new Error('accept_call() returned nothing')
  return accepted
}

function withMetadata({ text, values }: { text: string; values: unknown[] }, id: string, metadata: Metadata) {
  const at = values.length
  return {
    text: `WITH result AS MATERIALIZED (${text}),
        attached AS (INSERT INTO call_metadata (call_id, metadata)
          SELECT $${at + 1}, $${at + 2}::jsonb FROM result WHERE outcome = 'accepted')
      SELECT * FROM result`,
    values: [...values, id, metadata],
  }
}

/** Stores the files in the statement that accepts the call. */
function withFiles({ text, values }: { text: string; values: unknown[] }, files: readonly SealedFile[]) {
  const keeps = keepFiles('call_id', files, values.length)
  return {
    text: `WITH accepted AS MATERIALIZED (${text}),
        kept AS MATERIALIZED (SELECT ${keeps.text} FROM accepted WHERE outcome = 'accepted')
      SELECT accepted.* FROM accepted LEFT JOIN kept ON true`,
    values: [...values, ...keeps.values],
  }
}
