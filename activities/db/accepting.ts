import type { Access } from '../../schemas/call.ts'
import { commit } from './pool.ts'
import type { Pool } from './pool.ts'

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
}

export type AcceptOutcome =
  | { readonly outcome: 'accepted'; readonly created_at: Date; readonly expires_at: Date | null }
  | { readonly outcome: 'replayed'; readonly call_id: string }
  | { readonly outcome: 'reused' | 'full' }
  | { readonly outcome: 'poor'; readonly credits_left: number; readonly next_credits_at: Date }

/** Writes the call with all that belongs to it, or nothing: one statement, one transaction. Throws CommitLost. */
export async function acceptCall(pool: Pool, call: NewCall): Promise<AcceptOutcome> {
  const [accepted] = await commit<AcceptOutcome>(pool, {
    name: 'accept-call',
    text: 'SELECT * FROM accept_call($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)',
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
    ],
  })
  if (accepted === undefined) throw new Error('accept_call() returned nothing')
  return accepted
}
