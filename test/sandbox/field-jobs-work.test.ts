import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf } from './visitor.ts'
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

const job = (uuid = ''): Promise<Row> => me.read<Row>(`/api/jobs/${uuid}`)
const sent = (about = ''): Promise<{ via: string; to: string }[]> => whole(me, `messages?about=${about}`) as never
const actions = async (): Promise<string[]> => (await run.effects(me)).map(({ action }) => action)
const later = (from: number): { begins_at: number; ends_at: number } => ({
  begins_at: hours(from),
  ends_at: hours(from + 2),
})

/** A job to come in that state, with somebody on it who is never off. */
async function toCome(state: string): Promise<Row> {
  const crew = ids((await setupOf(me)).crew.slice(0, 2))
  const found = (await everyJob(me, `&state=${state}`)).find(
    (row) => row.begins_at > hours(48) && row.crew.length > 0 && row.crew.every(({ uuid }) => crew.includes(uuid)),
  )
  if (!found) throw new Error(`No job is ${state}.`)
  return found
}

test('a job is added for an old and for a new customer; they and the crew hear of it', async () => {
  const { job_kinds, crew, price_book } = await setupOf(me)
  const [customer] = await whole(me, 'customers?q=@post')
  const remarks = ' Schlüssel\r\nbeim Nachbarn 🔑 '
  const lines = [{ entry: price_book[1]?.uuid, qty: 1.5 }]
  const common = { ...later(400), remarks, lines, crew: [crew[0]?.uuid] }
  const added = await me.wrote<Row>('POST', '/api/jobs', {
    ...common,
    customer: customer?.uuid,
    kind: job_kinds[2]?.label.toUpperCase(),
  })
  const charge = Math.round((price_book[1]?.each_minor ?? 0) * 1.5)
  expect(await job(added.uuid)).toMatchObject({
    remarks,
    state: { code: 'filed' },
    kind: job_kinds[2]?.label,
    charge_minor: charge,
    owing_minor: charge,
  })
  expect(added.told).toEqual({ via: 'mail', to: customer?.mail })
  expect((await sent(added.uuid)).map(({ via }) => via).toSorted()).toEqual(['mail', 'push'])
  const new_customer = { full_name: 'ריבה Ñandú', mobile: '+233 20 777', mail: '', site: 'Here' }
  const second = await me.wrote<Row>('POST', '/api/jobs', { ...later(401), new_customer, kind: job_kinds[0]?.uuid })
  expect(second).toMatchObject({
    customer: { full_name: 'ריבה Ñandú' },
    site: 'Here',
    told: { via: 'text', to: '+233 20 777' },
  })
  expect(await whole(me, 'customers?q=+233 20 777')).toMatchObject([{ full_name: 'ריבה Ñandú', visits: 1 }])
  expect(await actions()).toEqual(['job.add', 'job.add'])
})

