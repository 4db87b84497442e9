import { Type } from 'typebox'
import { fromEpoch } from '../dates.ts'
import { moment } from '../inputs.ts'
import { word } from '../wire.ts'
import type { Fields } from '../wire.ts'
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
  payment_id: Type.String(),
  amount: Decimal,
  method: Type.Enum(['cash', 'check', 'bank_transfer', 'card', 'other', 'online'], { type: 'string' }),
  reference: NullableText,
  received_at: moment,
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
