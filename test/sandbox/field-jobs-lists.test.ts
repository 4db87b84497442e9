import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { dayFrom, everyJob, hours, ids, setupOf, torquen, whole, type Row } from './field-jobs-company.ts'

let run: OpenApp
let me: AppPerson
beforeAll(async () => {
  run = await torquen()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
})

const times: Record<string, (row: Row) => number> = {
  leads: (row) => row.came_in_at,
  estimates: (row) => row.drafted_at,
  bills: (row) => row.raised_at,
  jobs: (row) => row.begins_at,
}

test.each([
  ['leads', 'stage', ['fresh', 'won', 'lost']],
  ['estimates', 'stage', ['draft', 'out', 'accepted', 'turned_down']],
  ['bills', 'standing', ['open', 'part_settled', 'settled']],
] as const)(
  '%s are newest first, filtered by %s %j and by day, and read in steps of 7',
  async (list, field, values) => {
    const all = await whole(me, list)
    const at = times[list] ?? (() => 0)
    expect(all.length).toBeGreaterThan(100)
    expect(new Set(ids(all)).size).toBe(all.length)
    expect(all.map(at)).toEqual(all.map(at).toSorted((a, b) => b - a))
    expect(await whole(me, list, 7)).toEqual(all)
    for (const value of values) {
      const wanted = all.filter((row) => row[field] === value)
      expect(wanted.length).toBeGreaterThan(15)
      expect(wanted.length).toBeLessThan(all.length)
      expect(ids(await whole(me, `${list}?${field}=${value}`))).toEqual(ids(wanted))
    }
    const { zone } = (await setupOf(me)).company
    const middle = all[40]
    const day = dayFrom(zone, 0, middle ? at(middle) * 1000 : 0)
    const since = all.filter((row) => dayFrom(zone, 0, at(row) * 1000) >= day)
    expect(since.length).toBeGreaterThan(40)
    expect(since.length).toBeLessThan(all.length)
    expect(ids(await whole(me, `${list}?since_day=${day}`))).toEqual(ids(since))
  },
)

test('jobs are those that begin from 14 days ago until today on the company’s clocks, latest first', async () => {
  for (const person of await run.people()) {
    const { zone } = (await setupOf(person)).company
    const dayOf = ({ begins_at }: Row): string => dayFrom(zone, 0, begins_at * 1000)
    const all = await everyJob(person)
    expect(all.map(times['jobs'] ?? Number)).toEqual(all.map(({ begins_at }) => begins_at).toSorted((a, b) => b - a))
    const [first, last] = [dayFrom(zone, -14), dayFrom(zone, 0)]
    const wanted = all.filter((job) => dayOf(job) >= first && dayOf(job) <= last)
    const own = (await setupOf(person)).me.role === 'technician'
    expect(wanted.length).toBeGreaterThan(own ? 3 : 60)
    expect(ids(await whole(person, 'jobs'))).toEqual(ids(wanted))
    const tomorrow = dayFrom(zone, 1)
    const path = `jobs?from_day=${tomorrow}&until_day=${tomorrow}`
    expect(ids(await whole(person, path))).toEqual(ids(all.filter((job) => dayOf(job) === tomorrow)))
  }
})

test('jobs are filtered by states, by code or label, and by one of the crew', async () => {
  const all = await everyJob(me)
  const two = await everyJob(me, '&state=filed&state=in%20PROGRESS')
  expect(ids(two)).toEqual(ids(all.filter(({ state }) => ['filed', 'under_way'].includes(state.code))))
  expect(two.length).toBeLessThan(all.length)
  const member = (await setupOf(me)).crew[3]?.uuid
  const theirs = await everyJob(me, `&member=${member}`)
  expect(ids(theirs)).toEqual(ids(all.filter(({ crew }) => crew.some(({ uuid }) => uuid === member))))
  expect(theirs.length).toBeGreaterThan(20)
})

test('customers are found by name, telephone, its digits, e-mail and site, and owe what their jobs owe', async () => {
  const all = await whole(me, 'customers')
  expect(all).toHaveLength(120)
  const jobs = await everyJob(me)
  for (const { uuid, visits, owing_minor } of all) {
    const theirs = jobs.filter(({ customer }) => customer.uuid === uuid)
    const owing = theirs.reduce((sum, job) => sum + job.owing_minor, 0)
    expect([visits, owing_minor]).toEqual([theirs.length, owing])
  }
  for (const q of ['MENSAH', 'groß', 'ليلى', '5@post', 'ring road', '1007', 'no-such']) {
    const within = (text: string): boolean => text.toLowerCase().includes(q.toLowerCase())
    const wanted = all.filter(({ full_name, mobile, mail, site }) => [full_name, mobile, mail, site].some(within))
    expect(ids(await whole(me, `customers?q=${encodeURIComponent(q)}`, 9))).toEqual(ids(wanted))
  }
  const digits = all.find(({ mobile }) => mobile !== '')?.mobile.replaceAll(/\D/g, '') ?? ''
  expect(await whole(me, `customers?q=${digits}`)).toHaveLength(1)
})