test('what a job cannot be is refused, and nothing is left behind', async () => {
  const { job_kinds } = await setupOf(me)
  const [customer] = await whole(me, 'customers?q=@post')
  const good = { ...later(50), customer: customer?.uuid, kind: job_kinds[0]?.uuid }
  const { customer: _, ...nobody } = good
  const cases: [Record<string, unknown>, number, string][] = [
    [{ ...good, kind: 'Massage' }, 422, 'KIND_UNKNOWN'],
    [{ ...good, job_type: 'x' }, 422, 'FIELD_UNKNOWN'],
    [{ ...good, begins_at: hours(-1) }, 422, 'TIME_PASSED'],
    [{ ...good, ends_at: good.begins_at }, 422, 'WINDOW_TOO_SHORT'],
    [{ ...good, ends_at: good.begins_at + 8 * 86_400 }, 422, 'WINDOW_TOO_LONG'],
    [{ ...good, begins_at: '2030-01-01' }, 422, 'TIME_INVALID'],
    [{ ...good, ...later(24 * 800) }, 422, 'TIME_TOO_FAR'],
    [{ ...good, remarks: 'x'.repeat(4001) }, 422, 'TEXT_TOO_LONG'],
    [{ ...good, remarks: null }, 422, 'TEXT_INVALID'],
    [{ ...good, crew: ['nobody'] }, 422, 'CREW_UNKNOWN'],
    [{ ...good, lines: [{ entry: 'x', qty: 1 }] }, 422, 'ENTRY_UNKNOWN'],
    [{ ...good, new_customer: { full_name: 'Two' } }, 422, 'CUSTOMER_REQUIRED'],
    [nobody, 422, 'CUSTOMER_REQUIRED'],
    [{ ...nobody, new_customer: { full_name: ' ' } }, 422, 'TEXT_REQUIRED'],
    [{ ...nobody, new_customer: { full_name: 'A', mail: 'no' } }, 422, 'MAIL_INVALID'],
    [{ ...nobody, new_customer: { full_name: 'A', mobile: 'call me' } }, 422, 'MOBILE_INVALID'],
    [{ ...nobody, new_customer: { full_name: 'A', mail: customer?.mail.toUpperCase() } }, 409, 'CUSTOMER_EXISTS'],
  ]
  for (const [body, status, code] of cases) expect(await me.refused('POST', '/api/jobs', body)).toEqual([status, code])
  expect(await me.refused('POST', '/api/jobs', [])).toEqual([400, 'BODY_INVALID'])
  expect([await whole(me, 'customers').then(({ length }) => length), await actions()]).toEqual([120, []])
})

test('a job is moved while it is not over, and customer and crew are told', async () => {
  for (const state of ['filed', 'parts_missing']) {
    const before = await toCome(state)
    const window = later(300)
    const moved = await me.wrote<Row>('PUT', `/api/jobs/${before.uuid}/window`, window)
    expect(await job(before.uuid)).toMatchObject({ ...window, state: before.state })
    expect(await sent(before.uuid)).toHaveLength(before.crew.length + (moved.told ? 1 : 0))
    expect(await me.refused('PUT', `/api/jobs/${before.uuid}/window`, window)).toEqual([409, 'WINDOW_SAME'])
  }
  const [done] = await everyJob(me, '&state=finished')
  const [off] = await everyJob(me, '&state=called_off')
  for (const [row, code] of [
    [done, 'JOB_FINISHED'],
    [off, 'JOB_CALLED_OFF'],
  ] as const) {
    expect(await me.refused('PUT', `/api/jobs/${row?.uuid}/window`, later(300))).toEqual([409, code])
    expect(await me.refused('PATCH', `/api/jobs/${row?.uuid}/crew`, { put_on: [] })).toEqual([409, code])
  }
  expect(await actions()).toEqual(['job.move', 'job.move'])
})

test('people are put on and taken off a job, never while they have time off', async () => {
  const { crew, company } = await setupOf(me)
  const before = await toCome('filed')
  const path = `/api/jobs/${before.uuid}/crew`
  const [on = ''] = ids(before.crew)
  const other = ids(crew.slice(0, 2)).find((uuid) => !ids(before.crew).includes(uuid))
  const take_off = [on]
  const put_on = other === undefined ? [] : [other]
  await me.wrote('PATCH', path, { put_on, take_off })
  expect(ids((await job(before.uuid)).crew)).toEqual([...ids(before.crew).filter((uuid) => uuid !== on), ...put_on])
  expect((await sent(before.uuid)).map(({ via }) => via)).toEqual([...put_on, on].map(() => 'push'))
  expect(await me.refused('PATCH', path, { take_off })).toEqual([409, 'CREW_NOT_ON'])
  await me.wrote('PATCH', path, { put_on: take_off })
  expect(await me.refused('PATCH', path, { put_on: take_off })).toEqual([409, 'CREW_ALREADY_ON'])
  expect(await me.refused('PATCH', path, {})).toEqual([422, 'NOTHING_TO_DO'])
  expect(await me.refused('PATCH', path, { put_on: [on, on] })).toEqual([422, 'CREW_TWICE'])
  const range = `from_day=${dayFrom(company.zone, 1)}&until_day=${dayFrom(company.zone, 20)}`
  const { days } = await me.read<{ days: { lanes: { off: { begins_at: number; ends_at: number }[] }[] }[] }>(
    `/api/board?${range}&member=${crew[4]?.uuid}`,
  )
  const off = days
    .flatMap(({ lanes }) => lanes.flatMap((lane) => lane.off))
    .find(({ begins_at }) => begins_at > hours(0))
  const window = { begins_at: off?.begins_at, ends_at: (off?.begins_at ?? 0) + 3600 }
  await me.wrote('PUT', `/api/jobs/${before.uuid}/window`, window)
  expect(await me.refused('PATCH', path, { put_on: [crew[4]?.uuid] })).toEqual([409, 'CREW_OFF'])
  expect(await actions()).toEqual(['job.crew', 'job.crew', 'job.move'])
})

