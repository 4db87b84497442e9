import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { accepted, dayAhead, idAt, iso, openSalon, span, ticket, tickets, whole } from './pet-salon-salon.ts'
import type { Alert, Ticket, Wait } from './pet-salon-salon.ts'

let app: OpenApp
let demo: AppPerson
beforeAll(async () => {
  app = await openSalon()
  demo = await app.person()
})
beforeEach(() => app.reset())
afterAll(() => app[Symbol.asyncDispose]())

const begin = ({ d, t }: Ticket): string => `${iso(d)} ${t}`

test('tickets are those of the days and the employee, by begin; one day is the default', async () => {
  const all = await tickets(demo, -3, 3)
  expect(all.map(begin)).toEqual(all.map(begin).toSorted())
  expect(new Set(all.map(({ d }) => d)).size).toBe(7)
  const day = await whole<Ticket>(demo, `/cloud/data/tkts?f=${dayAhead(2)}`)
  expect(day).toEqual(all.filter(({ d }) => d === dayAhead(2)))
  const emp = idAt(demo, 'E', 2)
  const own = await whole<Ticket>(demo, `/cloud/data/tkts?${span(-3, 3)}&emp=${emp}`)
  expect(own).toEqual(all.filter((row) => row.emp.emp === emp))
  expect(own.length).toBeGreaterThan(0)
  expect(own.length).toBeLessThan(all.length)
})

test('clients are found by name, e-mail and telephone in part, best match first', async () => {
  const find = (q: string) => whole<{ cl: string; nm: string }>(demo, `/cloud/data/clients?q=${encodeURIComponent(q)}`)
  expect((await find('MARTHA BENJAMIN')).map(({ nm }) => nm)).toEqual(['Martha Benjamin', 'Martha Benjamins'])
  const names = (await find('br')).map(({ nm }) => nm)
  expect(names.length).toBeGreaterThan(5)
  expect(names.every((nm) => /\bbr/i.test(nm))).toBe(true)
  expect((await find('zoe')).map(({ nm }) => nm)).toContain('Zoë Thomas')
  expect((await find('5513')).map(({ cl }) => cl)).toEqual([idAt(demo, 'C', 4)])
  expect((await find('+290 5513-4021')).map(({ cl }) => cl)).toEqual([idAt(demo, 'C', 4)])
  expect((await find('benjam.4@')).map(({ cl }) => cl)).toEqual([idAt(demo, 'C', 4)])
  expect((await find('כהן')).map(({ cl }) => cl)).toEqual([idAt(demo, 'C', 3)])
  const inner = (await find('an')).map(({ nm }) => nm)
  const firstInside = inner.findIndex((nm) => !/^an/i.test(nm))
  expect(firstInside).toBeGreaterThan(0)
  expect(inner.slice(firstInside).some((nm) => /^an/i.test(nm))).toBe(false)
  expect(await find('nobody at all')).toEqual([])
})

test('alerts are what has expired, and on demand what expires within three months, soonest first', async () => {
  const alerts = (query: string) => whole<Alert>(demo, `/cloud/data/vaxalerts?${query}`)
  const all = await alerts('before=01/01/2050')
  const days = all.map(({ exp }) => iso(exp))
  expect(days).toEqual(days.toSorted())
  const edge = new Date(`${iso(dayAhead(0))}T00:00:00Z`)
  edge.setUTCMonth(edge.getUTCMonth() + 3)
  expect((days.at(-1) ?? '') <= edge.toISOString().slice(0, 10)).toBe(true)
  const expired = all.filter(({ exp }) => iso(exp) < iso(dayAhead(0)))
  expect(await alerts('')).toEqual(expired)
  expect(expired.length).toBeGreaterThan(50)
  expect(expired.length).toBeLessThan(all.length)
  const before = all[20]?.exp ?? ''
  expect(await alerts(`before=${before}`)).toEqual(all.filter(({ exp }) => iso(exp) < iso(before)))
  const coming = await alerts('before=01/01/2050&coming=1')
  expect(coming).toEqual(all.filter(({ next }) => next !== null))
  expect(coming.length).toBeGreaterThan(0)
  expect(coming.length).toBeLessThan(all.length)
})

test('the waiting list is narrowed to who prefers a day; services to a category', async () => {
  const all = await whole<Wait>(demo, '/cloud/data/waits')
  const some = await whole<Wait>(demo, `/cloud/data/waits?d=${dayAhead(9)}`)
  expect(some).toEqual(all.filter(({ pref }) => pref.some(({ d }) => d === dayAhead(9))))
  expect(some.length).toBeGreaterThan(2)
  expect(await whole(demo, `/cloud/data/waits?d=${dayAhead(300)}`)).toEqual([])
  const services = (query: string) => demo.read<{ rows: { ctg: string }[] }>(`/cloud/data/svcs${query}`)
  const { rows } = await services('')
  expect((await services('?ctg=Cats')).rows).toEqual(rows.filter(({ ctg }) => ctg === 'Cats'))
  expect(await demo.denied('/cloud/data/svcs?ctg=Dogs')).toEqual([404, 'CTG_NOT_FOUND'])
})

