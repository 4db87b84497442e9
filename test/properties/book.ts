import { expect } from 'vitest'
import type { Plan } from '../../core/users/rows.ts'

/** The sizes while a property is tested: so small that they run out. */
export const monthlyCredits: Readonly<Record<Plan, number>> = { none: 0, small: 9, medium: 16, large: 40 }

export interface BookedCall {
  readonly id: string
  readonly credits: number
  status: 'awaiting_confirmation' | 'running' | 'executed' | 'failed' | 'unknown' | 'rejected' | 'cancelled'
  attempt: number
  sending: boolean
  /** The month whose credits it holds. */
  held: string | null
  used: number
  refunded: number
  readonly access: 'read' | 'write'
}

/** One owner's credits as the contract tells them, kept without the database. */
export class Book {
  available = 0
  reserved = 0
  readonly calls: BookedCall[] = []
  #plan: Plan
  #now: string
  /** The month that the balance is of; null before anything was asked. */
  #month: string | null = null
  /** What the month brought. */
  #granted = 0

  constructor(plan: Plan, month: string) {
    this.#plan = plan
    this.#now = month
  }

  call(number: number): BookedCall | undefined {
    return this.calls[number % Math.max(1, this.calls.length)]
  }

  turnMonth(): void {
    const [year = 0, month = 0] = this.#now.split('-').map(Number)
    this.#now = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
  }

  accept(accepted: { readonly id: string; readonly credits: number } | 'poor', confirm: boolean): void {
    this.#look()
    if (accepted === 'poor') {
      expect(this.available, 'refused for want of credits').toBeLessThan(3)
      return
    }
    const { id, credits } = accepted
    expect(this.available).toBeGreaterThanOrEqual(credits)
    const status = confirm ? 'awaiting_confirmation' : 'running'
    const access = credits === 1 ? 'read' : 'write'
    const one: BookedCall = {
      id,
      credits,
      status,
      access,
      attempt: 0,
      sending: false,
      held: null,
      used: 0,
      refunded: 0,
    }
    this.#hold(one)
    this.calls.push(one)
  }

  settle(one: BookedCall, end: 'executed' | 'failed' | 'unknown'): void {
    if (one.status !== 'running') return
    one.status = end
    if (end !== 'executed') return this.#release(one)
    if (one.held === null) return
    this.reserved -= one.credits
    one.used = one.credits
    one.held = null
  }

  decide(one: BookedCall, as: 'approved' | 'rejected' | 'cancelled'): boolean {
    if (one.status !== 'awaiting_confirmation') return false
    one.status = as === 'approved' ? 'running' : as
    if (as !== 'approved') this.#release(one)
    return true
  }

  send(one: BookedCall): boolean {
    if (one.status !== 'running' || (one.sending && one.access === 'write')) return false
    one.sending = true
    return true
  }

  withdraw(one: BookedCall): boolean {
    if (one.status !== 'running' || one.sending) return false
    one.status = 'cancelled'
    this.#release(one)
    return true
  }

  block(one: BookedCall): boolean {
    if (one.status !== 'running') return false
    one.attempt++
    one.sending = false
    this.#release(one)
    return true
  }

  reserve(one: BookedCall): boolean {
    if (one.held !== null) return true
    this.#look()
    if (this.available < one.credits) return false
    this.#hold(one)
    return true
  }

  /** The credits that come back. */
  refund(one: BookedCall): number {
    const back = one.used - one.refunded
    if (back <= 0) return 0
    this.#look()
    this.available += back
    one.refunded = one.used
    return back
  }

  /** The credits that come on top. */
  changePlan(plan: Plan): number {
    this.#look()
    this.#plan = plan
    const more = Math.max(0, monthlyCredits[plan] - this.#granted)
    this.available += more
    this.#granted += more
    return more
  }

  #hold(one: BookedCall): void {
    this.available -= one.credits
    this.reserved += one.credits
    one.held = this.#month
  }

  /** Credits of a month that is over lapse. */
  #release(one: BookedCall): void {
    if (one.held === null) return
    this.#look()
    this.reserved -= one.credits
    if (one.held === this.#month) this.available += one.credits
    one.held = null
  }

  /** Whoever looks first in a month gets its credits; what was left has lapsed. */
  #look(): void {
    if (this.#month === this.#now) return
    this.#month = this.#now
    this.#granted = monthlyCredits[this.#plan]
    this.available = this.#granted
  }
}
