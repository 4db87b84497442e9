import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, described, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { UnknownShape, rows, word } from '../kit/wire.ts'
import { formSeal } from './proof.ts'
import { Decimal, Month, amount, fromPanelMonth, toPanel } from './shared.ts'

const money = (label: string) =>
  closed({
    value: labelled(label, described(Decimal, 'A decimal text with as many decimals as the currency has, e.g. 42.50.')),
    currency: Type.String({ description: 'ISO 4217 code of the value, such as EUR; the same for the whole provider.' }),
  })
const year = Type.Optional(
  labelled(
    'Year',
    Type.Integer({ description: "Which year; the current one in the provider's time zone when left out." }),
  ),
)

export const list_invoices = endpoint({
  summary: "List the app's invoices for its commission, one for each month that is over, latest first.",
  aliases: [
    'commission invoices',
    'what did the portal charge',
    'bills from the platform',
    'monthly commission',
    'what does the portal take',
    'their bills to me',
  ],
  label: 'List invoices',
  brief: ['year'],
  access: 'read',
  request: 'GET /panel/bills',
  input: { year },
  output: {
    invoices: Type.Array(
      closed({
        invoice_id: refTo('invoice', 'The number of the invoice, such as F1-202408.'),
        period: described(Month, 'The month that the commission is for, as YYYY-MM.'),
        amount: described(money('Commission'), 'The commission of that month.'),
        download_url: Type.String({ description: 'Opens for the person when signed in to the app.' }),
      }),
      { description: 'One for each month that is over and had bookings, the latest first.' },
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
  aliases: [
    'settlements',
    'what will be paid out',
    'how much do I get for a month',
    'payout status',
    'earnings after commission',
    'when does my money arrive',
    'what do they owe me',
  ],
  label: 'List settlements',
  brief: ['year'],
  access: 'read',
  request: 'GET /panel/payouts',
  input: { year },
  output: {
    payments: Type.Array(
      closed({
        month: labelled(
          'Month',
          described(Month, 'The month of departure, as YYYY-MM; request_payment takes it while not_requested.'),
        ),
        services: described(
          money('Services'),
          'What the bookings cost that departed in that month, cancelled ones left out.',
        ),
        commission: described(money('Commission'), 'What the app keeps of services, as in list_invoices.'),
        net: described(money('Paid out'), 'What is paid out: services less commission.'),
        status: labelled(
          'Status',
          Type.Enum(['not_requested', 'paid'], {
            type: 'string',
            description: 'not_requested: request_payment can still ask for it. paid: the app has sent the money.',
          }),
        ),
      }),
      { description: 'One for each month that is over and had bookings, the latest first.' },
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
  aliases: [
    'ask for my money',
    'get paid out',
    'request the payout',
    'transfer what is owed for a month',
    'I want my money for September',
  ],
  label: 'Request a payout',
  brief: ['month'],
  approval: {
    headline: 'Request the payout[ of {month.net.value}][ for {month}]',
    button: 'Request payout',
    consequences: [
      {
        kind: 'money',
        text: 'The app pays it out at once; its commission[ of {month.commission.value}] is taken off already',
      },
      { kind: 'irreversible', text: 'It cannot be taken back' },
      { kind: 'other', text: 'If no month is named, it is for last month' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'list_payments' }],
  preview: [
    {
      of: 'month',
      read: 'list_payments',
      at: 'payments',
      id: 'month',
      shows: [
        'month',
        'net.value',
        'net.currency',
        'services.value',
        'services.currency',
        'commission.value',
        'commission.currency',
        'status',
      ],
      matters: ['net.value', 'status'],
    },
  ],
  access: 'write',
  confirm: true,
  request: 'POST /desk/payouts',
  input: {
    month: Type.Optional(
      labelled(
        'Month',
        described(
          Month,
          'Written YYYY-MM: month of a settlement from list_payments that is not_requested. When left out: the month before the one in which this is sent.',
        ),
      ),
    ),
  },
  output: {
    month: described(Month, 'The month that was paid out, as YYYY-MM.'),
    status: Type.Literal('paid', { description: 'Always paid: the app sends the money at once.' }),
    reference: Type.String({ description: 'The reference of the transfer.' }),
  },
  csrf: formSeal,
  encode: ({ month }) => ({ form: { month: toPanel(month) } }),
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const { query } = ledTo(location, 'desk/money', { paid: true })
    const month = fromPanelMonth(query.get('paid'))
    if (input.month !== undefined && input.month !== month) throw new UnknownShape('another month was paid')
    return { month, status: 'paid', reference: query.get('ref') }
  },
})