test('an estimate is drafted unsent, sent out once, and answered by the customer', async () => {
  const { price_book } = await setupOf(me)
  const [customer] = await whole(me, 'customers?q=@post')
  const lines = [
    { entry: price_book[0]?.uuid, qty: 2 },
    { entry: price_book[2]?.uuid, qty: 0.75 },
  ]
  const draft = await me.wrote<Row>('POST', '/api/estimates', { customer: customer?.uuid, lines, remarks: 'שלום' })
  const charge = 2 * (price_book[0]?.each_minor ?? 0) + Math.round(0.75 * (price_book[2]?.each_minor ?? 0))
  expect(draft).toMatchObject({
    stage: 'draft',
    charge_minor: charge,
    sent_out_at: null,
    accept_page: null,
    remarks: 'שלום',
  })
  expect([(await whole(me, 'estimates'))[0]?.uuid, await sent(draft.uuid)]).toEqual([draft.uuid, []])
  const path = `/api/estimates/${draft.uuid}/send`
  expect(await me.refused('POST', path, { via: 'fax' })).toEqual([422, 'VIA_INVALID'])
  const { told } = await me.wrote<Row>('POST', path, { via: 'mail' })
  const out = await me.read<Row>(`/api/estimates/${draft.uuid}`)
  expect([told, out.stage, out.sent_out_at]).toEqual([{ via: 'mail', to: customer?.mail }, 'out', expect.any(Number)])
  expect(await sent(draft.uuid)).toMatchObject([told])
  expect(await me.refused('POST', path, {})).toEqual([409, 'ESTIMATE_NOT_DRAFT'])
  const answer = (): Promise<Response> =>
    fetch(out.accept_page ?? '', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ answer: 'accepted' }),
    })
  expect((await answer()).status).toBe(303)
  expect(await codeOf(await answer())).toBe('ESTIMATE_ANSWERED')
  expect((await me.read<Row>(`/api/estimates/${draft.uuid}`)).stage).toBe('accepted')
  for (const stage of ['out', 'accepted', 'turned_down']) {
    const [row] = await whole(me, `estimates?stage=${stage}`)
    expect(await me.refused('POST', `/api/estimates/${row?.uuid}/send`, {})).toEqual([409, 'ESTIMATE_NOT_DRAFT'])
  }
  for (const [body, code] of [
    [{ customer: customer?.uuid, lines: [] }, 'LINES_REQUIRED'],
    [{ customer: customer?.uuid, lines: [{ entry: price_book[0]?.uuid, qty: 0.005 }] }, 'QTY_INVALID'],
    [{ customer: customer?.uuid, lines: [{ entry: price_book[0]?.uuid, qty: '1' }] }, 'QTY_INVALID'],
    [{ customer: 'x', lines }, 'CUSTOMER_UNKNOWN'],
  ] as const)
    expect(await me.refused('POST', '/api/estimates', body)).toEqual([422, code])
  expect(await actions()).toEqual(['estimate.add', 'estimate.send'])
})

