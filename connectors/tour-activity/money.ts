import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed } from '../inputs.ts'
import { UnknownShape, rows, word } from '../wire.ts'
import { formSeal } from './proof.ts'
import { Decimal, Month, amount, fromPanelMonth, ledBack, toPanel } from './words.ts'

const Money = closed({ value: Decimal, currency: Type.String() })
const year = Type.Optional(
  Type.Integer({
    minimum: 2000,
    maximum: 2199,
    description: "Which year; the current one in the provider's time zone when left out.",
  }),
)

export const list_invoices = endpoint({
  summary: "List the app's invoices for its commission, one for each month that is over, latest first.",
  access: 'read',
  request: 'GET /panel/bills',
  input: { year },
  output: {
    invoices: Type.Array(
      closed({
        invoice_id: Type.String(),
        period: Month,
        amount: Money,
        download_url: Type.String({ description: 'Opens for the person when signed in to the app.' }),
      }),
    ),
  },
  decode: ({ rows: bills }) => ({
    invoices: rows(bills).map(({ inv, month, sum, pdf }) => ({
      invoice_id: inv,
      period: fromPanelMonth(month),
      amount: amount(sum),
      download_url: pdf,
    })),
  }),
})

export const list_payments = endpoint({
  summary: 'List the settlements of months that are over: services, commission, what is paid out, and whether it is.',
  access: 'read',
  request: 'GET /panel/payouts',
  input: { year },
  output: {
    payments: Type.Array(
      closed({
        month: Month,
        services: Money,
        commission: Money,
        net: Money,
        status: Type.Enum(['not_requested', 'paid'], { type: 'string' }),
      }),
    ),
  },
  decode: ({ rows: payouts }) => ({
    payments: rows(payouts).map(({ month, gross, fee, due, state }) => ({
      month: fromPanelMonth(month),
      services: amount(gross),
      commission: amount(fee),
      net: amount(due),
      status: word({ WAITING: 'not_requested', PAID: 'paid' }, state),
    })),
  }),
})

export const request_payment = endpoint({
  summary: 'Ask the app to pay out what it owes for a month that is over, less its commission; it pays at once.',
  access: 'write',
  confirm: true,
  request: 'POST /desk/payouts',
  input: {
    month: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
        description:
          'Written YYYY-MM: month of a settlement from list_payments that is not_requested. When left out: the month before the one in which this is sent.',
      }),
    ),
  },
  output: {
    month: Month,
    status: Type.Literal('paid'),
    reference: Type.String({ description: 'The reference of the transfer.' }),
  },
  csrf: formSeal,
  encode: ({ month }) => ({ form: { month: toPanel(month) } }),
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const said = ledBack(location, 'desk/money')
    const month = fromPanelMonth(said.get('paid'))
    if (input.month !== undefined && input.month !== month) throw new UnknownShape('another month was paid')
    return { month, status: 'paid', reference: said.get('ref') }
  },
})
