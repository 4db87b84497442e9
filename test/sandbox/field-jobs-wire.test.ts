import { afterAll, beforeAll, expect, test } from 'vitest'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'
import { everyJob, hours, ids, setupOf, torquen, whole } from './field-jobs-company.ts'

let run: OpenApp
let demo: AppPerson
beforeAll(async () => {
  run = await torquen()
  demo = await run.person()
})
afterAll(() => run[Symbol.asyncDispose]())

const documented =
  `job_id status job_type scheduled_start client client_id name address techs total amount_due phone window start
  end notes items quantity price payments date tech_id jobs time_off lead_id source created_at assigned_to email balance_due
  estimate_id sent_at invoice_id due_date from to limit cursor tech_ids query since next_cursor leads clients estimates
  invoices days`.split(/\s+/)

test('at least half of the names on the wire are the app’s own, and moments, days and money have formats of its own', async () => {
  const names = new Set<string>()
  const [job] = await everyJob(demo)
  const lists = [
    'jobs',
    'leads',
    'customers',
    'estimates',
    'bills',
    'messages',
    `jobs/${job?.uuid}`,
    'board?from_day=20300101',
  ]
  for (const path of ['setup', ...lists]) namesIn(await demo.read(`/api/${path}`), names)
  expect(names.size).toBeGreaterThan(50)
  expect(documented.filter((name) => names.has(name)).length).toBeLessThan(documented.length / 4)
  const [bill] = await whole(demo, 'bills')
  expect(bill?.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(bill?.due_day).toMatch(/^\d{8}$/)
  expect(Number.isInteger(bill?.charge_minor)).toBe(true)
  expect(Number.isInteger(job?.begins_at)).toBe(true)
})

test('seeds hold every state and what is awkward: accents, right-to-left text, empty and very long texts, currencies', async () => {
  const money = new Set<number>()
  const zones = new Set<string>()
  for (const person of await run.people()) {
    const { company } = await setupOf(person)
    money.add(company.money.digits)
    zones.add(company.zone)
  }
  expect([money, zones.size]).toEqual([new Set([0, 2, 3]), 7])
  const jobs = await everyJob(demo)
  const [customers, leads, estimates, bills] = await Promise.all(
    ['customers', 'leads', 'estimates', 'bills'].map((list) => whole(demo, list)),
  )
  const has = (values: unknown[] | undefined, wanted: unknown[]): void =>
    expect(values).toEqual(expect.arrayContaining(wanted))
  has(
    jobs.map(({ state }) => state.label),
    (await setupOf(demo)).job_states.map(({ label }) => label),
  )
  has(
    leads?.map(({ stage }) => stage),
    ['fresh', 'won', 'lost'],
  )
  has(
    leads?.map(({ handler }) => handler),
    [null],
  )
  has(
    estimates?.map(({ stage }) => stage),
    ['draft', 'out', 'accepted', 'turned_down'],
  )
  const standings = bills?.map((bill) => `${bill.standing} ${bill.sent_out_at === null ? 'kept' : 'sent'}`)
  has(
    standings,
    ['open', 'part_settled', 'settled'].flatMap((standing) => [`${standing} kept`, `${standing} sent`]),
  )
  for (const field of ['mail', 'mobile', 'site'] as const)
    has(
      customers?.map((row) => row[field]),
      [''],
    )
  expect(Math.max(...(customers ?? []).map(({ full_name }) => full_name.length))).toBeGreaterThan(100)
  const texts = JSON.stringify([jobs, customers, leads])
  for (const awkward of [/[\u0590-\u06ff]/, /[\u00c0-\u017f]/, /<rear>/]) expect(texts).toMatch(awkward)
  const long = await demo.read<{ remarks: string }>(`/api/estimates/${estimates?.[9]?.uuid}`)
  expect(jobs.some(({ crew }) => crew.length === 0) && jobs.some(({ crew }) => crew.length === 3)).toBe(true)
  expect(long.remarks).toHaveLength(4000)
  const fresh = jobs.filter(({ state, charge_minor }) => state.code === 'finished' && charge_minor > 0)
  const billed = new Set(bills?.map(({ job }) => job))
  expect(fresh.filter(({ uuid }) => !billed.has(uuid)).length).toBeGreaterThan(5)
})

test('no id is in two accounts, and what is a stranger’s does not exist', async () => {
  const stranger = await run.person('stranger')
  const seen = new Set<string>()
  let count = 0
  for (const person of [demo, stranger, await run.person('narrow')]) {
    const rows = [await everyJob(person), await whole(person, 'customers'), await whole(person, 'estimates')]
    const { crew, price_book, job_kinds } = await setupOf(person)
    for (const id of [...rows, crew, price_book, job_kinds].flatMap(ids)) {
      seen.add(id)
      count += 1
    }
  }
  expect(seen.size).toBe(count)
  const [job] = await everyJob(demo)
  const [[estimate], [bill], [customer]] = [
    await whole(demo, 'estimates'),
    await whole(demo, 'bills'),
    await whole(demo, 'customers'),
  ]
  expect(await stranger.denied(`/api/jobs/${job?.uuid}`)).toEqual([404, 'JOB_NOT_FOUND'])
  expect(await stranger.denied(`/api/bills/${bill?.uuid}`)).toEqual([404, 'BILL_NOT_FOUND'])
  expect(await stranger.denied(`/api/estimates/${estimate?.uuid}`)).toEqual([404, 'ESTIMATE_NOT_FOUND'])
  const window = { begins_at: hours(30), ends_at: hours(31) }
  expect(await stranger.refused('PUT', `/api/jobs/${job?.uuid}/window`, window)).toEqual([404, 'JOB_NOT_FOUND'])
  expect(await stranger.refused('POST', '/api/receipts', { bill: bill?.uuid, amount_minor: 1, means: 'cash' })).toEqual(
    [422, 'BILL_UNKNOWN'],
  )
  const own = await setupOf(stranger)
  const lines = [{ entry: own.price_book[0]?.uuid, qty: 1 }]
  expect(await stranger.refused('POST', '/api/estimates', { customer: customer?.uuid, lines })).toEqual([
    422,
    'CUSTOMER_UNKNOWN',
  ])
  expect(await run.effects(stranger)).toEqual([])
})

test('seeds are the same after a reset and in another sandbox', async () => {
  const all = (person: AppPerson): Promise<unknown[]> =>
    Promise.all(
      ['jobs', 'leads', 'customers', 'estimates', 'bills', 'messages'].map((list) => person.read(`/api/${list}`)),
    )
  const before = await all(await run.person('narrow'))
  await run.reset()
  expect(await all(await run.person('narrow'))).toEqual(before)
  await using other = await torquen()
  expect(await all(await other.person('narrow'))).toEqual(before)
})

test('pages for people show the lists, the details and the forms', async () => {
  const [[estimate], [bill]] = [await whole(demo, 'estimates?stage=draft'), await whole(demo, 'bills?standing=open')]
  const [job] = (await everyJob(demo, '&state=filed')).filter(({ begins_at }) => begins_at > hours(72))
  const lists = [
    '',
    '/jobs',
    '/jobs/new',
    '/board',
    '/leads',
    '/customers?q=a',
    '/estimates',
    '/estimates/new',
    '/bills',
    '/sent',
  ]
  for (const path of [...lists, `/jobs/${job?.uuid}`, `/estimates/${estimate?.uuid}`, `/bills/${bill?.uuid}`]) {
    const page = await demo.get(`/desk${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('Volta Hausservice')
  }
  const [kind] = (await setupOf(demo)).job_kinds
  const [entry = '', day] = [
    (await setupOf(demo)).price_book[0]?.uuid,
    new Date(hours(48) * 1000).toISOString().slice(0, 10),
  ]
  const window = { begins: `${day}T09:30`, ends: `${day}T11:00` }
  const added = await demo.form('/desk/jobs', {
    full_name: 'By form',
    kind: kind?.uuid ?? '',
    ...window,
    entry,
    qty: '2',
  })
  const path = (added.headers.get('location') ?? '').replace(/^.*\/desk\/jobs\//, '/api/jobs/')
  const made = await demo.read<{ lines: { qty: number }[]; begins_at: number; customer: { full_name: string } }>(path)
  expect([added.status, made.customer.full_name, made.lines[0]?.qty]).toEqual([303, 'By form', 2])
  expect(new Date(made.begins_at * 1000).toISOString()).toBe(`${day}T09:30:00.000Z`)
  const moved = { begins: `${day}T12:00`, ends: `${day}T13:00` }
  expect((await demo.form(`/desk/jobs/${job?.uuid}/window`, moved)).status).toBe(303)
  const receipt = { amount: '1.25', means: 'cash', reference: '' }
  expect((await demo.form(`/desk/bills/${bill?.uuid}/receipts`, receipt)).status).toBe(303)
  const after = await demo.read<{ owing_minor: number }>(`/api/bills/${bill?.uuid}`)
  expect(after.owing_minor).toBe((bill?.owing_minor ?? 0) - 125)
  expect((await demo.form(`/desk/estimates/${estimate?.uuid}/send`, {})).status).toBe(303)
  expect((await demo.form(`/desk/estimates/${estimate?.uuid}/send`, {})).status).toBe(409)
})
