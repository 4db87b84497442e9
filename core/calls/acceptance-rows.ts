import type { Access } from '../../schemas/call.ts'
import type { Standing } from '../approvals/standing.ts'
import { commit } from '../database/pool.ts'
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
  readonly definitionVersion: string
  readonly credits: number
  readonly idempotencyKey: string | undefined
  readonly requestHash: Buffer | undefined
  /** Of the calls that wait, or of those that run. */
  readonly maxOpen: number
  /** What may approve it at once; it then counts as one of `maxRunning` calls that run. */
  readonly standing: Standing | undefined
  readonly maxRunning: number
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

/** Writes the call with all that belongs to it, or nothing: one statement, one transaction. Throws CommitLost. */
export async function acceptCall(pool: Pool, call: NewCall): Promise<AcceptOutcome> {
  const { standing } = call
  const [accepted] = await commit<AcceptOutcome>(pool, {
    name: 'accept-call',
    text: 'SELECT * FROM accept_call($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)',
    values: [
      call.id,
      call.owner,
      call.keyId,
      call.app,
      call.endpoint,
      call.account,
      call.access,
      call.confirm,
      call.expirySeconds,
      call.input,
      call.contentHash,
      call.definitionVersion,
      call.credits,
      call.idempotencyKey ?? null,
      call.requestHash ?? null,
      call.maxOpen,
      standing?.ids ?? null,
      standing?.perDay ?? null,
      standing?.proofs ?? null,
      standing?.decideUntil ?? null,
      call.maxRunning,
    ],
  })
  if (accepted === undefined) throw new Error('accept_call() returned nothing')
  return accepted
}
