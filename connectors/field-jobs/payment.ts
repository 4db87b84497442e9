import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { described, moment, refTo } from '../kit/inputs.ts'
import { word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { Decimal, decimal } from './money.ts'
import { NullableText, given } from './words.ts'

/** How a payment that is recorded by hand was received. */
export const methods = {
  cash: 'cash',
  check: 'cheque',
  bank_transfer: 'bank',
  card: 'card_reader',
  other: 'other',
} as const

const received = { cash: 'cash', cheque: 'check', bank: 'bank_transfer', card_reader: 'card', other: 'other' }

export const Payment = {
  payment_id: refTo('payment', 'The UUID of the payment; no endpoint takes it.'),
  amount: described(Decimal, 'What was paid, a decimal text in the currency of the account, such as 67.13.'),
  method: Type.Enum(['cash', 'check', 'bank_transfer', 'card', 'other', 'online'], {
    type: 'string',
    description: 'How it was paid: online is by the link of the invoice, card on your own card reader.',
  }),
  reference: described(NullableText, 'A number or text to find the payment by, such as of a check; null when none.'),
  received_at: described(moment, 'When the money was received, in UTC.'),
}

export function payment({ uuid, amount_minor, means, reference, received_at }: Fields, money: unknown) {
  return {
    payment_id: uuid,
    amount: decimal(amount_minor, money),
    method: word({ ...received, online: 'online' }, means),
    reference: given(reference),
    received_at: fromEpoch(received_at),
  }
}
