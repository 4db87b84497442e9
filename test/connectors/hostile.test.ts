import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchOf, perBatch } from './hostile/grammar.ts'
import { runBatch } from './hostile/run.ts'
import type { Ran } from './hostile/run.ts'
import { hostileApp } from './hostile/server.ts'
import type { HostileApp } from './hostile/server.ts'

const all = 2_000
const perTest = 250
/** `HOSTILE_CASE=1234` runs that case alone, and prints its definition. */
const alone = process.env['HOSTILE_CASE']
const numbers = Array.from({ length: all / perTest }, (_, at) => at * perTest)

let app: HostileApp
beforeAll(async () => {
  app = await hostileApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function ranOf(from: number, to: number): Promise<readonly Ran[]> {
  const ran: Ran[] = []
  for (let batch = Math.floor(from / perBatch); batch * perBatch < to; batch++)
    ran.push(
      ...(await runBatch(
        app,
        batchOf(batch, ({ number }) => number >= from && number < to),
      )),
    )
  return ran
}

function different(ran: readonly Ran[]): readonly string[] {
  return ran.flatMap(({ one, differences }) =>
    differences.map((what) => `HOSTILE_CASE=${one.number}: ${JSON.stringify(what)}`),
  )
}

if (alone === undefined) describe('what the page shows of a hostile connector is what leaves', allOfThem)
else it('one case alone', () => oneOfThem(Number(alone)))

function allOfThem(): void {
  const ends: Ran[] = []

  it.each(numbers)('cases from %i', { timeout: 300_000 }, async (from) => {
    const ran = await ranOf(from, from + perTest)
    ends.push(...ran)
    expect(ran).toHaveLength(perTest)
    expect(different(ran)).toEqual([])
    const benign = ran.filter(({ one }) => one.isBenign)
    expect(benign.length).toBeGreaterThan(perTest / 20)
    expect(benign.filter(({ end }) => end !== 'sent').map(({ one, end }) => `${one.number}: ${end}`)).toEqual([])
  })

  it('of the hostile ones, many are sent, and many are refused for many reasons', () => {
    const hostile = ends.filter(({ one }) => !one.isBenign)
    const sent = hostile.filter(({ end }) => end === 'sent')
    const counted = Map.groupBy(hostile, ({ end }) => end.replaceAll(/".*?"|\d+/gs, '…').slice(0, 60))
    const reasons = [...counted]
      .map(([end, own]) => `${own.length} ${end}`)
      .toSorted((a, b) => parseInt(b) - parseInt(a))
    console.log(`${ends.length} cases, ${sent.length} hostile ones sent:\n${reasons.join('\n')}`)
    expect(sent.length).toBeGreaterThan(ends.length / 10)
    expect(reasons.length).toBeGreaterThan(20)
  })
}

async function oneOfThem(number: number): Promise<void> {
  const ran = await ranOf(number, number + 1)
  console.log(ran[0]?.one.source, ran[0]?.one.input, ran[0]?.end)
  expect(different(ran)).toEqual([])
}
