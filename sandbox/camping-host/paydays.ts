import type { SignedIn } from '../platform/types.ts'
import { need, ownHost, todayHere } from './host.ts'
import { listPaidStays, totalOf, type Stay } from './stays.ts'

/** Money for stays that are over: those of four days and one currency together. */
export interface Payday {
  on: number
  state: 'PLANNED' | 'ON_WAY' | 'PAID'
  cur: string
  net: number
  stays: { stay: Stay; net: number }[]
}

const length = 4
const feePct = 10

function stateOf(on: number, today: number): Payday['state'] {
  if (on > today) return 'PLANNED'
  return on >= today - 3 ? 'ON_WAY' : 'PAID'
}

/** Newest first, from a day on. */
export function listPaydays(request: SignedIn, since: number): Payday[] {
  need(request, 'money')
  const { anchor } = ownHost(request)
  const today = todayHere(request)
  const days = new Map<string, Payday>()
  for (const stay of listPaidStays(request)) {
    const on = anchor + Math.floor((stay.leave - anchor) / length) * length + length + 1
    if (on < since) continue
    const key = `${on} ${stay.cur}`
    const payday = days.get(key) ?? { on, state: stateOf(on, today), cur: stay.cur, net: 0, stays: [] }
    const net = Math.round((totalOf(stay) * (100 - feePct)) / 100)
    payday.net += net
    payday.stays.push({ stay, net })
    days.set(key, payday)
  }
  return [...days.values()].toSorted((a, b) => b.on - a.on || (a.cur < b.cur ? -1 : 1))
}
