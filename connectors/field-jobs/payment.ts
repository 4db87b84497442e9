import { codec } from '../kit/codec.ts'
import { fromEpoch } from '../kit/dates.ts'
import { NullableText, described, moment, oneOf, refTo } from '../kit/inputs.ts'
import type { Fields } from '../kit/wire.ts'
import { textOrNull } from '../kit/wire.ts'
import { Decimal, decimal } from './money.ts'

/** Payment methods; all but online payments are recorded by hand. */
export const methods = codec({
  cash: 'cash',
  check: 'cheque',
  bank_transfer: 'bank',
  card: 'card_reader',
  other: 'other',
  online: 'online',
})

export const Payment = {
  payment_id: refTo('payment', 'The UUID of the payment; no endpoint takes it.'),
  amount: described(Decimal, 'What was paid, a decimal text in the currency of the account, such as 67.13.'),
  method: oneOf(methods.words, 'How it was paid: online is by the link of the invoice, card on your own card reader.'),
  reference: described(NullableText, 'A number or text to find the payment by, such as of a check; null when none.'),
  received_at: described(moment, 'When the money was received, in UTC.'),
}

export function payment({ uuid, amount_minor, means, reference, received_at }: Fields, money: unknown) {
  return {
    payment_id: uuid,
    amount: decimal(amount_minor, money),
    method: methods.decode(means),
    reference: textOrNull(reference),
    received_at: fromEpoch(received_at),
  }
}