test('lists read one by one while others are added and leave the filter: none twice, none missing', async () => {
  const { price_book, job_kinds, company } = await setupOf(me)
  const [customer] = await whole(me, 'customers?q=@post')
  const draft = { customer: customer?.uuid, lines: [{ entry: price_book[0]?.uuid, qty: 1 }] }
  const before = await whole(me, 'estimates?stage=draft')
  let turn = before.length
  const seen = await whole(me, 'estimates?stage=draft', 3, async () => {
    await me.wrote('POST', '/api/estimates', draft)
    await me.write('POST', `/api/estimates/${before[--turn]?.uuid}/send`, {})
  })
  expect(ids(seen)).toEqual(ids(before))
  expect((await whole(me, 'estimates?stage=draft'))[0]?.uuid).not.toBe(before[0]?.uuid)

  const day = dayFrom(company.zone, 3)
  const path = `jobs?from_day=${day}&until_day=${day}`
  const jobs = ids(await whole(me, path))
  expect(jobs.length).toBeGreaterThan(4)
  const begins_at = ((await whole(me, path))[0]?.begins_at ?? 0) + 60
  const job = { customer: customer?.uuid, kind: job_kinds[0]?.uuid, begins_at, ends_at: begins_at + 3600 }
  expect(ids(await whole(me, path, 1, () => me.wrote('POST', '/api/jobs', job)))).toEqual(jobs)
  expect(ids(await whole(me, path)).length).toBe(2 * jobs.length - 1)
})

test('leads come in from the enquiry page while the list is read', async () => {
  const before = ids(await whole(me, 'leads?stage=fresh'))
  const door = (await setupOf(me)).company.enquiry_page
  const ask = async (): Promise<number> => {
    const body = new URLSearchParams({ caller: 'צביה <b>', mobile: '+233 20 1' })
    return (await fetch(door, { method: 'POST', redirect: 'manual', body })).status
  }
  expect(ids(await whole(me, 'leads?stage=fresh', 5, ask))).toEqual(before)
  const after = await whole(me, 'leads')
  expect(after[0]).toMatchObject({ caller: 'צביה <b>', mobile: '+233 20 1', stage: 'fresh', handler: null })
})

test('the board has a lane for everybody each day, with jobs that were not called off and time off to come', async () => {
  interface Lane {
    member: { uuid: string }
    visits: { job: string }[]
    off: { begins_at: number; ends_at: number }[]
  }
  const { crew, company } = await setupOf(me)
  const [from, until] = [dayFrom(company.zone, -5), dayFrom(company.zone, 20)]
  const path = `/api/board?from_day=${from}&until_day=${until}`
  const { days } = await me.read<{ days: { day: string; lanes: Lane[] }[] }>(path)
  expect(days).toHaveLength(26)
  const jobs = await everyJob(me)
  for (const { day, lanes } of days) {
    expect(lanes.map(({ member }) => member.uuid)).toEqual(ids(crew))
    const touches = (row: { begins_at: number; ends_at: number }): boolean =>
      dayFrom(company.zone, 0, row.begins_at * 1000) <= day && dayFrom(company.zone, 0, row.ends_at * 1000 - 1) >= day
    for (const { member, visits, off } of lanes) {
      const wanted = jobs.filter(
        (job) => job.state.code !== 'called_off' && touches(job) && ids(job.crew).includes(member.uuid),
      )
      expect(new Set(visits.map(({ job }) => job))).toEqual(new Set(ids(wanted)))
      expect(off.every((span) => touches(span) && span.ends_at > hours(0) - 60)).toBe(true)
    }
  }
  expect(days.flatMap(({ lanes }) => lanes).filter(({ off }) => off.length > 0).length).toBeGreaterThan(8)
  const some = await me.read<{ days: { lanes: Lane[] }[] }>(`/api/board?from_day=${from}&member=${crew[2]?.uuid}`)
  expect(some.days.map(({ lanes }) => lanes.map(({ member }) => member.uuid))).toEqual([[crew[2]?.uuid]])
})

test.each([
  ['jobs?page=2', 'SNAPSHOT_REQUIRED'],
  ['jobs?page=2&snapshot=made-up', 'SNAPSHOT_UNKNOWN'],
  ['leads?per_page=0', 'PARAM_INVALID'],
  ['leads?per_page=101', 'PARAM_INVALID'],
  ['leads?stage=open', 'PARAM_INVALID'],
  ['estimates?since_day=2026-02-28', 'PARAM_INVALID'],
  ['bills?since_day=20260231', 'PARAM_INVALID'],
  ['bills?status=open', 'PARAM_UNKNOWN'],
  ['jobs?state=gone', 'STATE_UNKNOWN'],
  ['jobs?from_day=20300101&until_day=20291231', 'DAYS_BACKWARDS'],
  ['board', 'PARAM_INVALID'],
  ['board?from_day=20260101&until_day=20260201', 'TOO_MANY_DAYS'],
])('%s is refused as %s', async (path, code) => {
  expect(await me.denied(`/api/${path}`)).toEqual([400, code])
})

test('a snapshot is good for one list with the same filters of one company', async () => {
  const { snapshot } = await me.read<{ snapshot: string }>('/api/leads?stage=fresh&per_page=5')
  const on = `page=2&per_page=5&snapshot=${snapshot}`
  expect((await me.get(`/api/leads?stage=fresh&${on}`)).status).toBe(200)
  const other = await run.newcomer()
  for (const [who, path] of [
    [me, 'leads?'],
    [me, 'estimates?'],
    [other, 'leads?stage=fresh&'],
  ] as const) {
    expect(await who.denied(`/api/${path}${on}`)).toEqual([400, 'SNAPSHOT_UNKNOWN'])
  }
})
