import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described } from '../kit/inputs.ts'
import { fields } from '../kit/wire.ts'
import { decimal, toFigure } from './figures.ts'
import { chargedOrder } from './previews.ts'
import { Charge, charge } from './shapes.ts'
import { AnyJobNumber, Decimal, OrderRef, data, ofTheFirm, ref } from './shared.ts'

export const add_charge = endpoint({
  summary: 'Add one charge to the estimate or invoice of a job or opportunity; call it once per line.',
  aliases: [
    'add a line item',
    'put materials on the invoice',
    'charge for parts',
    'add labor cost',
    'extra fee on the estimate',
    'put the pipes on the bill',
    'add two hours of labor',
  ],
  label: 'Add a charge',
  brief: ['name', 'unit_price', 'quantity', 'job_number'],
  approval: {
    headline:
      'Add[ {quantity} ×] {unit_price} for {name}[ to the charges of {job_number.customer}][ ({job_number.service_type})]',
    button: 'Add charge',
    consequences: [
      {
        kind: 'money',
        text: 'Raises the estimate or invoice[ of {job_number.customer}] by[ {quantity} ×] {unit_price}',
      },
      { kind: 'money', text: '[The charges so far are {job_number.total}]' },
      { kind: 'other', text: '[The invoice was e-mailed already, on {job_number.invoice.sent_at}]' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_job', from: { job_number: 'job_number' } }],
  preview: [chargedOrder],
  verify: {
    read: 'get_job',
    from: { job_number: 'job_number' },
    at: 'charges',
    id: 'charge_id',
    same: { name: 'name', unit_price: 'unit_price', quantity: 'quantity', notes: 'notes' },
  },
  access: 'write',
  request: 'POST /app/ajax/orders/{job_number}/lines',
  input: {
    job_number: AnyJobNumber,
    name: labelled(
      'Name',
      Type.String({ minLength: 1, maxLength: 200, description: 'What is charged, as the customer reads it.' }),
    ),
    unit_price: labelled(
      'Unit price',
      money(
        ofTheFirm,
        Type.String({
          pattern: '^\\d{1,7}(\\.\\d{1,2})?$',
          description: 'The price of one, a decimal such as "49.00", at most 1000000.00.',
        }),
      ),
    ),
    quantity: labelled(
      'Quantity',
      defaulted(
        Type.Number({ minimum: 0.01, maximum: 10_000, description: 'How many, with at most two decimals.' }),
        1,
      ),
    ),
    notes: labelled('Notes', Type.Optional(Type.String({ maxLength: 1000, description: 'A remark on this line.' }))),
  },
  output: {
    job_number: OrderRef,
    charge: described(closed(Charge), 'The charge that was added.'),
    total: described(Decimal, "The sum of all its charges now, a decimal text in the firm's currency, such as 260.61."),
  },
  encode: ({ name, unit_price, quantity, notes }) => ({
    json: { Label: name, Qty: toFigure(quantity), Each: toFigure(unit_price), Remark: notes },
  }),
  decode: (answer) => ({
    job_number: ref(data(answer)['OrderNo']),
    charge: charge(fields(data(answer)['Line'])),
    total: decimal(data(answer)['Sum']),
  }),
})
