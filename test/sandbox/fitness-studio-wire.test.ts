import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  allClients,
  client,
  dayAhead,
  iso,
  openStudio,
  result,
  roster,
  slots,
  submitted,
  type Client,
  type Detail,
  type Miss,
} from './fitness-studio-studio.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'

let app: OpenApp
let people: AppPerson[]
let demo: AppPerson
let stranger: AppPerson
beforeAll(async () => {
  app = await openStudio()
  people = await app.people()
  ;[demo, stranger] = people as [AppPerson, AppPerson]
})
beforeEach(() => app.reset())
afterAll(() => app[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented =
  `member_id name plans plan_id status next_bill_date email recurring recent_activity class_id class_name
  date starts_at coach reserved waitlist template_id price type search plan_status limit cursor from to override members
  next_cursor classes plan_templates rows new_plan_template_id`.split(/\s+/)

test('the names on the wire are the studio’s own, and so are days, hours, money and ids', async () => {
  const [slot] = await slots(demo, 1)
  const names = new Set(['Find', 'Standing', 'Per', 'Page', 'From', 'To', 'Kind', 'Cid', 'Anyway', 'Scope'])
  const reads = ['whoami', 'clients', 'clients/C100003', `slots?From=${dayAhead(1)}`, `slots/${slot?.Slot}`, 'offers']
  for (const path of [...reads, `misses?From=${dayAhead(-9)}&To=${dayAhead(0)}`]) {
    namesIn(await demo.read(`/staff/svc/${path}`), names)
  }
  expect(names.size).toBeGreaterThan(35)
  expect(documented.filter((name) => names.has(name))).toEqual([])
  expect(slot).toMatchObject({ Slot: expect.stringMatching(/^S\d+$/), Day: dayAhead(1), Hour: '6:30 AM' })
  const { Offers } = await result<{ Offers: { Fee: string; Ccy: string }[] }>(demo, 'offers')
  expect(Offers[0]).toMatchObject({ Fee: 'GH₵1,032.00', Ccy: 'GHS' })
  expect(await result(demo, 'whoami')).toMatchObject({ StudioNo: demo.account, Studio: 'Osu Strong', Role: 'ADMIN' })
})

test('seeds hold what is awkward, in every standing, and nothing weekday-bound', async () => {
  const clients = await allClients(demo)
  const details = await Promise.all(clients.slice(0, 60).map(({ Cid }) => client(demo, Cid)))
  expect(clients.length).toBeGreaterThan(120)
  expect(new Set(clients.flatMap(({ Passes }) => Passes.map(({ St }) => St))).size).toBe(7)
  expect(clients.some(({ Full }) => /[\u0590-\u06FF]/u.test(Full))).toBe(true)
  expect(clients.some(({ Full }) => Full.length > 80)).toBe(true)
  expect(clients.some(({ Passes }) => Passes.length === 0)).toBe(true)
  expect(details.some(({ Mail }) => Mail === '')).toBe(true)
  expect(details.some(({ Mail, Tel }) => Mail === '' && Tel === '')).toBe(true)
  const all = await slots(demo, -40, 30)
  expect(all.some(({ Led }) => Led === '')).toBe(true)
  expect(all.some(({ Title }) => Title.length > 100)).toBe(true)
  expect(all.map(({ Hour }) => Hour)).toEqual(expect.arrayContaining(['12:15 AM', '12:15 PM', '11:30 PM']))
  const marks = new Set<string>()
  for (const { Slot } of await slots(demo, -3, 3)) {
    for (const { St } of (await roster(demo, Slot)).Roster) marks.add(St)
  }
  expect([...marks].toSorted()).toEqual(['IN', 'LC', 'NS', 'RSV', 'WL'])
})

test('no id is in two studios, and what belongs to another one does not exist', async () => {
  const lists = await Promise.all(people.map(async (person) => (await allClients(person)).map(({ Cid }) => Cid)))
  expect(new Set(lists.flat()).size).toBe(lists.flat().length)
  const [theirs] = await allClients(stranger)
  const [slot] = await slots(stranger, 2)
  const pass = theirs?.Passes[0]?.Pid
  expect(await demo.denied(`/staff/svc/clients/${theirs?.Cid}`)).toEqual([404, 'CLIENT_NOT_FOUND'])
  expect(await demo.denied(`/staff/svc/slots/${slot?.Slot}`)).toEqual([404, 'SLOT_NOT_FOUND'])
  const book = `slots/${slot?.Slot}/book`
  expect(await submitted(demo, book, { Cid: 'C100001' })).toEqual([404, 'SLOT_NOT_FOUND'])
  expect(await submitted(stranger, book, { Cid: 'C100001' })).toEqual([404, 'CLIENT_NOT_FOUND'])
  expect(await submitted(demo, `clients/C100001/passes/${pass}/hold`)).toEqual([404, 'PASS_NOT_FOUND'])
  expect(await submitted(demo, 'clients/C100002/passes/P100001/hold')).toEqual([404, 'PASS_NOT_FOUND'])
})

test('another sandbox holds the same', async () => {
  await using other = await openStudio()
  const twin = await other.person()
  expect(await allClients(twin)).toEqual(await allClients(demo))
  expect(await slots(twin, -10, 10)).toEqual(await slots(demo, -10, 10))
})

test('clients are read to the end with the smallest page, as they were, while people join and passes change', async () => {
  const person = await app.newcomer()
  const before = await allClients(person, 'Standing=OK')
  const first = before[0] as Client
  const seen = await allClients(person, 'Standing=OK', 1, async (page) => {
    if (page > 2) return
    const path = `clients/${first.Cid}/passes/${first.Passes[0]?.Pid}/end`
    expect((await submitted(person, page === 1 ? path : 'clients', page === 1 ? {} : { Full: 'Late' }))[0]).toBe(303)
  })
  expect(seen).toEqual(before)
  expect((await allClients(person)).at(-1)).toMatchObject({ Full: 'Late', Passes: [] })
  expect((await allClients(person, 'Standing=OK')).map(({ Cid }) => Cid)).not.toContain(first.Cid)
}, 20_000)

test('clients are found by standing, name and address', async () => {
  const all = await allClients(demo)
  for (const standing of ['OK', 'DUE', 'SOON', 'ENDING', 'ENDED', 'HOLD', 'USED']) {
    const found = await allClients(demo, `Standing=${standing}`)
    expect(found).toEqual(all.filter(({ Passes }) => Passes.some(({ St }) => St === standing)))
    expect(found.length).toBeGreaterThan(5)
    expect(found.length).toBeLessThan(all.length)
  }
  const mail: Detail = await client(demo, 'C100003')
  expect((await allClients(demo, `Find=${mail.Mail.toUpperCase()}`)).map(({ Cid }) => Cid)).toEqual(['C100003'])
  expect(await allClients(demo, `Find=${encodeURIComponent('MÜLLER')}`)).toEqual(
    all.filter(({ Full }) => Full.includes('Müller')),
  )
})

test('classes come in order of their start and misses up to the day before yesterday', async () => {
  const span = await slots(demo, -2, 2)
  expect(new Set(span.map(({ Day }) => Day)).size).toBe(5)
  const days = span.map(({ Day }) => iso(Day))
  expect(days).toEqual(days.toSorted())
  const read = (rest: string) =>
    result<{ UpTo: string; Misses: Miss[] }>(demo, `misses?From=${dayAhead(-20)}&To=${dayAhead(5)}${rest}`)
  const { UpTo, Misses } = await read('')
  expect(UpTo).toBe(dayAhead(-2))
  expect(Misses.every(({ Day }) => iso(Day) <= iso(UpTo) && iso(Day) >= iso(dayAhead(-20)))).toBe(true)
  for (const kind of ['NS', 'LC']) {
    expect((await read(`&Kind=${kind}`)).Misses).toEqual(Misses.filter(({ Kind }) => Kind === kind))
    expect(Misses.some(({ Kind }) => Kind === kind)).toBe(true)
  }
})

test('parameters that are wrong, unknown, missing or repeated are refused', async () => {
  const cases: [string, string][] = [
    ['clients?Per=0', 'PARAM_INVALID'],
    ['clients?Per=101', 'PARAM_INVALID'],
    ['clients?Standing=active', 'PARAM_INVALID'],
    ['clients?Page=2', 'STAMP_REQUIRED'],
    ['clients?Page=2&Stamp=abc', 'STAMP_UNKNOWN'],
    ['clients?Limit=2', 'PARAM_UNKNOWN'],
    ['clients?Per=2&Per=3', 'PARAM_INVALID'],
    ['slots', 'PARAM_REQUIRED'],
    ['slots?From=2026-11-21', 'PARAM_INVALID'],
    ['slots?From=02/30/2026', 'PARAM_INVALID'],
    ['slots?From=02/02/2026&To=02/01/2026', 'SPAN_BACKWARDS'],
    ['misses?From=02/02/2026', 'PARAM_REQUIRED'],
  ]
  for (const [path, code] of cases)
    expect([path, ...(await demo.denied(`/staff/svc/${path}`))]).toEqual([path, 400, code])
})
