import { callStatuses, isFinal } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'

export type Told = 'approved' | 'rejected' | 'cancelled'

/** What the clients and people of a campaign were told: in the end the database and the sandbox are held against it. */
export class Journal {
  /** Every call id that any answer showed. */
  readonly seen = new Set<string>()
  /** The call ids that came back for an Idempotency-Key. */
  readonly byKey = new Map<string, Set<string>>()
  /** The final status that somebody was shown. */
  readonly finals = new Map<string, CallStatus>()
  /** Calls whose approve button was pressed by their owner. */
  readonly pressed = new Set<string>()
  /** Decisions that were confirmed to whoever made them. */
  readonly told = new Map<string, Set<Told>>()
  /** Answers by status, or by what was wrong with them. */
  readonly answers = new Map<string, number>()
  /** What no client should ever see. */
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
