import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  prooflight,
  refusal,
  type Fields,
  type Item,
  type Photographer,
  type Prooflight,
} from './photo-gallery-studio.ts'

let run: Prooflight
let me: Photographer
/** All that it tries is refused. */
let calm: Photographer
beforeAll(async () => {
  run = await prooflight()
  calm = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
})

const mails = async (who = me): Promise<number> => (await who.read('/mailings?page[size]=1')).meta.matching

const payer = (id: string): Fields => ({ payer: { data: { type: 'people', id } } })

const someone = async (who = me): Promise<Item> =>
  (await who.read('/people')).data.find(({ attributes }) => attributes['mail'] !== '') as Item

const lines = [
  { label: 'Casamento, dia inteiro', qty: 2, each: '1250,50' },
  { label: 'صورة', each: '0,07' },
]

const day = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')

test('somebody new is a lead unless said, first in the list, and not written to', async () => {
  const before = await mails()
  const lead = await me.make('people', { full_name: 'Zoë בר-לב', mail: 'Zoe@mail.example' })
  expect(lead.attributes).toMatchObject({ full_name: 'Zoë בר-לב', mail: 'Zoe@mail.example', tel: '', standing: 'lead' })
  const client = await me.make('people', { full_name: 'Li', mail: 'li@mail.example', tel: '+1 2', standing: 'client' })
  expect((await me.read('/people')).data.slice(0, 2)).toEqual([client, lead])
  expect(await me.item(`/people/${lead.id}`)).toEqual(lead)
  expect(await mails()).toBe(before)
  expect((await run.effects(me.account)).map(({ action, body }) => [action, body['mail'], body['standing']])).toEqual([
    ['person.add', 'Zoe@mail.example', 'lead'],
    ['person.add', 'li@mail.example', 'client'],
  ])
  const again = { type: 'people', attributes: { full_name: 'Other', mail: 'zoe@MAIL.example' } }
  expect(await refusal(await me.post('/people', again))).toBe('409 MAIL_TAKEN')
})

test.each([
  [{ mail: 'a@b.example' }, 'FIELD_REQUIRED'],
  [{ full_name: 'x' }, 'FIELD_REQUIRED'],
  [{ full_name: 'x', mail: 'a@b' }, 'ADDRESS_INVALID'],
  [{ full_name: 'x'.repeat(121), mail: 'a@b.example' }, 'TEXT_TOO_LONG'],
  [{ full_name: 'x', mail: 'a@b.example', tel: '1'.repeat(41) }, 'TEXT_TOO_LONG'],
  [{ full_name: 'x', mail: 'a@b.example', tel: 5 }, 'TEXT_INVALID'],
  [{ full_name: 'x', mail: 'a@b.example', standing: 'visitor' }, 'STANDING_INVALID'],
  [{ full_name: 'x', mail: 'a@b.example', name: 'x' }, 'FIELD_UNKNOWN'],
])('a person of %j is refused with %s', async (attributes, code) => {
  expect(await refusal(await calm.post('/people', { type: 'people', attributes }))).toBe(`422 ${code}`)
  expect(await run.effects(calm.account)).toEqual([])
})

test('none → draft → sent → paid: only the sending writes to the payer', async () => {
  const client = await someone()
  const before = await mails()
  const draft = await me.make('bills', { lines, due_day: day(40), memo: 'Merci', money: 'CHF' }, payer(client.id))
  expect(draft.attributes).toMatchObject({
    stage: 'draft',
    sum: '2501,07',
    settled: '0,00',
    money: 'CHF',
    due_day: day(40),
    lines: [lines[0], { ...lines[1], qty: 1 }],
    pay_link: null,
    sent_ms: null,
  })
  expect(await mails()).toBe(before)
  expect((await me.read('/bills?filter[owing]=yes')).data[0]?.id).toBe(draft.id)

  const sent = await me.form(`/bills/${draft.id}/send`)
  const place = new URL(sent.headers.get('location') ?? '', me.base)
  expect([sent.status, place.pathname]).toEqual([303, `/photo-gallery/studio/bills/${draft.id}`])
  const bill = await me.item(`/bills/${draft.id}`)
  const link = String(bill.attributes['pay_link'])
  expect(bill.attributes['stage']).toBe('sent')
  const { data } = await me.read(`/mailings?filter[batch]=${place.searchParams.get('batch')}`)
  expect(data.map(({ attributes }) => attributes['recipient'])).toEqual([client.attributes['mail']])
  expect(data[0]?.attributes['words']).toContain(link)
  expect(await mails()).toBe(before + 1)
  expect(await refusal(await me.form(`/bills/${draft.id}/send`))).toBe('409 BILL_ALREADY_SENT')
  expect(await mails()).toBe(before + 1)

  expect((await fetch(link, { method: 'POST', redirect: 'manual' })).status).toBe(303)
  expect((await me.item(`/bills/${draft.id}`)).attributes).toMatchObject({ stage: 'paid', settled: '2501,07' })
  expect((await me.read('/bills?filter[owing]=no')).data[0]?.id).toBe(draft.id)
  expect(await refusal(await fetch(link, { method: 'POST' }))).toBe('409 NOTHING_OWED')
  const { number } = draft.attributes
  const stored = [
    { label: 'Casamento, dia inteiro', qty: 2, cents: 125_050 },
    { label: 'صورة', qty: 1, cents: 7 },
  ]
  const body = { id: draft.id, number, payer: client.id, lines: stored, memo: 'Merci', cents: 250_107 }
  expect(await run.effects(me.account)).toMatchObject([
    { action: 'bill.draft', body },
    { action: 'bill.send', body: { id: draft.id, to: client.attributes['mail'] } },
  ])
})

