import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkKey } from '../../sandbox/crm/entities.ts'
import { numberOf, started, type Member, type Node, type Started } from './crm-studio.ts'

let run: Started
let me: Member
/** Of those who are refused, so that no account is made for nothing. */
let refusedOne: Member
beforeAll(async () => {
  run = await started()
  refusedOne = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async ({ task }) => {
  me = task.name.includes(' is refused with ') ? refusedOne : await run.newcomer()
})

interface Money {
  minor: number
  currency: string
}
interface Bill extends Node {
  state: string
  settled: boolean
  sum: Money
  received: Money
  outstanding: Money
  dueAt: string | null
  lines: { label: string; quantity: number; unit: Money }[]
  plan: { dueAt: string; share: Money }[]
  payments: { id: string; worth: Money; method: string; receivedAt: string; remark: string }[]
}

const bill = (id: string): Promise<Bill> => me.ask<Bill>('BillSheet', { id }, 'bill')

async function drafted(given: Record<string, unknown>, person?: Record<string, unknown>): Promise<Bill> {
  const { id: engagementId } = await me.engagement(person)
  return (await me.ask<{ bill: Bill }>('DraftBill', { engagementId, ...given }, 'draftBill')).bill
}

const pay = (billId: string, minor: number, more = {}): Promise<{ bill: Bill; payment: Bill['payments'][0] }> =>
  me.ask('LogPayment', { billId, minor, ...more }, 'logPayment')

const day = (text: string): string => `${text}T00:00:00+02:00`

test('a bill is drafted from packages and lines, sums up, and is mailed to nobody', async () => {
  const { packages, currency } = (await me.boot()).studio
  const [pack] = packages
  const made = await drafted({
    packages: [{ packageId: pack?.id, quantity: 2 }],
    lines: [
      { label: 'Viagem & estadia', unitMinor: 1001, quantity: 3 },
      { label: 'Desconto', unitMinor: -1 },
    ],
  })
  const minor = 2 * (pack?.rate.minor ?? NaN) + 3 * 1001 - 1
  expect(made).toMatchObject({
    state: 'DRAFT',
    settled: false,
    dueAt: null,
    plan: [],
    payments: [],
    dispatchedAt: null,
  })
  expect([made.sum, made.received, made.outstanding]).toEqual([
    { minor, currency },
    { minor: 0, currency },
    { minor, currency },
  ])
  expect(made.lines.map(({ label, quantity, unit }) => [label, quantity, unit.minor])).toEqual([
    [pack?.label, 2, pack?.rate.minor],
    ['Viagem & estadia', 3, 1001],
    ['Desconto', 1, -1],
  ])
  expect(await bill(made.id)).toEqual(made)
  expect((await me.one('BillFeed', { settled: false })).id).toBe(made.id)
  expect((await run.effects(me)).at(-1)).toEqual({ action: 'bill.draft', body: made })
  expect(await me.page('/mail')).not.toContain('ada@mail.example')
})

test.each([
  [{}, 'NOTHING_TO_BILL lines'],
  [{ lines: [] }, 'ARGUMENT_INVALID lines'],
  [{ lines: [{ label: 'x', unitMinor: 0 }] }, 'SUM_OUT_OF_BOUNDS lines'],
  [
    {
      lines: [
        { label: 'x', unitMinor: 10 },
        { label: 'y', unitMinor: -11 },
      ],
    },
    'SUM_OUT_OF_BOUNDS lines',
  ],
  [{ lines: [{ label: 'x', unitMinor: 1.5 }] }, 'ARGUMENT_INVALID lines.0.unitMinor'],
  [{ lines: [{ label: 'x', unitMinor: 1, quantity: 0 }] }, 'ARGUMENT_INVALID lines.0.quantity'],
  [{ lines: [{ label: 'x', unitMinor: 1, quantity: 1001 }] }, 'ARGUMENT_INVALID lines.0.quantity'],
  [{ lines: [{ label: 'x', unitMinor: 1, tax: 1 }] }, 'ARGUMENT_UNKNOWN lines.0.tax'],
  [{ packages: [{ packageId: 'UGFja2FnZTox' }] }, 'PACKAGE_NOT_FOUND packages'],
  [
    { lines: [{ label: 'x', unitMinor: 9 }], plan: [{ dueAt: day('2027-01-01'), minor: 8 }] },
    'PLAN_DOES_NOT_ADD_UP plan',
  ],
  [
    {
      lines: [{ label: 'x', unitMinor: 9 }],
      plan: [
        { dueAt: day('2027-01-01'), minor: 4 },
        { dueAt: day('2027-01-01'), minor: 5 },
      ],
    },
    'PLAN_NOT_IN_ORDER plan',
  ],
])('drafting %j is refused with %s and leaves nothing', async (given, refusal) => {
  const { id: engagementId } = await me.one('EngagementFeed')
  const before = [await me.all('BillFeed', { engagementId }), await run.effects(me)]
  expect(await me.refused('DraftBill', { engagementId, ...given })).toBe(`200 ${refusal}`)
  expect([await me.all('BillFeed', { engagementId }), await run.effects(me)]).toEqual(before)
})

test('a bill is drafted in the currency that is given only when the engagement is billed in it', async () => {
  const { currency } = (await me.boot()).studio
  const { id: engagementId } = await me.engagement()
  const lines = [{ label: 'x', unitMinor: 5 }]
  expect(await me.refused('DraftBill', { engagementId, lines, currency: 'XAU' })).toBe('200 CURRENCY_MISMATCH currency')
  const { bill: made } = await me.ask<{ bill: Bill }>('DraftBill', { engagementId, lines, currency }, 'draftBill')
  expect(made.sum).toEqual({ minor: 5, currency })
})

test('a package in another currency stays off the bill', async () => {
  const { packages, currency } = (await me.boot()).studio
  const abroad = packages.find(({ rate }) => rate.currency !== currency)
  const { id: engagementId } = await me.engagement()
  const given = { engagementId, packages: [{ packageId: abroad?.id }] }
  expect(await me.refused('DraftBill', given)).toBe('200 PACKAGE_CURRENCY packages')
})

test('a bill goes out once, with a link that shows it', async () => {
  const { id } = await drafted({ lines: [{ label: 'Séance', unitMinor: 5000 }] })
  const sent = await me.ask<{ bill: Bill; mail: { recipient: string }; link: string }>('SendBill', { id }, 'sendBill')
  expect([sent.bill.state, sent.mail.recipient]).toEqual(['ISSUED', 'ada@mail.example'])
  expect((await bill(id)).state).toBe('ISSUED')
  expect(await (await fetch(sent.link)).text()).toContain('Séance')
  expect(await me.page('/mail')).toContain(sent.link)
  const draft = await drafted({ lines: [{ label: 'Brouillon', unitMinor: 5000 }] }, { fullName: 'Bea' })
  const unsent = sent.link.replace(/[^/]+$/, linkKey('b', Number(numberOf(draft.id))))
  expect((await fetch(unsent)).status).toBe(404)
  expect(await me.refused('SendBill', { id })).toBe('200 BILL_ALREADY_SENT billId')
  expect((await run.effects(me)).map(({ action }) => action)).toEqual([
    ...['engagement.open', 'bill.draft', 'bill.send'],
    ...['engagement.open', 'bill.draft'],
  ])
})

test('payments add up, move the due day on and settle the bill; never more than is outstanding', async () => {
  const plan = [
    { dueAt: day('2027-01-01'), minor: 400 },
    { dueAt: day('2027-02-01'), minor: 600 },
  ]
  const { id, sum } = await drafted({ lines: [{ label: 'x', unitMinor: 1000 }], plan })
  const due = async (): Promise<string> => String((await bill(id)).dueAt).slice(0, 10)
  expect(await due()).toBe('2027-01-01')
  const first = await pay(id, 399, { method: 'CASH', remark: 'دفعة', receivedAt: '2026-01-05T23:00:00-08:00' })
  expect(first.payment).toMatchObject({ worth: { ...sum, minor: 399 }, method: 'CASH', remark: 'دفعة' })
  expect(first.payment.receivedAt.slice(0, 10)).toBe('2026-01-05')
  expect(await due()).toBe('2027-01-01')
  await pay(id, 1, { currency: sum.currency })
  expect(await due()).toBe('2027-02-01')
  expect(await me.refused('LogPayment', { billId: id, minor: 601 })).toBe('200 MORE_THAN_OUTSTANDING minor')
  const last = await pay(id, 600)
  expect(last.bill).toMatchObject({ settled: true, outstanding: { minor: 0 }, received: { minor: 1000 } })
  expect(await bill(id)).toEqual(last.bill)
  expect(last.bill.payments.map(({ worth }) => worth.minor)).toEqual([399, 1, 600])
  expect(await me.refused('LogPayment', { billId: id, minor: 1 })).toBe('200 BILL_SETTLED billId')
  expect((await me.one('BillFeed', { settled: true })).id).toBe(id)
  expect((await run.effects(me)).filter(({ action }) => action === 'payment.log')).toHaveLength(3)
  expect(await me.page('/mail')).not.toContain('ada@mail.example')
})

test.each([
  [{ minor: 0 }, 'ARGUMENT_INVALID minor'],
  [{ minor: -5 }, 'ARGUMENT_INVALID minor'],
  [{ minor: '5' }, 'ARGUMENT_INVALID minor'],
  [{ minor: 1, currency: 'XAU' }, 'CURRENCY_MISMATCH currency'],
  [{ minor: 1, method: 'CARD' }, 'ARGUMENT_INVALID method'],
  [{ minor: 1, receivedAt: '2199-01-01T00:00:00Z' }, 'PAYMENT_IN_FUTURE receivedAt'],
  [{ minor: 1, remark: 'x'.repeat(501) }, 'ARGUMENT_INVALID remark'],
])('a payment such as %j is refused with %s', async (given, refusal) => {
  const before = (await me.one('BillFeed', { settled: false })) as Bill
  expect(await me.refused('LogPayment', { billId: before.id, ...given })).toBe(`200 ${refusal}`)
  expect(await me.one('BillFeed', { settled: false })).toEqual(before)
  expect(await run.effects(me)).toEqual([])
})

test('every seeded bill adds up: its lines, its plan, its payments', async () => {
  const some = await me.list('BillFeed', { first: 40 })
  for (const { node } of some.edges) {
    const one = await bill(node.id)
    const sum = (parts: number[]): number => parts.reduce((total, part) => total + part, 0)
    expect(sum(one.lines.map(({ quantity, unit }) => quantity * unit.minor))).toBe(one.sum.minor)
    if (one.plan.length > 0) expect(sum(one.plan.map(({ share }) => share.minor))).toBe(one.sum.minor)
    expect(sum(one.payments.map(({ worth }) => worth.minor))).toBe(one.received.minor)
    expect(one.outstanding.minor).toBe(one.sum.minor - one.received.minor)
    expect(one.settled).toBe(one.outstanding.minor === 0)
    expect(one.dueAt === null).toBe(one.plan.length === 0)
  }
})

test('the forms read amounts as people write them', async () => {
  const { id } = await me.engagement()
  const path = `/engagements/${numberOf(id)}/bills`
  expect((await me.form(path, { label: 'Half day', unit: '12', dueAt: '2027-05-01' })).status).toBe(303)
  const made = (await me.one('BillFeed', { engagementId: id })) as Bill
  const { currency, minor } = made.sum
  expect(minor).toBe(currency === 'JPY' ? 12 : 1200)
  expect((await me.form(`/bills/${numberOf(made.id)}/payments`, { amount: '5', method: 'CASH' })).status).toBe(303)
  expect((await bill(made.id)).received.minor).toBe(currency === 'JPY' ? 5 : 500)
  expect((await me.form(`/bills/${numberOf(made.id)}/payments`, { amount: 'five' })).status).toBe(422)
  expect((await me.form(`/bills/${numberOf(made.id)}/send`)).status).toBe(303)
  expect((await bill(made.id)).state).toBe('ISSUED')
})
