import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  all,
  formed,
  need,
  newOrder,
  openDispato,
  read,
  setup,
  wrote,
  type Item,
  type Listed,
} from './field-service-firm.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'

let app: OpenApp
let demo: AppPerson
let me: AppPerson
beforeAll(async () => {
  app = await openDispato()
  demo = await app.person()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

/** The field names of the documents for this app. */
const documented = `customer_number name email phone service_address billing_address contacts primary jobs job_number
  service_type status special_instructions notes customer scheduled_on employees description scope_of_work charges total
  events time_entries invoice stage estimate_sent created_on balance_remaining sent viewed query page customers scheduled
  employee opportunities tab invoices is_company street city state zip_code country as_opportunity type`.split(/\s+/)

test('at least half of the names on the wire are the app’s own, and days, times, money and numbers have its format', async () => {
  const bill = need(await all(demo, 'bills'), ({ MailedAt }) => MailedAt !== null)
  const job = await read(demo, `orders/${bill.OrderNo}`)
  const names = new Set<string>()
  for (const path of ['setup', 'clients', `clients/${bill.ClientNo}`, 'jobs', 'leads', 'bills', 'mails'])
    namesIn(await read(demo, path), names)
  namesIn(job, names)
  const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()
  const own = new Set([...names].map(plain))
  expect(own.size).toBeGreaterThan(60)
  expect(documented.filter((name) => own.has(plain(name))).length).toBeLessThan(documented.length / 4)
  expect(bill.MailedAt).toMatch(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/)
  expect(job.Opened).toMatch(/^\d\d\.\d\d\.\d{4}$/)
  expect(job.Bill.Sum).toMatch(/^\d{1,3}(\.\d{3})*,\d\d$/)
  expect(typeof job.OrderNo).toBe('number')
})

test('seeds hold what is awkward, in lists of sixty and more', async () => {
  const paths = ['clients', 'jobs', 'leads', 'bills', 'bills?Pile=Settled', 'mails']
  const lists = await Promise.all(paths.map((path) => all(me, path)))
  for (const rows of lists) expect(rows.length).toBeGreaterThanOrEqual(60)
  const [clients = [], jobs = [], leads = [], due = []] = lists
  const texts = JSON.stringify(lists)
  for (const awkward of [/[\u0590-\u06ff]/, /[\u00c0-\u017f]/, /<b>/, /"Mail":""/, /"SiteLine":""/])
    expect(texts).toMatch(awkward)
  expect(Math.max(...clients.map(({ Title }) => Title.length))).toBeGreaterThan(100)
  const memos = await Promise.all(clients.slice(0, 9).map(({ ClientNo }) => read(me, `clients/${ClientNo}`)))
  expect(Math.max(...memos.map(({ Memo }) => Memo.length))).toBeGreaterThan(3000)
  expect(new Set(jobs.map(({ State }) => State))).toEqual(
    new Set(['Open', 'Slated', 'Working', 'Paused', 'Dropped', 'Done']),
  )
  expect(new Set(leads.map(({ Stage, QuoteMailed }) => `${Stage} ${QuoteMailed}`)).size).toBe(6)
  const unseen = due.filter(({ MailedAt, SeenAt }) => MailedAt !== null && SeenAt === null)
  const unmailed = due.filter(({ MailedAt }) => MailedAt === null)
  const seen = due.filter(({ SeenAt }) => SeenAt !== null)
  const begun = due.filter(({ Received }) => Received !== '0,00')
  expect(Math.min(...[unseen, unmailed, seen, begun].map(({ length }) => length))).toBeGreaterThan(3)
})

test('seeds are the same after a reset, and no number is in two accounts', async () => {
  const paths = ['clients', 'jobs?Page=16', 'leads', 'bills', 'mails']
  const seen = (person: AppPerson): Promise<Listed[]> => Promise.all(paths.map((path) => read<Listed>(person, path)))
  const before = await seen(demo)
  await newOrder(demo, need(before[0]?.Rows ?? []).ClientNo)
  expect(await seen(demo)).not.toEqual(before)
  await app.reset()
  expect(await seen(demo)).toEqual(before)
  const people = (await app.people()).slice(0, 7)
  const users = people.map(({ user }) => user).join(' ')
  expect(users).toBe('demo stranger poor narrow revoked two_accounts two_accounts')
  const zones = await Promise.all(people.map(async (person) => (await setup(person)).Zone))
  expect(new Set(zones).size).toBe(7)
  for (const [path, name] of [
    ['clients', 'ClientNo'],
    ['jobs', 'OrderNo'],
    ['leads', 'OrderNo'],
    ['mails', 'MailId'],
  ] as const) {
    const lists = await Promise.all(people.map((person) => read<Listed>(person, path)))
    const numbers = lists.flatMap(({ Rows }) => Rows.map((row) => row[name]))
    expect(new Set(numbers).size).toBe(people.length * 15)
  }
})

test('what a stranger has does not exist', async () => {
  const client = need(await all(demo, 'clients'))
  const job = need(await all(demo, 'jobs'))
  const other = await app.person('stranger')
  expect(await other.denied(`/app/ajax/clients/${client.ClientNo}`)).toEqual([404, 'CLIENT_NOT_FOUND'])
  expect(await other.denied(`/app/ajax/orders/${job.OrderNo}`)).toEqual([404, 'ORDER_NOT_FOUND'])
  const line = { Label: 'x', Each: '1' }
  const refused = await other.refused('POST', `/app/ajax/orders/${job.OrderNo}/lines`, line)
  expect(refused).toEqual([404, 'ORDER_NOT_FOUND'])
  expect(await app.effects(other)).toEqual([])
})

test.each(['clients', 'jobs', 'jobs?State=Open', 'leads?Stage=Fresh', 'bills', 'mails'])(
  '%s reads to its end, oldest number first, unmoved by what is added, slated, mailed and paid',
  async (path) => {
    const before = await all(me, path)
    const client = need(await all(me, 'clients'), ({ Mail }) => Mail !== '')
    const open = await all(me, 'jobs?State=Open')
    const due = (await all(me, 'bills')).filter(({ Due }) => Due !== '0,00')
    let turn = 0
    const after = await all(me, path, async () => {
      if (turn > 3) return
      await wrote(me, 'clients', { Title: 'Meanwhile' })
      const lead = await newOrder(me, client.ClientNo, { Kind: 'Lead' })
      await formed(me, `/${lead}/quote`)
      const times = { From: '01.03.2030 09:00', Till: '01.03.2030 10:00' }
      await formed(me, `/${open[turn]?.OrderNo}/visits`, times)
      await formed(me, `/${due[turn]?.OrderNo}/bill/payments`, { Means: 'Cash' })
      turn += 1
    })
    expect(turn).toBeGreaterThan(1)
    expect(after).toEqual(before)
    const numbers = before.map(
      ({ ClientNo, OrderNo, BillNo, MailId }) => [BillNo, MailId, OrderNo, ClientNo].find(Boolean) ?? 0,
    )
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(await all(me, path)).not.toEqual(before)
  },
)

test('clients are found by name, e-mail, telephone and street, capitals and accents alike', async () => {
  const clients = await all(me, 'clients')
  const found = async (search: string): Promise<Item[]> => all(me, `clients?Find=${encodeURIComponent(search)}`)
  const sample = need(clients, ({ Tel, Mail, SiteLine }) => Tel !== '' && Mail !== '' && SiteLine !== '')
  for (const search of [sample.Title, sample.Mail, sample.Tel, sample.Tel.replace(/\D/g, ''), ' MULLER '])
    expect((await found(search)).map(({ ClientNo }) => ClientNo)).toContain(sample.ClientNo)
  const street = await found('osterGADE')
  expect(street.length + (await found('KASTANIENallee')).length).toBeGreaterThan(3)
  for (const { SiteLine } of await found('kastanienALLEE')) expect(SiteLine).toContain('Kastanienallee')
  expect((await found('שרה no such client')).length).toBe(0)
  expect((await found(' ')).length).toBe(clients.length)
})

const dayNumber = (day: string): number => Date.parse(`${day.split('.').toReversed().join('-')}T00:00:00Z`) / 86_400_000

test('jobs are filtered by state, crew and span of days, together too', async () => {
  const jobs = await all(me, 'jobs')
  const { Today, Crew } = await setup(me)
  const today = dayNumber(Today)
  const date = new Date(today * 86_400_000)
  const monday = today - ((date.getUTCDay() + 6) % 7)
  const days = (year: number, month: number): number => Date.UTC(year, month, 1) / 86_400_000
  const [y, m] = [date.getUTCFullYear(), date.getUTCMonth()]
  const spans: Record<string, [number, number]> = {
    Today: [today, today],
    Tomorrow: [today + 1, today + 1],
    Yesterday: [today - 1, today - 1],
    ThisWeek: [monday, monday + 6],
    NextWeek: [monday + 7, monday + 13],
    LastWeek: [monday - 7, monday - 1],
    ThisMonth: [days(y, m), days(y, m + 1) - 1],
    NextMonth: [days(y, m + 1), days(y, m + 2) - 1],
    LastMonth: [days(y, m - 1), days(y, m) - 1],
    ThisYear: [days(y, 0), days(y + 1, 0) - 1],
    LastYear: [days(y - 1, 0), days(y, 0) - 1],
  }
  for (const [span, [first, last]] of Object.entries(spans)) {
    const wanted = jobs.filter(({ Slated }) => Slated && dayNumber(Slated) >= first && dayNumber(Slated) <= last)
    expect(wanted.length, span).toBeGreaterThan(0)
    expect(wanted.length, span).toBeLessThan(jobs.length)
    expect(await all(me, `jobs?Span=${span}`), span).toEqual(wanted)
  }
  const { CrewId, FullName } = need(Crew)
  const theirs = jobs.filter((job) => job.Crew.includes(FullName))
  expect(theirs.length).toBeGreaterThan(5)
  for (const crew of [CrewId, FullName.toLowerCase()])
    expect(await all(me, `jobs?Crew=${encodeURIComponent(crew)}`)).toEqual(theirs)
  const done = await all(me, `jobs?State=Done&Crew=${CrewId}`)
  expect(done).toEqual(theirs.filter(({ State }) => State === 'Done'))
})

test.each([
  ['clients?Page=0', 'PARAM_INVALID'],
  ['clients?Page=x', 'PARAM_INVALID'],
  ['clients?Rows=5', 'PARAM_UNKNOWN'],
  ['clients?Size=5', 'PARAM_INVALID'],
  ['jobs?Size=30&Size=30', 'PARAM_TWICE'],
  ['clients?Find=a&Find=b', 'PARAM_TWICE'],
  ['jobs?Stamp=1.2.x', 'STAMP_UNKNOWN'],
  ['jobs?State=open', 'PARAM_INVALID'],
  ['jobs?Span=NextYear', 'PARAM_INVALID'],
  ['leads?Stage=New', 'PARAM_INVALID'],
  ['bills?Pile=All', 'PARAM_INVALID'],
])('%s is refused with %s', async (path, code) => {
  expect(await demo.denied(`/app/ajax/${path}`)).toEqual([400, code])
  expect(await demo.denied('/app/ajax/jobs?Crew=Nobody')).toEqual([422, 'CREW_UNKNOWN'])
  expect((await read<Listed>(demo, 'jobs?Page=999')).Rows).toEqual([])
})