test('lists are read to their end as they were, while people book, change and void', async () => {
  const waiting = await whole<Wait>(demo, '/cloud/data/waits')
  const before = await tickets(demo, 2, 4)
  const ahead = before.filter(({ st }) => st.c === 'SCH')
  let used = 0
  const busy = async (page: number): Promise<void> => {
    if (page % 6 !== 0) return
    const wl = waiting[used * 2]?.wl ?? ''
    const d = dayAhead(2 + (used++ % 3))
    const { tkt } = await accepted(demo, '/cloud/book', { wl, d, t: '18:00', svc: idAt(demo, 'S', 12) })
    await accepted(demo, `/cloud/tkt/${tkt}/edit`, { t: '18:30' })
    await accepted(demo, `/cloud/tkt/${ahead[used]?.tkt}/void`, { why: `page ${page}` })
  }
  expect(await whole(demo, `/cloud/data/tkts?${span(2, 4)}`, 1, busy)).toEqual(before)
  expect((await tickets(demo, 2, 4)).length).toBe(before.length + used)
  const left = await whole<Wait>(demo, '/cloud/data/waits')
  expect(left).toHaveLength(waiting.length - used)
  const shots = async (page: number): Promise<void> => {
    if (page === 3)
      await demo.wrote('POST', `/cloud/data/pets/${idAt(demo, 'P', 1)}/shots`, { vx: 'RAB', exp: dayAhead(1) })
  }
  const alerts = '/cloud/data/vaxalerts?before=01/01/2050'
  const known = await whole(demo, alerts)
  expect(await whole(demo, alerts, 10, shots)).toEqual(known)
  expect(await whole(demo, alerts)).toHaveLength(known.length + 1)
  expect(await whole(demo, '/cloud/data/clients', 7)).toEqual(await whole(demo, '/cloud/data/clients'))
})

test('reports add up to the tickets that they are about', async () => {
  type Report = { cols: { k: string }[]; rows: (string | number)[][] }
  const run = (nm: string, rest = `&${span(-9, -5)}`): Promise<Report> => demo.read(`/cloud/data/rpt?nm=${nm}${rest}`)
  const rows = (await tickets(demo, -9, -5)).filter(({ st }) => st.c === 'OUT')
  const details = await Promise.all(rows.map(({ tkt }) => ticket(demo, tkt)))
  const sold = details.flatMap(({ svcs }) => svcs.map(({ pence }) => pence)).reduce((sum, pence) => sum + pence, 0)
  const total = ({ rows }: Report, place: number): number => rows.reduce((sum, row) => sum + Number(row[place]), 0)
  expect(total(await run('Sales By Employee Category'), 3)).toBe(sold)
  expect(total(await run('Sales By Service'), 3)).toBe(sold)
  expect(total(await run('Daily Totals'), 2)).toBe(sold)
  const [one] = rows
  const ofOne = await run('Sales By Employee Category', `&${span(-9, -5)}&emp=${one?.emp.emp}`)
  expect(new Set(ofOne.rows.map(([name]) => name))).toEqual(new Set([one?.emp.nm]))
  const voids = (await tickets(demo, -40, 40)).filter(({ st }) => st.c === 'VOI').map(({ tkt }) => tkt)
  expect((await run('Voided Tickets', `&${span(-40, 40)}`)).rows.map(([tkt]) => tkt)).toEqual(voids)
  for (const nm of ['Client Balances', 'Pets By Breed']) expect((await run(nm, '')).rows.length).toBeGreaterThan(5)
  expect((await run('Employee Booked Time')).rows.length).toBeGreaterThan(5)
})

test('unknown, repeated and senseless parameters are refused', async () => {
  const other = await (await app.person('stranger')).read<{ as_of: string }>('/cloud/data/waits')
  const refused: [string, number, string][] = [
    ['tkts', 400, 'PARAM_REQUIRED'],
    ['tkts?f=2026-12-31', 400, 'PARAM_INVALID'],
    ['tkts?f=31/02/2026', 400, 'PARAM_INVALID'],
    ['tkts?f=02/01/2026&t=01/01/2026', 400, 'SPAN_BACKWARDS'],
    ['tkts?f=01/01/2026&t=02/01/2027', 422, 'SPAN_TOO_LONG'],
    ['waits?lim=0', 400, 'PARAM_INVALID'],
    ['waits?lim=1001', 400, 'PARAM_INVALID'],
    ['clients?lim=101', 400, 'PARAM_INVALID'],
    ['waits?lim=5&lim=6', 400, 'PARAM_INVALID'],
    ['waits?day=01/01/2026', 400, 'PARAM_UNKNOWN'],
    [`waits?as_of=${other.as_of}`, 400, 'AS_OF_UNKNOWN'],
    ['vaxalerts?coming=yes', 400, 'PARAM_INVALID'],
    ['rpt?nm=sales by service', 404, 'RPT_NOT_FOUND'],
    ['rpt?nm=Sales By Service', 422, 'RPT_NEEDS_RANGE'],
    ['rpt?nm=Client Balances&f=01/01/2026', 422, 'RPT_HAS_NO_RANGE'],
    [`rpt?nm=Daily Totals&f=01/01/2026&emp=${idAt(demo, 'E', 1)}`, 422, 'RPT_NOT_BY_EMP'],
  ]
  for (const [path, ...problem] of refused) {
    expect([path, ...(await demo.denied(`/cloud/data/${path}`))]).toEqual([path, ...problem])
  }
})
