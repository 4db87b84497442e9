import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { all, formed, need, newOrder, openDispato, order, read, setup, wrote, type Item } from './field-service-firm.ts'
import type { AppPerson, OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

let app: OpenApp
let me: AppPerson
/** All that it tries is refused. */
let calm: AppPerson
beforeAll(async () => {
  app = await openDispato()
  calm = await app.newcomer()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

const refusal = async (answer: Promise<Response>): Promise<[number, string | undefined]> => {
  const { status } = await answer
  return [status, await codeOf(await answer)]
}
const submitted = (who: AppPerson, path: string, fields: Record<string, string> = {}) =>
  refusal(who.form(`/app/orders${path}`, fields))
const actions = async (who: AppPerson): Promise<string[]> => (await app.effects(who)).map(({ action }) => action)
const mailable = async (who: AppPerson): Promise<Item> => need(await all(who, 'clients'), ({ Mail }) => Mail !== '')
const job = async (who: AppPerson, state: string): Promise<number> =>
  need(await all(who, `jobs?State=${state}`)).OrderNo

test('a new client is found, is its own main person unless a company, and is billed at the site unless said', async () => {
  const Site = { Street: 'Ölgasse 3\u202b', Town: 'Köln', Postcode: '50667', Land: 'DE' }
  const full = { ...Site, Region: '' }
  const made = await wrote(me, 'clients', { Title: ' Zoë בר ', Mail: 'zoe@post.example', Tel: '+49 1', Site })
  expect(made).toMatchObject({ Title: ' Zoë בר ', Site: full, Billing: full, Company: false, Orders: [] })
  expect(made.SiteLine).toBe(`${Site.Street}, 50667 Köln, DE`)
  expect(made.People).toEqual([{ FullName: ' Zoë בר ', Mail: 'zoe@post.example', Main: true }])
  expect(await read(me, `clients/${made.ClientNo}`)).toEqual(made)
  expect((await all(me, 'clients')).at(-1)).toMatchObject({ ClientNo: made.ClientNo, Tel: '+49 1' })
  const firm = await wrote(me, 'clients', { Title: 'Co', Company: true, Billing: { Town: 'Bonn' } })
  expect(firm).toMatchObject({ Company: true, People: [], SiteLine: '', BillingLine: 'Bonn', Mail: '' })
  expect(await actions(me)).toEqual(['client.add', 'client.add'])
})

test.each([
  [{}, 'FIELD_REQUIRED'],
  [{ Title: ' ' }, 'FIELD_REQUIRED'],
  [{ Title: 5 }, 'TEXT_INVALID'],
  [{ Title: 'x'.repeat(121) }, 'TEXT_TOO_LONG'],
  [{ Title: 'x', Name: 'x' }, 'FIELD_UNKNOWN'],
  [{ Title: 'x', Company: 'true' }, 'FLAG_INVALID'],
  [{ Title: 'x', Mail: 'x@y' }, 'MAIL_INVALID'],
  [{ Title: 'x', Site: 'here' }, 'ADDRESS_INVALID'],
  [{ Title: 'x', Site: { City: 'x' } }, 'FIELD_UNKNOWN'],
  [{ Title: 'x', Billing: { Town: 'x'.repeat(121) } }, 'TEXT_TOO_LONG'],
])('a client of %j is refused with %s', async (body, code) => {
  expect(await calm.refused('POST', '/app/ajax/clients', body)).toEqual([422, code])
  expect(await app.effects(calm)).toEqual([])
})

test('none → Fresh → estimate mailed, as often as wanted and in each stage; charges add up', async () => {
  const client = await mailable(me)
  const texts = { Internal: 'A\r\nB', Scope: 'نص <b>' }
  const no = await newOrder(me, client.ClientNo, { Kind: 'Lead', ...texts })
  const shown = {
    Kind: 'Lead',
    Stage: 'Fresh',
    State: null,
    Service: 'Boiler repair',
    Internal: 'A\nB',
    Scope: 'نص <b>',
  }
  expect(await order(me, no)).toMatchObject({ ...shown, QuoteMailed: false, Lines: [], Sum: '0,00' })
  expect(await all(me, `mails?OrderNo=${no}`)).toEqual([])
  const first = await wrote(me, `orders/${no}/lines`, { Label: 'Rohr', Qty: '2,5', Each: '1.250,55' })
  expect(first).toMatchObject({ Line: { Qty: '2,50', Sum: '3.126,38' }, Sum: '3.126,38' })
  expect((await wrote(me, `orders/${no}/lines`, { Label: 'צינור', Each: '0,62' })).Sum).toBe('3.127,00')
  const place = await formed(me, `/${no}/quote`, { Message: 'Hello' })
  expect(place.pathname).toBe(`/field-service/app/orders/${no}`)
  await formed(me, `/${no}/quote`)
  const mails = await all(me, `mails?OrderNo=${no}`)
  const letter = `Quote ${client.Mail}`
  expect(mails.map(({ Kind, Recipient }) => `${Kind} ${Recipient}`)).toEqual([letter, letter])
  expect(mails[0]).toMatchObject({ MailId: Number(place.searchParams.get('mail')) })
  expect(mails[0]!.Words).toMatch(/^Hello[^]*3\.127,00/)
  expect(await order(me, no)).toMatchObject({ QuoteMailed: true, Sum: '3.127,00', Stage: 'Fresh' })
  expect((await all(me, 'leads?Stage=Fresh')).at(-1)).toMatchObject({ OrderNo: no, QuoteMailed: true })
  const silent = (await all(me, 'clients')).filter(({ Mail }) => Mail === '').map(({ ClientNo }) => ClientNo)
  for (const stage of ['Won', 'Lost']) {
    const unsent = ({ QuoteMailed, ClientNo }: Item): boolean => !QuoteMailed && !silent.includes(ClientNo)
    const { OrderNo } = need(await all(me, `leads?Stage=${stage}`), unsent)
    await formed(me, `/${OrderNo}/quote`)
    expect(await order(me, OrderNo)).toMatchObject({ QuoteMailed: true, Stage: stage })
  }
  const mailed = Array.from({ length: 4 }, () => 'quote.mail')
  expect(await actions(me)).toEqual(['order.add', 'line.add', 'line.add', ...mailed])
})

test('an open job becomes slated by a visit, in any zone’s time, and takes hours', async () => {
  const { CrewId, FullName } = need((await setup(me)).Crew)
  const no = await newOrder(me, (await mailable(me)).ClientNo)
  expect(await order(me, no)).toMatchObject({ Kind: 'Job', State: 'Open', Stage: null, Bill: null })
  const times = { From: '15.07.2030 09:30', Till: '15.07.2030 11:00', Zone: 'Etc/UTC', Crew: FullName.toLowerCase() }
  const place = await formed(me, `/${no}/visits`, { ...times, Remark: 'Gate' })
  const { State, Visits, Zone } = await order(me, no)
  const clock = new Intl.DateTimeFormat('de-DE', { timeZone: Zone, dateStyle: 'medium', timeStyle: 'short' })
  expect(State).toBe('Slated')
  expect(Visits).toEqual([
    {
      VisitId: Number(place.searchParams.get('visit')),
      Topic: 'Boiler repair',
      From: clock.format(Date.UTC(2030, 6, 15, 9, 30)).replace(',', ''),
      Till: clock.format(Date.UTC(2030, 6, 15, 11)).replace(',', ''),
      Crew: { CrewId, FullName },
      Remark: 'Gate',
    },
  ])
  expect((await all(me, 'jobs?State=Slated')).at(-1)).toMatchObject({
    OrderNo: no,
    Slated: '15.07.2030',
    Crew: [FullName],
  })
  const { Entry } = await wrote(me, `orders/${no}/hours`, { Crew: String(CrewId), Time: '7,5', Day: '29.02.2024' })
  expect(Entry).toMatchObject({ Time: '7,50', Day: '29.02.2024', Crew: { FullName } })
  expect((await order(me, no)).Hours).toEqual([Entry])
  for (const state of ['Working', 'Paused']) {
    const other = await job(me, state)
    await formed(me, `/${other}/visits`, { From: times.From, Till: times.Till })
    expect(await order(me, other)).toMatchObject({ State: state })
  }
  expect(await actions(me)).toEqual(['order.add', 'visit.add', 'hours.add', 'visit.add', 'visit.add'])
  expect(await all(me, `mails?OrderNo=${no}`)).toEqual([])
})

test('none → made → mailed → seen → settled: only the mailing reaches the client', async () => {
  const client = await mailable(me)
  const no = await newOrder(me, client.ClientNo)
  const path = `/app/ajax/orders/${no}/bill`
  expect(await me.refused('POST', path, {})).toEqual([409, 'NOTHING_TO_BILL'])
  for (const way of ['mail', 'payments']) expect(await submitted(me, `/${no}/bill/${way}`)).toEqual([409, 'NO_BILL'])
  await wrote(me, `orders/${no}/lines`, { Label: 'Work', Each: '100' })
  const { Bill } = await wrote(me, `orders/${no}/bill`, {})
  expect(Bill).toMatchObject({ Sum: '100,00', Due: '100,00', Pile: 'Due', MailedAt: null, SeenAt: null, Link: null })
  expect(await me.refused('POST', path, {})).toEqual([409, 'BILL_EXISTS'])
  await wrote(me, `orders/${no}/lines`, { Label: 'More', Each: '23,45' })
  expect((await all(me, 'bills')).at(-1)).toMatchObject({ BillNo: Bill.BillNo, Due: '123,45' })
  expect(await all(me, `mails?OrderNo=${no}`)).toEqual([])

  await formed(me, `/${no}/bill/mail`, { Message: 'Danke' })
  expect(await submitted(me, `/${no}/bill/mail`)).toEqual([409, 'BILL_ALREADY_MAILED'])
  const [mail] = await all(me, `mails?OrderNo=${no}`)
  const { Link } = (await order(me, no)).Bill
  expect(mail).toMatchObject({ Kind: 'Bill', Recipient: client.Mail })
  expect(mail!.Words).toContain(Link)
  expect((await fetch(Link)).status).toBe(200)
  expect((await order(me, no)).Bill.SeenAt).toBeNull()
  expect((await fetch(Link, { method: 'POST', redirect: 'manual' })).status).toBe(303)
  expect((await order(me, no)).Bill.SeenAt).not.toBeNull()

  const wrong = { Means: 'Cheque', Amount: '100,00' }
  expect(await submitted(me, `/${no}/bill/payments`, wrong)).toEqual([422, 'AMOUNT_NOT_DUE'])
  await formed(me, `/${no}/bill/payments`, { ...wrong, Amount: '123,45', Reference: '42', Day: '01.02.2026' })
  const settled = { Pile: 'Settled', Due: '0,00', Received: '123,45' }
  const payment = { Means: 'Cheque', Sum: '123,45', Day: '01.02.2026', Reference: '42', Remark: '' }
  expect((await order(me, no)).Bill).toMatchObject({ ...settled, Payments: [payment] })
  expect((await all(me, 'bills?Pile=Settled')).at(-1)).toMatchObject({ OrderNo: no, ...settled })
  expect((await all(me, 'bills')).some(({ OrderNo }) => OrderNo === no)).toBe(false)
  expect(await submitted(me, `/${no}/bill/payments`, { Means: 'Cash' })).toEqual([409, 'BILL_SETTLED'])
  const late = await me.refused('POST', `/app/ajax/orders/${no}/lines`, { Label: 'x', Each: '1' })
  expect(late).toEqual([409, 'BILL_SETTLED'])
  expect(await all(me, `mails?OrderNo=${no}`)).toHaveLength(1)
  const made = ['order.add', 'line.add', 'bill.make', 'line.add', 'bill.mail', 'payment.add']
  expect(await actions(me)).toEqual(made)
})

test('a bill is paid unmailed too, with its deposit, and then is not mailed', async () => {
  const due = (await all(me, 'bills')).filter(({ MailedAt }) => MailedAt === null)
  const begun = need(await all(me, 'bills'), ({ Received }) => Received !== '0,00')
  for (const { OrderNo, Sum } of [due[0]!, begun]) {
    await formed(me, `/${OrderNo}/bill/payments`, { Means: 'Other' })
    expect((await order(me, OrderNo)).Bill).toMatchObject({ Received: Sum, Pile: 'Settled' })
  }
  expect(await submitted(me, `/${due[0]!.OrderNo}/bill/mail`)).toEqual([409, 'BILL_SETTLED'])
})

test('what does not fit the order is refused and changes nothing', async () => {
  const lead = (await all(calm, 'leads'))[0]!.OrderNo
  const [dropped, done, open] = [await job(calm, 'Dropped'), await job(calm, 'Done'), await job(calm, 'Open')]
  const before = await Promise.all([lead, dropped, done, open].map((no) => order(calm, no)))
  const times = { From: '01.03.2030 09:00', Till: '01.03.2030 10:00' }
  const [hours, crew] = [{ Crew: 'Amélie Brûlé', Time: '1' }, (await setup(calm)).Crew.at(-1)]
  expect(await submitted(calm, `/${lead}/visits`, times)).toEqual([409, 'NOT_A_JOB'])
  expect(await submitted(calm, `/${dropped}/visits`, times)).toEqual([409, 'ORDER_DROPPED'])
  expect(await submitted(calm, `/${done}/visits`, times)).toEqual([409, 'ORDER_DONE'])
  expect(await submitted(calm, `/${open}/quote`)).toEqual([409, 'NOT_A_LEAD'])
  expect(await calm.refused('POST', `/app/ajax/orders/${lead}/hours`, hours)).toEqual([409, 'NOT_A_JOB'])
  expect(await calm.refused('POST', `/app/ajax/orders/${dropped}/hours`, hours)).toEqual([409, 'ORDER_DROPPED'])
  expect(await calm.refused('POST', `/app/ajax/orders/${lead}/bill`, {})).toEqual([409, 'NOT_A_JOB'])
  expect(await submitted(calm, `/${open}/visits`, { ...times, Till: times.From })).toEqual([422, 'TIMES_BACKWARDS'])
  const skipped = { ...times, From: '31.03.2030 02:30', Till: '31.03.2030 04:00', Zone: 'Europe/Berlin' }
  expect(await submitted(calm, `/${open}/visits`, skipped)).toEqual([422, 'TIME_SKIPPED'])
  expect(await submitted(calm, `/${open}/visits`, { ...times, Till: '16.03.2030 09:00' })).toEqual([
    422,
    'VISIT_TOO_LONG',
  ])
  expect(await submitted(calm, `/${open}/visits`, { ...times, Zone: '+01:00' })).toEqual([422, 'ZONE_UNKNOWN'])
  expect(await submitted(calm, `/${open}/visits`, { ...times, Crew: crew!.FullName })).toEqual([422, 'CREW_LEFT'])
  expect(await submitted(calm, `/${open}/visits`, { ...times, Who: 'x' })).toEqual([422, 'FIELD_UNKNOWN'])
  for (const [more, code] of [
    [{ Time: '24,01' }, 'FIGURE_OUT_OF_BOUNDS'],
    [{ Time: 1 }, 'TEXT_INVALID'],
    [{ Time: '1.5' }, 'FIGURE_INVALID'],
    [{ Day: '01.01.2099' }, 'DAY_IN_FUTURE'],
    [{ Day: '2026-01-01' }, 'DAY_INVALID'],
    [{ Crew: 'Nobody' }, 'CREW_UNKNOWN'],
  ] as const)
    expect(await calm.refused('POST', `/app/ajax/orders/${open}/hours`, { ...hours, ...more })).toEqual([422, code])
  for (const [body, code] of [
    [{ Label: 'x' }, 'FIELD_REQUIRED'],
    [{ Label: 'x', Each: '1.000.000,01' }, 'FIGURE_OUT_OF_BOUNDS'],
    [{ Label: 'x', Each: '1', Qty: '0' }, 'FIGURE_OUT_OF_BOUNDS'],
    [{ Label: 'x', Each: '10,00 €' }, 'FIGURE_INVALID'],
    [{ Label: 'x', Each: '1.000.000', Qty: '101' }, 'TOTAL_TOO_HIGH'],
  ] as const)
    expect(await calm.refused('POST', `/app/ajax/orders/${open}/lines`, body)).toEqual([422, code])
  const silent = (await all(calm, 'clients'))[7]!
  const kept = { ClientNo: String(silent.ClientNo), Service: 'Drain cleaning' }
  expect(await submitted(calm, '', { ...kept, Service: 'Drain' })).toEqual([422, 'SERVICE_UNKNOWN'])
  expect(await submitted(calm, '', { ...kept, Kind: 'lead' })).toEqual([422, 'CHOICE_INVALID'])
  expect(await submitted(calm, '', { ...kept, ClientNo: '1' })).toEqual([404, 'CLIENT_NOT_FOUND'])
  expect(await app.effects(calm)).toEqual([])
  expect(await Promise.all([lead, dropped, done, open].map((no) => order(calm, no)))).toEqual(before)
  const quiet = await newOrder(me, (await all(me, 'clients'))[7]!.ClientNo, { Kind: 'Lead' })
  expect(await submitted(me, `/${quiet}/quote`)).toEqual([409, 'CLIENT_WITHOUT_MAIL'])
  expect(await order(me, quiet)).toMatchObject({ QuoteMailed: false })
})

test('a dispatcher does everything but bills and payments, and sees none', async () => {
  const dispatcher = await app.newcomer('dispatcher')
  const no = await job(dispatcher, 'Done')
  expect(await order(dispatcher, no)).toMatchObject({ BillShown: false, Bill: null })
  expect(await dispatcher.denied('/app/ajax/bills')).toEqual([403, 'ADMIN_ONLY'])
  expect(await dispatcher.refused('POST', `/app/ajax/orders/${no}/bill`, {})).toEqual([403, 'ADMIN_ONLY'])
  for (const way of ['mail', 'payments'])
    expect(await submitted(dispatcher, `/${no}/bill/${way}`, {})).toEqual([403, 'ADMIN_ONLY'])
  await newOrder(dispatcher, (await mailable(dispatcher)).ClientNo)
  expect(await actions(dispatcher)).toEqual(['order.add'])
})

test('people have pages with forms for the same', async () => {
  const client = await mailable(me)
  const [open, lead] = [await job(me, 'Open'), (await all(me, 'leads'))[0]!.OrderNo]
  const details = [`clients/${client.ClientNo}`, `orders/${open}`, `orders/${lead}`]
  for (const path of ['jobs', 'jobs?State=Done&Page=2', 'leads', 'clients?Find=a', 'bills', 'outbox', ...details]) {
    const page = await me.get(`/app/${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('name="AntiForgery"')
  }
  expect((await me.form('/app/clients', { Title: '<i>', Town: 'Bonn' })).status).toBe(303)
  expect(await (await me.get('/app/clients?Page=7')).text()).toContain('&lt;i&gt;')
  await formed(me, `/${open}/lines`, { Label: 'By form', Qty: '1,00', Each: '5' })
  await formed(me, `/${open}/hours`, { Crew: 'Amélie Brûlé', Day: '', Time: '1,00', Remark: '' })
  await formed(me, `/${open}/bill`)
  expect(await order(me, open)).toMatchObject({ Hours: [{ Time: '1,00' }], Bill: { Pile: 'Due' } })
  expect((await all(me, 'clients')).at(-1)).toMatchObject({ Title: '<i>', SiteLine: 'Bonn' })
})