test('who has no such address is not sent to', async () => {
  const mute = (await whole(me, 'customers')).find(({ mail, mobile }) => mail === '' && mobile === '')
  const lines = [{ entry: (await setupOf(me)).price_book[0]?.uuid, qty: 1 }]
  const { uuid } = await me.wrote<Row>('POST', '/api/estimates', { customer: mute?.uuid, lines })
  for (const body of [{}, { via: 'mail' }, { via: 'text' }]) {
    expect(await me.refused('POST', `/api/estimates/${uuid}/send`, body)).toEqual([422, 'NO_ADDRESS'])
  }
  expect((await me.read<Row>(`/api/estimates/${uuid}`)).stage).toBe('draft')
})

test('a bill is raised for a job once, sent out once, and settled by receipts', async () => {
  const reachable = new Set(ids(await whole(me, 'customers?q=@post')))
  const billed = new Set((await whole(me, 'bills')).map(({ job: of }) => of))
  const done = (await everyJob(me, '&state=finished')).find(
    (row) =>
      row.charge_minor > 3 &&
      row.owing_minor === row.charge_minor &&
      !billed.has(row.uuid) &&
      reachable.has(row.customer.uuid),
  )
  const { zone } = (await setupOf(me)).company
  const bill = await me.wrote<Row>('POST', '/api/bills', { job: done?.uuid })
  expect(bill).toMatchObject({
    job: done?.uuid,
    standing: 'open',
    sent_out_at: null,
    pay_page: null,
    due_day: dayFrom(zone, 14),
    lines: (await job(done?.uuid)).lines,
  })
  expect([(await job(done?.uuid)).bill, await sent(bill.uuid)]).toEqual([bill.uuid, []])
  expect(await me.refused('POST', '/api/bills', { job: done?.uuid })).toEqual([409, 'JOB_BILLED'])
  const receipt = { bill: bill.uuid, amount_minor: 1, means: 'cash' }
  expect(await me.wrote('POST', '/api/receipts', { ...receipt, reference: ' Nº 1 ' })).toMatchObject({
    reference: ' Nº 1 ',
    owing_minor: bill.charge_minor - 1,
  })
  expect((await me.wrote<Row>('POST', `/api/bills/${bill.uuid}/send`, {})).told).toMatchObject({ via: 'mail' })
  expect(await sent(bill.uuid)).toHaveLength(1)
  expect(await me.refused('POST', `/api/bills/${bill.uuid}/send`, {})).toEqual([409, 'BILL_SENT'])
  expect(await me.read(`/api/bills/${bill.uuid}`)).toMatchObject({
    standing: 'part_settled',
    owing_minor: bill.charge_minor - 1,
  })
  for (const [change, code] of [
    [{ amount_minor: bill.charge_minor }, 'AMOUNT_TOO_HIGH'],
    [{ amount_minor: 1.5 }, 'AMOUNT_INVALID'],
    [{ amount_minor: 0 }, 'AMOUNT_INVALID'],
    [{ means: 'online' }, 'MEANS_INVALID'],
    [{ received_at: hours(1) }, 'TIME_AHEAD'],
    [{ job: done?.uuid }, 'TARGET_REQUIRED'],
  ] as const)
    expect(await me.refused('POST', '/api/receipts', { ...receipt, ...change })).toEqual([422, code])
  await me.wrote('POST', '/api/receipts', {
    job: done?.uuid,
    amount_minor: bill.charge_minor - 1,
    means: 'bank',
    received_at: hours(-30),
  })
  expect(await me.read(`/api/bills/${bill.uuid}`)).toMatchObject({ standing: 'settled', owing_minor: 0 })
  expect((await job(done?.uuid)).receipts.map(({ means }) => means)).toEqual(['cash', 'bank'])
  expect(await me.refused('POST', '/api/receipts', receipt)).toEqual([409, 'NOTHING_OWING'])
  expect(await actions()).toEqual(['bill.add', 'receipt.add', 'bill.send', 'receipt.add'])
})

