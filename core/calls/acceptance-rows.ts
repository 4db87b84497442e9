import type { Access } from '../../schemas/call.ts'
import type { Standing } from '../approvals/standing.ts'
import { named } from '../database/named.ts'
import { commit } from '../database/pool.ts'
import { keepFiles, withinLimit } from '../files/files.ts'
import type { SealedFile } from '../files/files.ts'
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
  /** Sealed; undefined: it is rendered later. */
  readonly request: Buffer | undefined
  readonly files: readonly SealedFile[]
  /** Sealed. */
  readonly why: Buffer | undefined
  /** What the program that asks says of itself. */
  readonly client: string | undefined
  /** Something is to be looked up in the app before the person is asked. */
  readonly prepare: boolean
  readonly credits: number
  readonly idempotencyKey: string | undefined
  readonly requestHash: Buffer | undefined
  /** Of the calls that wait, or of those that run. */
  readonly maxOpen: number
  /** What may approve it at once; it then counts as one of `maxRunning` calls that run. */
  readonly standing: Standing | undefined
  readonly maxRunning: number
  /** Its answer is due until it was handed over. */
  readonly answerDue: boolean
}

/** `approved_by`: the standing approval that approves it, if one does. */
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

/** Writes the call with all that belongs to it, or nothing: one statement, one transaction. Throws CommitLost, and too_many_waiting for its files. */
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
    p_definition_version: '',
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
  const statement = call.files.length === 0 ? plain : withFiles(plain, call.files)
  const [accepted] = await withinLimit(() => commit<AcceptOutcome>(pool, statement))
  if (accepted === undefined) throw new Error('accept_call() returned nothing')
  return accepted
}

/** Keeps the files of the call that it accepts. */
function withFiles({ text, values }: { text: string; values: unknown[] }, files: readonly SealedFile[]) {
  const keeps = keepFiles('call_id', files, values.length)
  return {
    text: `WITH accepted AS MATERIALIZED (${text}),
        kept AS MATERIALIZED (SELECT ${keeps.text} FROM accepted WHERE outcome = 'accepted')
      SELECT accepted.* FROM accepted LEFT JOIN kept ON true`,
    values: [...values, ...keeps.values],
  }
}
