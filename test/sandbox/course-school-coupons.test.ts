import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stateOf } from '../../sandbox/course-school/coupons.ts'
import { readDay, showDay } from '../../sandbox/course-school/times.ts'
import { kathedra, refusal, type Kathedra, type Row, type Teacher } from './course-school-school.ts'

let app: Kathedra
let me: Teacher
beforeAll(async () => {
  app = await kathedra()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

const inDays = (days: number): string => showDay(new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
const listed = async (state: string): Promise<Row> =>
  (await me.all('/coupons?filed=1')).find((row) => row['state'] === state)!
const works = async (code: string): Promise<boolean> => {
  const { school } = await me.session()
  const page = await (await fetch(`${me.base}/learn/${school.no}/aguarela?code=${code}`)).text()
  return page.includes('data-coupon="works"')
}

test('a coupon is kept as given, with its code in capitals, and works at once', async () => {
  const fields = { label: 'Verão', code: 'verao-27', percent: '12.5', ends: inDays(3), stock: '5' }
  const answer = await me.form('/coupons', fields)
  const no = /coupons\/(\d+)\?added=VERAO-27$/.exec(answer.headers.get('location') ?? '')?.[1]
  const [coupon] = await me.all('/coupons')
  expect(coupon).toEqual({
    no: Number(no),
    label: 'Verão',
    code: 'VERAO-27',
    off: { percent: '12.5' },
    covers: { scope: 'everything' },
    ends: inDays(3),
    stock: 5,
    redeemed: 0,
    state: 'on',
  })
  expect(await works('verao-27')).toBe(true)
  expect(await works('other')).toBe(false)
  expect(await app.effects(me)).toMatchObject([
    { action: 'coupon.add', body: { coupon: Number(no), code: 'VERAO-27', tenths: 125 } },
  ])
})

test('a coupon may cover a type of product or one plan, by percent or amount, without end and number', async () => {
  const [plan] = await me.all('/plans')
  const { school } = await me.session()
  await me.form('/coupons', { code: 'TYPE', amount: '15', scope: 'type', type: 'coaching' })
  await me.form('/coupons', { code: 'PLAN', percent: '100', scope: 'plan', plan: String(plan?.['no']) })
  const [by_plan, by_type] = await me.all('/coupons')
  expect(by_type).toMatchObject({
    label: 'TYPE',
    off: { amount: '15.00' },
    covers: { scope: 'type', type: 'coaching' },
  })
  expect(by_plan).toMatchObject({
    off: { percent: '100.0' },
    covers: { scope: 'plan', plan: plan?.['no'] },
    ends: null,
    stock: null,
  })
  expect([await works('TYPE'), await works('PLAN')]).toEqual([false, true])
  expect(school.no).toBeGreaterThan(1000)
})

test('a coupon filed away stops working and gives its code back, once', async () => {
  const coupon = await listed('on')
  const fields = { code: String(coupon['code']).toLowerCase(), percent: '1' }
  expect(await refusal(await me.form('/coupons', fields))).toBe('409 CODE_TAKEN')
  expect((await me.form(`/coupons/${String(coupon['no'])}/file`)).status).toBe(303)
  expect(await me.read(`/coupons/${String(coupon['no'])}`)).toEqual({ ...coupon, state: 'filed' })
  expect((await me.all('/coupons')).map(({ no }) => no)).not.toContain(coupon['no'])
  expect(await works(String(coupon['code']))).toBe(false)
  expect(await refusal(await me.form(`/coupons/${String(coupon['no'])}/file`))).toBe('409 COUPON_ALREADY_FILED')
  expect((await me.form('/coupons', fields)).status).toBe(303)
  expect(await works(String(coupon['code']))).toBe(true)
  expect((await app.effects(me)).map(({ action }) => action)).toEqual(['coupon.file', 'coupon.add'])
})

test.each(['lapsed', 'sold_out'])(
  'a coupon that is %s does not work, keeps its code, and can be filed away',
  async (which) => {
    const coupon = await listed(which)
    expect(await works(String(coupon['code']))).toBe(false)
    expect(await refusal(await me.form('/coupons', { code: String(coupon['code']), percent: '1' }))).toBe(
      '409 CODE_TAKEN',
    )
    expect((await me.form(`/coupons/${String(coupon['no'])}/file`)).status).toBe(303)
  },
)

test.each([
  [{ percent: '5' }, '422 CODE_REQUIRED'],
  [{ code: 'a b', percent: '5' }, '422 CODE_INVALID'],
  [{ code: 'ab', percent: '5' }, '422 CODE_INVALID'],
  [{ code: 'a'.repeat(33), percent: '5' }, '422 CODE_TOO_LONG'],
  [{ code: 'abc' }, '422 REDUCTION_REQUIRED'],
  [{ code: 'abc', percent: '5', amount: '5' }, '422 REDUCTION_REQUIRED'],
  [{ code: 'abc', percent: '0' }, '422 PERCENT_INVALID'],
  [{ code: 'abc', percent: '100.1' }, '422 PERCENT_INVALID'],
  [{ code: 'abc', percent: '5.25' }, '422 PERCENT_INVALID'],
  [{ code: 'abc', amount: '-1' }, '422 AMOUNT_INVALID'],
  [{ code: 'abc', amount: '100000.01' }, '422 AMOUNT_INVALID'],
  [{ code: 'abc', percent: '5', scope: 'all' }, '422 SCOPE_INVALID'],
  [{ code: 'abc', percent: '5', scope: 'type', type: 'x' }, '422 TYPE_INVALID'],
  [{ code: 'abc', percent: '5', scope: 'plan', plan: '1' }, '404 PLAN_NOT_FOUND'],
  [{ code: 'abc', percent: '5', ends: '2027-01-01' }, '422 ENDS_INVALID'],
  [{ code: 'abc', percent: '5', ends: '31 Feb 2027' }, '422 ENDS_INVALID'],
  [{ code: 'abc', percent: '5', ends: inDays(-2) }, '422 ENDS_IN_PAST'],
  [{ code: 'abc', percent: '5', stock: '0' }, '422 STOCK_INVALID'],
  [{ code: 'abc', percent: '5', label: 'x'.repeat(121) }, '422 LABEL_TOO_LONG'],
])('a coupon of %j is refused with %s', async (fields, outcome) => {
  expect(await refusal(await me.form('/coupons', { ...fields }))).toBe(outcome)
  expect(await app.effects(me)).toEqual([])
})

test('a coupon is good through the whole of its last day, on the clock of the school', () => {
  const school = { no: 1, account: 'a', title: 'T', zone: 'America/Lima', currency: 'PEN', moderated: false }
  const kind = { tenths: 125, cents: undefined, scope: 'everything', type: undefined, plan: undefined } as const
  const use = { ends: '2026-11-22', stock: undefined, redeemed: 0, filed: false }
  const state = (moment: string) =>
    stateOf({ id: 1, label: 'L', code: 'ABC', ...kind, ...use }, school, Date.parse(moment) / 1000)
  expect(state('2026-11-22T05:00:00Z')).toBe('on')
  expect(state('2026-11-23T04:59:59Z')).toBe('on')
  expect(state('2026-11-23T05:00:00Z')).toBe('lapsed')
})

test('days are written and read the same way', () => {
  expect(showDay('2028-02-29')).toBe('29 Feb 2028')
  expect(readDay('29 Feb 2028')).toBe('2028-02-29')
  expect([readDay('29 Feb 2027'), readDay('1 Foo 2027'), readDay('5 Nov 2026')]).toEqual([
    undefined,
    undefined,
    '2026-11-05',
  ])
})
