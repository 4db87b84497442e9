import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buys, named, openKramora, toEnd, type Sale, type Thing } from './digital-products-shop.ts'
import type { AppPerson, OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

let run: OpenApp
let me: AppPerson
beforeAll(async () => {
  run = await openKramora()
})
beforeEach(async () => {
  me = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())

const actions = async (): Promise<string[]> => (await run.effects(me)).map(({ action }) => action)
const saleOf = (no: string): Promise<Sale> => named<Sale>(me, `/my/sales/${no}`, 'sale')

/** Status and code of a form that is refused. */
async function turnedDown(path: string, fields: Record<string, string | string[]> = {}): Promise<unknown[]> {
  const response = await me.form(path, fields)
  return [response.status, await codeOf(response)]
}

/** What the address says to which a form leads. */
async function submitted(path: string, fields: Record<string, string> = {}): Promise<{ path: string; said: Thing }> {
  const response = await me.form(path, fields)
  expect([response.status, response.ok ? await codeOf(response) : undefined]).toEqual([303, undefined])
  const url = new URL(response.headers.get('location') ?? '', 'http://here')
  return { path: url.pathname.replace('/digital-products', ''), said: Object.fromEntries(url.searchParams) }
}

test('a voucher is made for an order, a ware or a shelf, and buyers use it until it is used up', async () => {
  const ware = (await named(me, '/my/wares?shown=listed', 'wares')).find(({ price_cents }) => Number(price_cents) > 500)
  const [shelf] = await named(me, '/my/shelves', 'shelves')
  const { ware_no, link, price_cents } = ware as Record<'ware_no' | 'link', string> & { price_cents: number }
  const make = (body: Thing) => me.wrote<{ voucher: Thing }>('POST', '/my/vouchers', body)
  const order = (await make({ code: 'ORDER_1', off: { bp: 1250 }, use_limit: 1 })).voucher
  expect(order).toMatchObject({ covers: 'order', ware: null, shelf: null, used: 0, use_limit: 1, until: null })
  const forWare = (await make({ code: 'W-1', off: { cents: 300 }, covers: 'ware', ware_no, until: '29991231' })).voucher
  expect(forWare).toMatchObject({ off: { cents: 300 }, ware: { ware_no }, until: '29991231' })
  const forShelf = (await make({ code: 'F-1', off: { bp: 10_000 }, covers: 'shelf', shelf_no: shelf?.['shelf_no'] }))
    .voucher
  expect(forShelf).toMatchObject({ shelf: { shelf_no: shelf?.['shelf_no'], label: 'Start here' } })
  expect((await named(me, '/my/vouchers', 'vouchers')).slice(0, 3)).toEqual([forShelf, forWare, order])
  expect(await me.refused('POST', '/my/vouchers', { code: 'order_1', off: { bp: 1 } })).toEqual([409, 'CODE_TAKEN'])
  expect(await actions()).toEqual(['voucher.create', 'voucher.create', 'voucher.create'])
  for (const [voucher, off] of [
    ['order_1', Math.round(price_cents / 8)],
    ['W-1', 300],
  ] as const) {
    expect((await buys(me, link, { mail: 'v@mail.example', voucher })).status).toBe(303)
    expect((await named(me, '/my/sales?per=1', 'sales'))[0]).toMatchObject({ total_cents: price_cents - off })
  }
  expect((await buys(me, link, { mail: 'v@mail.example', voucher: 'ORDER_1' })).status).toBe(422)
  expect((await named(me, '/my/vouchers', 'vouchers'))[2]).toMatchObject({ code: 'ORDER_1', used: 1 })
})

test('a file is added by its address and changed later; what is not given stays', async () => {
  const fields = {
    label: ' شعار & <b>',
    pitch: 'Two\nlines',
    price_cents: '0',
    shown: 'by_link',
    file_from: 'https://files.example/a/b.zip?x=1',
  }
  const { path, said } = await submitted('/desk/wares', fields)
  expect(said).toEqual({ done: 'added' })
  const no = path.split('/').at(-1) ?? ''
  const [row] = await named(me, '/my/wares', 'wares')
  expect(row).toMatchObject({ ware_no: no, label: fields.label, price_cents: 0, shown: 'by_link', sort: 'file' })
  const added = await named<Thing>(me, `/my/wares/${no}`, 'ware')
  expect(added).toMatchObject({ pitch: fields.pitch, file: { file_from: fields.file_from, name: 'b.zip' } })
  expect((await fetch(String(added['link']))).status).toBe(200)
  const change = (body: Thing) => me.wrote<{ ware: Thing }>('PATCH', `/my/wares/${no}`, body)
  expect((await change({ shown: 'hidden', pitch: '' })).ware).toEqual({ ...added, shown: 'hidden', pitch: '' })
  expect((await change({ label: 'New', price_cents: 1999 })).ware).toMatchObject({
    label: 'New',
    price_cents: 1999,
    shown: 'hidden',
  })
  expect(await named(me, `/my/wares/${no}`, 'ware')).toMatchObject({ label: 'New', price_cents: 1999, pitch: '' })
  expect((await fetch(String(added['link']))).status).toBe(404)
  expect(await actions()).toEqual(['ware.add', 'ware.change', 'ware.change'])
})

test('a remark is kept as written, after the earlier ones, and no buyer hears of it', async () => {
  const [{ sale_no }] = (await named<Sale[]>(me, '/my/sales', 'sales')) as [Sale]
  const letters = await named(me, `/my/letters?sale_no=${sale_no}`, 'letters')
  const before = (await saleOf(sale_no))['remarks'] as Thing[]
  for (const words of ['  first\r\n', 'שני'.repeat(1666)]) {
    const { remark } = await me.wrote<{ remark: Thing }>('POST', `/my/sales/${sale_no}/remarks`, { words })
    expect(remark).toMatchObject({ words })
    expect((await saleOf(sale_no))['remarks']).toEqual([...before, remark])
    before.push(remark)
  }
  expect(await named(me, `/my/letters?sale_no=${sale_no}`, 'letters')).toEqual(letters)
  expect(await actions()).toEqual(['sale.remark', 'sale.remark'])
})

test('a refill gives every file of a sale the shop’s limit, unless there is none or all the money went back', async () => {
  const { fetch_limit } = await named<{ fetch_limit: number }>(me, '/my/shop', 'shop')
  const sales = await Promise.all(
    (await toEnd<Sale>(me, '/my/sales')).slice(0, 60).map(({ sale_no }) => saleOf(sale_no)),
  )
  const hasFiles = ({ lines }: Sale): boolean => lines.some(({ fetches_left }) => fetches_left !== null)
  const used = sales.find(
    ({ state, lines }) => state === 'complete' && lines.some(({ fetches_left }) => fetches_left === 0),
  )
  const { said } = await submitted(`/desk/sales/${used?.sale_no}/refill`)
  expect(said).toEqual({ done: 'refilled', fetches: String(fetch_limit) })
  const left = ({ lines }: Sale): unknown[] => lines.map(({ fetches_left }) => fetches_left)
  const wanted = used?.lines.map(({ fetches_left }) => (fetches_left === null ? null : fetch_limit))
  expect(left(await saleOf(used?.sale_no ?? ''))).toEqual(wanted)
  await submitted(`/desk/sales/${used?.sale_no}/refill`)
  await submitted(
    `/desk/sales/${sales.find((sale) => sale.state === 'part_returned' && hasFiles(sale))?.sale_no}/refill`,
  )
  const returned = sales.find((sale) => sale.state === 'returned' && hasFiles(sale))
  expect(await turnedDown(`/desk/sales/${returned?.sale_no}/refill`)).toEqual([409, 'SALE_RETURNED'])
  const bare = sales.find((sale) => sale.state === 'complete' && !hasFiles(sale))
  expect(await turnedDown(`/desk/sales/${bare?.sale_no}/refill`)).toEqual([409, 'NOTHING_TO_FETCH'])
  expect(await actions()).toEqual(['sale.refill', 'sale.refill', 'sale.refill'])
})

test('a receipt goes to the buyer again, as often as wanted, with the link to the files', async () => {
  for (const state of ['complete', 'returned', 'part_returned']) {
    const [sale] = await named<Sale[]>(me, `/my/sales?state=${state}`, 'sales')
    const path = `/my/letters?sale_no=${sale?.sale_no}`
    const before = await named(me, path, 'letters')
    const { said } = await submitted(`/desk/sales/${sale?.sale_no}/receipt`)
    const [letter, ...rest] = await named(me, path, 'letters')
    expect(letter).toMatchObject({ letter_no: said['letter_no'], sent: said['sent'], recipient: sale?.buyer_mail })
    expect(letter?.['words']).toBe(before[0]?.['words'])
    expect(rest).toEqual(before)
  }
  expect(await actions()).toEqual(['sale.receipt', 'sale.receipt', 'sale.receipt'])
})

test('only a running plan is ended: billing stops and access too', async () => {
  const members = await toEnd(me, '/my/members')
  for (const state of ['running', 'trial', 'ended', 'resting', 'owing', 'late', 'unfinished', 'lapsed']) {
    const member = members.find((one) => one['state'] === state)
    const path = `/my/members/${String(member?.['member_no'])}/end`
    if (state === 'running') {
      const ended = (await me.wrote<{ member: Thing }>('POST', path, {})).member
      expect(ended).toEqual({ ...member, state: 'ended', may_enter: false, billed: false, ended: expect.any(String) })
      expect(await toEnd(me, '/my/members?state=ended')).toContainEqual(ended)
    }
    expect(await me.refused('POST', path, {})).toEqual([409, 'PLAN_NOT_RUNNING'])
  }
  expect(await actions()).toEqual(['member.end'])
})

test('a barred buyer can buy no more, and is barred once', async () => {
  const [{ sale_no, buyer_mail }] = (await named<Sale[]>(me, '/my/sales', 'sales')) as [Sale]
  const [ware] = await named(me, '/my/wares?shown=by_link', 'wares')
  expect((await buys(me, String(ware?.['link']), { mail: buyer_mail })).status).toBe(303)
  expect((await submitted(`/desk/sales/${sale_no}/bar`)).said).toEqual({ done: 'barred' })
  expect((await named(me, '/my/barred', 'barred'))[0]).toMatchObject({ buyer_mail, sale_no })
  expect(await saleOf(sale_no)).toMatchObject({ buyer_barred: true })
  expect((await buys(me, String(ware?.['link']), { mail: buyer_mail.toUpperCase() })).status).toBe(403)
  expect(await turnedDown(`/desk/sales/${sale_no}/bar`)).toEqual([409, 'BUYER_BARRED'])
  expect(await actions()).toEqual(['buyer.bar'])
})

test('helpers read what is sold, but see no figures and change nothing', async () => {
  me = await run.newcomer('helper')
  const [{ sale_no }] = (await named<Sale[]>(me, '/my/sales', 'sales')) as [Sale]
  const [[ware], [member]] = [await named(me, '/my/wares', 'wares'), await toEnd(me, '/my/members?state=running')]
  await saleOf(sale_no)
  const forbidden = [403, 'OWNER_ONLY']
  for (const path of ['figures?first=20260101&last=20260102', 'books/202601'])
    expect(await me.denied(`/my/${path}`)).toEqual(forbidden)
  for (const form of ['refill', 'receipt', 'bar'])
    expect(await turnedDown(`/desk/sales/${sale_no}/${form}`)).toEqual(forbidden)
  expect(await turnedDown('/desk/wares', { label: 'x' })).toEqual(forbidden)
  expect(await me.refused('POST', '/my/vouchers', {})).toEqual(forbidden)
  expect(await me.refused('POST', `/my/sales/${sale_no}/remarks`, { words: 'x' })).toEqual(forbidden)
  expect(await me.refused('PATCH', `/my/wares/${String(ware?.['ware_no'])}`, { label: 'x' })).toEqual(forbidden)
  expect(await me.refused('POST', `/my/members/${String(member?.['member_no'])}/end`, {})).toEqual(forbidden)
  expect(await actions()).toEqual([])
})

test('what is missing, unknown, of another type or out of bounds is refused and does nothing', async () => {
  const file = { label: 'x', price_cents: '100', file_from: 'https://files.example/x.zip' }
  for (const [fields, code] of [
    [{ ...file, label: ' ' }, 'FIELD_REQUIRED'],
    [{ ...file, price_cents: '' }, 'FIELD_REQUIRED'],
    [{ ...file, price_cents: '1.50' }, 'NUMBER_INVALID'],
    [{ ...file, price_cents: '10000001' }, 'NUMBER_INVALID'],
    [{ ...file, label: 'é'.repeat(201) }, 'TEXT_TOO_LONG'],
    [{ ...file, shown: 'public' }, 'CHOICE_INVALID'],
    [{ ...file, label: ['a', 'b'] }, 'FIELD_REPEATED'],
    [{ ...file, sort: 'course' }, 'FIELD_UNKNOWN'],
    [{ ...file, file_from: 'ftp://files.example/x.zip' }, 'FILE_INVALID'],
    [{ ...file, file_from: 'https://files.example/' }, 'FILE_INVALID'],
    [{ ...file, file_from: 'http://192.168.1.4/x.zip' }, 'FILE_NOT_PUBLIC'],
    [{ ...file, file_from: 'https://files.example/missing.zip' }, 'FILE_NOT_FOUND'],
  ] as const) {
    expect([code, ...(await turnedDown('/desk/wares', fields as Record<string, string>))]).toEqual([code, 422, code])
  }
  const [{ sale_no }] = (await named<Sale[]>(me, '/my/sales', 'sales')) as [Sale]
  const [ware] = await named(me, '/my/wares', 'wares')
  const [voucher, remark, patch] = [
    '/my/vouchers',
    `/my/sales/${sale_no}/remarks`,
    `/my/wares/${String(ware?.['ware_no'])}`,
  ]
  for (const [method, path, body, status, code] of [
    ['POST', voucher, [], 400, 'BODY_INVALID'],
    ['POST', voucher, { code: 'a b c', off: { bp: 1 } }, 422, 'CODE_INVALID'],
    ['POST', voucher, { code: 'ABC' }, 422, 'OFF_INVALID'],
    ['POST', voucher, { code: 'ABC', off: { bp: 1, cents: 1 } }, 422, 'OFF_INVALID'],
    ['POST', voucher, { code: 'ABC', off: { bp: 10_001 } }, 422, 'NUMBER_INVALID'],
    ['POST', voucher, { code: 'ABC', off: { cents: '5' } }, 422, 'NUMBER_INVALID'],
    ['POST', voucher, { code: 'ABC', off: { bp: 1 }, covers: 'ware' }, 422, 'TARGET_MISPLACED'],
    ['POST', voucher, { code: 'ABC', off: { bp: 1 }, ware_no: ware?.['ware_no'] }, 422, 'TARGET_MISPLACED'],
    ['POST', voucher, { code: 'ABC', off: { bp: 1 }, use_limit: 0 }, 422, 'NUMBER_INVALID'],
    ['POST', voucher, { code: 'ABC', off: { bp: 1 }, until: '2999-12-31' }, 422, 'DAY_INVALID'],
    ['POST', voucher, { code: 'ABC', off: { bp: 1 }, until: '20200101' }, 422, 'DAY_PAST'],
    ['POST', remark, { words: ' ' }, 422, 'FIELD_REQUIRED'],
    ['POST', remark, { words: 5 }, 422, 'TEXT_INVALID'],
    ['POST', remark, { words: 'x'.repeat(5001) }, 422, 'TEXT_TOO_LONG'],
    ['PATCH', patch, {}, 422, 'NOTHING_TO_CHANGE'],
    ['PATCH', patch, { label: 'New', price_cents: -1 }, 422, 'NUMBER_INVALID'],
    ['PATCH', patch, { link: 'x' }, 422, 'FIELD_UNKNOWN'],
  ] as const) {
    expect([code, ...(await me.refused(method, path, body))]).toEqual([code, status, code])
  }
  expect(await turnedDown(`/desk/sales/${sale_no}/refill`, { fetches: '99' })).toEqual([422, 'FIELD_UNKNOWN'])
  expect((await named(me, '/my/wares', 'wares'))[0]).toEqual(ware)
  expect(await actions()).toEqual([])
})
