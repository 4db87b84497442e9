import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { day, lustra, type Lustra, type Person, type Visit } from './salon-booking-salon.ts'

let run: Lustra
let me: Person
let reader: Person
beforeAll(async () => {
  run = await lustra()
  reader = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())
const asNewcomer = async (): Promise<void> => {
  me = await run.newcomer()
}

interface Guest {
  guest: string
  full_name: string
  mail: string | null
  mobile: string | null
  branch: string
  last_seen: string | null
}
interface Payout {
  payout: string
  paid_on: string
  kind: string
  gross: { minor: number }
  charges: { minor: number }
  arrives: { minor: number }
}

const always = `/visits?first_day=${day(-500)}&last_day=${day(60)}`
/** Seconds of a local time. */
function moment(local: string, zone: string): number {
  const naive = Date.parse(`${local.replaceAll('/', '-').replace(' ', 'T')}Z`)
  const shown = new Date(naive).toLocaleString('sv', { timeZone: zone }).replace(' ', 'T')
  return (naive - (Date.parse(`${shown}Z`) - naive)) / 1000
}

describe('what is found', () => {
  beforeEach(asNewcomer)

  test('visits are sorted by the moment at which they begin, over all time zones', async () => {
    const rows = await me.readOn<Visit>(`/visits?first_day=${day(1)}&last_day=${day(20)}`, 200)
    const times = rows.map(({ begin_local, tz }) => moment(begin_local, tz))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(rows.map(({ tz }) => tz)).size).toBeGreaterThan(2)
  })

  test.each([
    ['state', (visit: Visit) => visit.state.code],
    ['state', (visit: Visit) => visit.state.label],
    ['guest', (visit: Visit) => visit.guest.guest],
    ['stylist', (visit: Visit) => visit.stylist.stylist],
    ['branch', (visit: Visit) => visit.branch],
  ] as const)('visits are filtered by %s, and each value finds what has it', async (name, valueOf) => {
    const all = await me.readOn<Visit>(always, 200)
    const values = [...new Set(all.map(valueOf))].slice(0, 8)
    expect(values.length).toBeGreaterThan(3)
    for (const value of values) {
      if (['Booked', 'Confirmed', 'Completed', 'Cancelled', 'No-show'].includes(value)) continue
      const some = await me.readOn<Visit>(`${always}&${name}=${encodeURIComponent(value)}`, 200)
      expect(some).toEqual(all.filter((visit) => valueOf(visit) === value))
      expect(some.length).toBeLessThan(all.length)
    }
    expect(await me.readOn(`${always}&state=any`, 200)).toEqual(all)
  })

  test('a window of visits holds its first day and its last, at each branch by its own calendar', async () => {
    const all = await me.readOn<Visit>(always, 200)
    const dayOf = ({ begin_local }: Visit): string => begin_local.slice(0, 10)
    const some = await me.readOn<Visit>(`/visits?first_day=${day(-2)}&last_day=${day(3)}`, 200)
    expect(some).toEqual(all.filter((visit) => dayOf(visit) >= day(-2) && dayOf(visit) <= day(3)))
    for (const edge of [day(-2), day(3)]) {
      const only = await me.readOn<Visit>(`/visits?first_day=${edge}`, 200)
      expect(only).toEqual(some.filter((visit) => dayOf(visit) === edge))
      expect(only.length).toBeGreaterThan(0)
    }
  })

  test('guests are sorted from A to Z, and found by name, e-mail and telephone', async () => {
    const all = await me.readOn<Guest>('/guests', 500)
    const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    const latin = all.filter(
      ({ full_name }) => /^[\p{Script=Latin}\p{M} ’]+$/u.test(full_name) && !/[łøß]/i.test(full_name),
    )
    expect(latin.length).toBeGreaterThan(60)
    const names = latin.map(({ full_name }) => fold(full_name))
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    const found = async (q: string): Promise<Guest[]> => me.readOn(`/guests?q=${encodeURIComponent(q)}`, 500)
    const garcia = all.filter(({ full_name }) => full_name.includes('García'))
    for (const q of ['García', 'GARCIA', ' garci']) expect(await found(q)).toEqual(garcia)
    expect(await found('מרים')).toEqual([])
    expect(await found('نوعة')).toEqual([])
    expect((await found('הפ')).length + (await found('דוד')).length).toBeGreaterThan(0)
    const some = all.find(({ mail, mobile }) => mail !== null && mobile !== null)!
    expect(await found(some.mail!.toUpperCase())).toEqual([some])
    expect(await found(some.mobile!.slice(5))).toContainEqual(some)
    expect(await found(some.mobile!.replaceAll(' ', '').slice(4))).toContainEqual(some)
    expect(await found('%')).toEqual([])
  })

  test('guests are filtered by branch, and by the day of their last visit, which neither called off nor missed ones count for', async () => {
    const all = await me.readOn<Guest>('/guests', 500)
    const { branches } = await me.read<{ branches: { branch: string }[] }>('/setup')
    for (const { branch } of branches) {
      const some = await me.readOn<Guest>(`/guests?branch=${branch}`, 500)
      expect(some).toEqual(all.filter((guest) => guest.branch === branch))
      expect(some.length).toBeGreaterThan(10)
    }
    const limit = all
      .map(({ last_seen }) => last_seen)
      .filter((seen) => seen !== null)
      .toSorted()[30]!
    const gone = await me.readOn<Guest>(`/guests?not_seen_since=${limit}`, 500)
    expect(gone).toEqual(all.filter(({ last_seen }) => last_seen !== null && last_seen < limit))
    expect(gone.length).toBeGreaterThan(5)
    expect(all.some(({ last_seen }) => last_seen === null)).toBe(true)
    const visits = await me.readOn<Visit>(always, 200)
    for (const { guest, last_seen } of all) {
      const been = visits.filter(
        (visit) =>
          visit.guest.guest === guest &&
          !['called_off', 'missed'].includes(visit.state.code) &&
          moment(visit.begin_local, visit.tz) <= Date.now() / 1000,
      )
      expect(last_seen).toBe(
        been
          .map(({ begin_local }) => begin_local.slice(0, 10))
          .toSorted()
          .at(-1) ?? null,
      )
    }
  })

  test('payouts are newest first, of both kinds, within their days, and what arrives is what is left of them', async () => {
    const all = await me.readOn<Payout>(`/payouts?first_day=${day(-90)}`, 200)
    const days = all.map(({ paid_on }) => paid_on)
    expect(days).toEqual(days.toSorted().toReversed())
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['auto', 'by_hand']))
    for (const { gross, charges, arrives } of all) expect(arrives.minor).toBe(gross.minor - charges.minor)
    expect(await me.readOn('/payouts', 200)).toEqual(all.filter(({ paid_on }) => paid_on >= day(-30)))
    const some = await me.readOn<Payout>(`/payouts?first_day=${day(-20)}&last_day=${day(-10)}`, 200)
    expect(some).toEqual(all.filter(({ paid_on }) => paid_on >= day(-20) && paid_on <= day(-10)))
    expect(some.length).toBeGreaterThan(10)
  })
})
test.each([
  ['/visits', 'PARAM_INVALID'],
  ['/visits?first_day=2026-01-01', 'PARAM_INVALID'],
  ['/visits?first_day=2026/02/30', 'PARAM_INVALID'],
  ['/visits?first_day=2026/01/02&last_day=2026/01/01', 'PARAM_INVALID'],
  ['/visits?first_day=2026/01/01&state=booked', 'STATE_UNKNOWN'],
  ['/visits?first_day=2026/01/01&guest=x', 'GUEST_UNKNOWN'],
  ['/visits?first_day=2026/01/01&stylist=x', 'STYLIST_UNKNOWN'],
  ['/visits?first_day=2026/01/01&branch=x', 'BRANCH_UNKNOWN'],
  ['/visits?first_day=2026/01/01&limit=201', 'PARAM_INVALID'],
  ['/guests?limit=501', 'PARAM_INVALID'],
  ['/guests?limit=0', 'PARAM_INVALID'],
  ['/guests?offset=-1', 'PARAM_INVALID'],
  ['/guests?as_of=1-2-3', 'AS_OF_INVALID'],
  ['/guests?not_seen_since=yesterday', 'PARAM_INVALID'],
  ['/payouts?first_day=x', 'PARAM_INVALID'],
  ['/takings', 'PARAM_INVALID'],
  ['/takings?first_day=2026/01/01&split=day', 'PARAM_INVALID'],
  ['/openings?day=2026/01/01', 'ITEMS_REQUIRED'],
  ['/openings?menu_item=x', 'PARAM_INVALID'],
])('%s is refused with %s', async (path, code) => {
  expect(await reader.denied(path)).toEqual([422, code])
})
