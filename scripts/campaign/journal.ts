import { callStatuses, isFinal } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'

export type Told = 'approved' | 'rejected' | 'cancelled'

/** Answers that clients and users received, to be compared with the database and the sandbox. */
export class Journal {
  /** Every call id in any answer. */
  readonly seen = new Set<string>()
  /** The call ids returned for an Idempotency-Key. */
  readonly byKey = new Map<string, Set<string>>()
  /** The final status shown to a client. */
  readonly finals = new Map<string, CallStatus>()
  /** Calls whose approve button was pressed by their owner. */
  readonly pressed = new Set<string>()
  /** Decisions confirmed to the client or user who made them. */
  readonly told = new Map<string, Set<Told>>()
  /** Counts of answers by status or error. */
  readonly answers = new Map<string, number>()
  /** Answers that no client should ever receive. */
  readonly complaints: string[] = []

  sawCall(callId: unknown, key: string | null): void {
    if (typeof callId !== 'string' || !callId.startsWith('call_')) return
    this.seen.add(callId)
    if (key === null) return
    const ids = this.byKey.get(key) ?? new Set()
    this.byKey.set(key, ids.add(callId))
  }

  sawStatus(callId: string, shown: unknown): void {
    const status = callStatuses.find((name) => name === shown)
    if (status === undefined) return
    const earlier = this.finals.get(callId)
    if (earlier !== undefined && earlier !== status) this.complain(`${callId} was ${earlier} and is ${status}`)
    if (isFinal(status)) this.finals.set(callId, status)
  }

  wasTold(callId: string, decision: Told): void {
    this.told.set(callId, (this.told.get(callId) ?? new Set()).add(decision))
  }

  count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }

  complain(text: string): void {
    this.complaints.push(text)
  }
}
