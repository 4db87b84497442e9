import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { labelled, money } from '../kit/declared.ts'
import type { Money } from '../kit/declared.ts'
import { id, oneOf } from '../kit/inputs.ts'
import { UnknownShape, number, text } from '../kit/wire.ts'

export const OrderId = labelled('Order', id('order', 'Which order: order_id from list_orders.'))
export const ProductId = labelled('Product', id('product', 'Which product: product_id from list_products.'))
/** Always two decimals: the app counts hundredths of every currency. */
export function Decimal(meaning: string, currency: Money['currency'] = null) {
  return money(
    { unit: 'major', currency },
    Type.String({
      pattern: '^-?\\d+\\.\\d\\d$',
      description: `${meaning}, as a text such as 12.50 in the shop's currency.`,
    }),
  )
}
export const Day = Type.String({ format: 'date' })

export function mail(description: string) {
  return Type.Optional(
    labelled(
      'Email',
      Type.String({ minLength: 1, maxLength: 254, description: `${description} The whole address; any capitals.` }),
    ),
  )
}

export const visibility = codec({ visible: 'listed', invisible: 'hidden', unlisted: 'by_link' })

export function Visibility(description: string) {
  return labelled('Visibility', oneOf(visibility.words, description))
}

/** CSRF token, the same for the whole session; reading it is free. */
export const headerStamp: Csrf = jsonToken({ page: '/my/shop', field: 'stamp', header: 'x-stamp' })
export const formStamp: Csrf = asField(headerStamp, 'stamp')

/** Converts hundredths into `12.50`. */
export function decimal(hundredths: unknown): string {
  const units = number(hundredths)
  if (!Number.isSafeInteger(units)) throw new UnknownShape('not whole hundredths')
  return (units / 100).toFixed(2)
}

/** Converts `12.5` into hundredths, exactly. */
export function hundredths(written: string): number {
  const [whole = '', decimals = ''] = written.split('.')
  return Number(whole + decimals.padEnd(2, '0'))
}

/** Converts `2026-11-21 18:30:00`, which is UTC, into an ISO timestamp. */
export function utc(value: unknown): string {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(text(value))
  if (!found) throw new UnknownShape('not a moment')
  return `${found[1]}T${found[2]}Z`
}