test('bills are not raised for nothing, nor sent when settled; customers pay those that were sent', async () => {
  const empty = (await everyJob(me, '&state=finished')).find(({ charge_minor }) => charge_minor === 0)
  const [off] = await everyJob(me, '&state=called_off')
  const [open] = await everyJob(me, '&state=filed')
  expect(await me.refused('POST', '/api/bills', { job: empty?.uuid })).toEqual([409, 'NOTHING_TO_BILL'])
  expect(await me.refused('POST', '/api/bills', { job: off?.uuid })).toEqual([409, 'JOB_CALLED_OFF'])
  expect(await me.refused('POST', '/api/receipts', { job: off?.uuid, amount_minor: 1, means: 'cash' })).toEqual([
    409,
    'JOB_CALLED_OFF',
  ])
  const priced = (await everyJob(me, '&state=filed')).find(({ charge_minor }) => charge_minor > 0)
  expect(await me.refused('POST', '/api/bills', { job: priced?.uuid, due_day: '20200101' })).toEqual([
    422,
    'DUE_PASSED',
  ])
  expect(await me.refused('POST', '/api/bills', { job: priced?.uuid, due_day: 20300101 })).toEqual([422, 'DAY_INVALID'])
  const settled = (await whole(me, 'bills?standing=settled')).find(({ sent_out_at }) => sent_out_at === null)
  expect(await me.refused('POST', `/api/bills/${settled?.uuid}/send`, {})).toEqual([409, 'BILL_SETTLED'])
  expect([await actions(), open?.bill]).toEqual([[], undefined])
  const out = (await whole(me, 'bills?standing=part_settled')).find(({ sent_out_at }) => sent_out_at !== null)
  const { pay_page } = await me.read<Row>(`/api/bills/${out?.uuid}`)
  expect((await fetch(pay_page ?? '', { method: 'POST', redirect: 'manual' })).status).toBe(303)
  expect(await me.read(`/api/bills/${out?.uuid}`)).toMatchObject({ standing: 'settled', owing_minor: 0 })
})

test('each role does what its rights say, and a technician sees only jobs of their own', async () => {
  const lists = ['jobs', 'board?from_day=20300101', 'leads', 'customers', 'estimates', 'bills', 'messages']
  const writes = ['jobs', 'estimates', 'bills', 'receipts']
  const allowed: Record<string, string> = {
    owner: '1111111 1111',
    dispatcher: '1111101 1100',
    bookkeeper: '1101111 0011',
    technician: '1100000 0000',
  }
  for (const [role, wanted] of Object.entries(allowed)) {
    const person = await run.newcomer(role)
    const reads = await Promise.all(lists.map((list) => person.denied(`/api/${list}`)))
    const tried = await Promise.all(writes.map((list) => person.refused('POST', `/api/${list}`, {})))
    const marks = [reads, tried].map((all) => all.map(([, code]) => (code === 'ROLE_FORBIDS' ? '0' : '1')).join(''))
    expect([role, marks.join(' ')]).toEqual([role, wanted])
    expect(await run.effects(person)).toEqual([])
  }
  const tech = await run.newcomer('technician')
  const [self] = (await setupOf(tech)).crew
  const jobs = await everyJob(tech)
  expect(jobs.length).toBeGreaterThan(20)
  expect(jobs.length).toBeLessThan(250)
  expect(jobs.every(({ crew }) => ids(crew).includes(self?.uuid ?? ''))).toBe(true)
  const { days } = await tech.read<{ days: { lanes: { member: { uuid: string } }[] }[] }>(
    '/api/board?from_day=20300101',
  )
  expect(days.flatMap(({ lanes }) => lanes.map(({ member }) => member.uuid))).toEqual([self?.uuid])
})
