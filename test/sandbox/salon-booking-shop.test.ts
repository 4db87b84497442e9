import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, lustra, type Lustra, type Person, type Rows } from './salon-booking-salon.ts'

let run: Lustra
let me: Person
beforeAll(async () => {
  run = await lustra()
  me = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())

interface Money {
  minor: number
  currency: { code: string; exponent: number }
}
interface Sum {
  pieces: number
  gross: Money
  rebate: Money
  given_back: Money
}
interface Takings {
  first_day: string
  last_day: string
  currency: { code: string; exponent: number }
  split: string | null
  rows: (Sum & { label: string | null })[]
  sum: Sum
}
const span = `first_day=${day(-30)}&last_day=${day(0)}`
const takings = (query: string): Promise<Takings> => me.read(`/takings?${query}`)

/** Pieces, gross, rebate, given back. */
const numbers = ({ pieces, gross, rebate, given_back }: Sum): number[] => [
  pieces,
  gross.minor,
  rebate.minor,
  given_back.minor,
]
const added = (sums: Sum[]): number[] =>
  sums.map(numbers).reduce((all, one) => all.map((value, at) => value + (one[at] ?? 0)), [0, 0, 0, 0])

test.each(['pay', 'promo', 'promo_kind'])('takings split by %s add up to those without a split', async (split) => {
  const whole = await takings(span)
  expect(whole).toMatchObject({ first_day: day(-30), last_day: day(0), split: null, rows: [] })
  for (const value of numbers(whole.sum)) expect(value).toBeGreaterThan(0)
  const parts = await takings(`${span}&split=${split}`)
  expect(parts).toMatchObject({ split, sum: whole.sum, currency: whole.currency })
  expect(added(parts.rows)).toEqual(numbers(whole.sum))
  const labels = parts.rows.map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
  expect(labels.length).toBeGreaterThan(3)
  expect(labels.includes(null)).toBe(split !== 'pay')
  for (const { label, rebate } of parts.rows) if (split !== 'pay') expect(rebate.minor > 0).toBe(label !== null)
})

test('takings add up over branches and over days, both ends included', async () => {
  const whole = await takings(span)
  const { branches } = await me.read<{ branches: { branch: string }[] }>('/setup')
  const byBranch = await Promise.all(branches.map(({ branch }) => takings(`${span}&branch=${branch}`)))
  expect(added(byBranch.map(({ sum }) => sum))).toEqual(numbers(whole.sum))
  for (const { sum } of byBranch) expect(sum.pieces).toBeGreaterThan(0)
  const byDay = await Promise.all(Array.from({ length: 31 }, (_, ago) => takings(`first_day=${day(-ago)}`)))
  expect(added(byDay.map(({ sum }) => sum))).toEqual(numbers(whole.sum))
  expect(numbers((await takings(`first_day=${day(3)}`)).sum)).toEqual([0, 0, 0, 0])
})

test('tips and service charges are on the receipts, but not in the takings', async () => {
  let extras = 0
  for (let ago = 1; ago <= 5; ago++) {
    const page = await (await me.get(`/takings?first_day=${day(-ago)}`)).text()
    const lines = [...page.matchAll(/data-gross="(\d+)" data-tip="(\d+)" data-service="(\d+)"/g)]
    const sum = (at: number): number => lines.reduce((all, line) => all + Number(line[at]), 0)
    expect((await takings(`first_day=${day(-ago)}`)).sum.gross.minor).toBe(sum(1))
    extras += sum(2) + sum(3)
  }
  expect(extras).toBeGreaterThan(0)
})

test('menu and team are those of the salon, or of one branch', async () => {
  interface Row {
    branches: string[]
  }
  const { branches } = await me.read<{ branches: { branch: string }[] }>('/setup')
  for (const path of ['/menu', '/team']) {
    const all = await me.read<{ total: number; rows: Row[] }>(path)
    expect(all.total).toBe(all.rows.length)
    const sizes = new Set<number>()
    for (const { branch } of branches) {
      const some = await me.read<{ rows: Row[] }>(`${path}?branch=${branch}`)
      expect(some.rows).toEqual(all.rows.filter((row) => row.branches.includes(branch)))
      sizes.add(some.rows.length)
    }
    expect(sizes.size).toBeGreaterThan(1)
    expect(await me.denied(`${path}?branch=x`)).toEqual([422, 'BRANCH_UNKNOWN'])
  }
})

const reads: Record<string, string> = {
  diary: `/visits?first_day=${day(0)}`,
  guests: '/guests',
  takings: `/takings?first_day=${day(0)}`,
  wallet: '/payouts',
}

test.each([
  ['owner', ['diary', 'guests', 'takings', 'wallet']],
  ['manager', ['diary', 'guests', 'takings', 'wallet']],
  ['front_desk', ['diary', 'guests']],
  ['stylist', ['diary']],
])('the role %s has the rights %j, and everything else is refused', async (kind, rights) => {
  const person = await run.newcomer(kind)
  expect(await person.read('/me')).toMatchObject({ who: { role: kind, rights } })
  for (const [right, path] of Object.entries(reads)) {
    expect(await person.denied(path)).toEqual(rights.includes(right) ? [200, undefined] : [403, 'RIGHT_MISSING'])
  }
  const added_ = await person.write('/guests', { full_name: 'Bo' })
  expect(added_.status).toBe(rights.includes('guests') ? 201 : 403)
  expect(await run.effects(person)).toHaveLength(rights.includes('guests') ? 1 : 0)
})

test('a salon without card payments has no payouts, and nobody pays out more than there is', async () => {
  const cash = await run.newcomer('cash_owner')
  expect(await cash.denied('/payouts')).toEqual([422, 'PAYMENTS_OFF'])
  expect(await cash.denied(reads['takings']!)).toEqual([200, undefined])
  const person = await run.newcomer()
  for (const [gross, code] of [
    ['99999999', 'AMOUNT_TOO_HIGH'],
    ['1.5', 'AMOUNT_INVALID'],
    ['', 'AMOUNT_INVALID'],
  ] as const) {
    const answer = await person.form('/wallet/pay-out', { gross })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(`data-code="${code}"`)])
  }
  const before = await person.read<Rows<unknown>>('/payouts')
  expect((await person.form('/wallet/pay-out', { gross: '5000' })).status).toBe(303)
  expect((await person.read<Rows<unknown>>('/payouts')).total).toBe(before.total + 1)
})