test('a bill is due in 14 days and in the studio’s money unless said', async () => {
  const { money, zone } = await me.studio()
  const bill = await me.make('bills', { lines }, payer((await someone()).id))
  const due = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.now() + 14 * 86_400_000)
  expect(bill.attributes).toMatchObject({ money, due_day: due.replaceAll('-', '') })
})

test.each(['sent', 'part_paid', 'paid'])('a bill that is %s is not sent again', async (stage) => {
  const before = await mails(calm)
  const bill = (await calm.all('/bills')).find(({ attributes }) => attributes['stage'] === stage)
  expect(await refusal(await calm.form(`/bills/${bill?.id}/send`))).toBe('409 BILL_ALREADY_SENT')
  expect(await calm.item(`/bills/${bill?.id}`)).toMatchObject({ attributes: bill?.attributes ?? {} })
  expect(await mails(calm)).toBe(before)
})

test('a bill whose payer has no address stays a draft', async () => {
  const nobody = (await me.all('/people')).find(({ attributes }) => attributes['mail'] === '')
  const bill = await me.make('bills', { lines }, payer(nobody?.id ?? ''))
  expect(await refusal(await me.form(`/bills/${bill.id}/send`))).toBe('409 PAYER_WITHOUT_MAIL')
  expect((await me.item(`/bills/${bill.id}`)).attributes['stage']).toBe('draft')
})

const line = { label: 'x', each: '1,00' }
test.each([
  [{}, 'LINES_REQUIRED'],
  [{ lines: [] }, 'LINES_REQUIRED'],
  [{ lines: Array.from({ length: 51 }, () => line) }, 'TOO_MANY_LINES'],
  [{ lines: ['x'] }, 'LINE_INVALID'],
  [{ lines: [{ each: '1,00' }] }, 'FIELD_REQUIRED'],
  [{ lines: [{ ...line, each: '1.00' }] }, 'AMOUNT_INVALID'],
  [{ lines: [{ ...line, each: '1,0' }] }, 'AMOUNT_INVALID'],
  [{ lines: [{ ...line, each: '-1,00' }] }, 'AMOUNT_INVALID'],
  [{ lines: [{ ...line, each: 1 }] }, 'AMOUNT_INVALID'],
  [{ lines: [{ ...line, each: '0,00' }] }, 'SUM_ZERO'],
  [{ lines: [{ ...line, qty: 1000, each: '10000,01' }] }, 'SUM_TOO_HIGH'],
  [{ lines: [{ ...line, qty: 0 }] }, 'QTY_INVALID'],
  [{ lines: [{ ...line, qty: 1001 }] }, 'QTY_INVALID'],
  [{ lines: [{ ...line, qty: 1.5 }] }, 'QTY_INVALID'],
  [{ lines: [line], due_day: day(-3) }, 'DUE_DAY_PAST'],
  [{ lines: [line], due_day: 'soon' }, 'DAY_INVALID'],
  [{ lines: [line], money: 'euro' }, 'MONEY_INVALID'],
  [{ lines: [line], memo: 'x'.repeat(1001) }, 'TEXT_TOO_LONG'],
  [{ lines: [line], sum: '5,00' }, 'FIELD_UNKNOWN'],
])('a bill of %j is refused with %s', async (attributes, code) => {
  const relationships = payer((await someone(calm)).id)
  expect(await refusal(await calm.post('/bills', { type: 'bills', attributes, relationships }))).toBe(`422 ${code}`)
  const unpayable = { type: 'bills', attributes: { lines: [line] } }
  expect(await refusal(await calm.post('/bills', unpayable))).toBe('422 PAYER_REQUIRED')
  expect(await run.effects(calm.account)).toEqual([])
})

test('the largest bill is taken, and the pages show it escaped', async () => {
  const big = { label: '<script>', qty: 1000, each: '10000,00' }
  const bill = await me.make('bills', { lines: [big] }, payer((await someone()).id))
  expect(bill.attributes['sum']).toBe('10000000,00')
  const page = await (await me.get(`/studio/bills/${bill.id}`)).text()
  expect(page).toContain('&lt;script&gt;')
  expect(page).not.toContain('<script>')
})

test('writes without the proof do nothing', async () => {
  const [draft] = (await me.all('/bills')).filter(({ attributes }) => attributes['stage'] === 'draft')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = await me.send('POST', `/studio/bills/${draft?.id}/send`, form, 'proof=wrong')
  expect(await refusal(send)).toBe('403 TOKEN_INVALID')
  const json = await me.send('POST', '/api/people', { 'content-type': 'application/json' }, '{"data":{}}')
  expect(await refusal(json)).toBe('403 TOKEN_INVALID')
  expect(await refusal(await me.post('/people', { type: 'bills', attributes: {} }))).toBe('400 BODY_INVALID')
  expect(await run.effects(me.account)).toEqual([])
})
