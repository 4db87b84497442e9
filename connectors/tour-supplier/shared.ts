import { Type } from 'typebox'
import type { Csrf } from '../kit/csrf.ts'
import { asField, jsonToken } from '../kit/csrf.ts'
import { labelled, money } from '../kit/declared.ts'
import { closed, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, number, text } from '../kit/wire.ts'

export const OptionId = labelled(
  'Option',
  id('option', 'Which option of a product: option_id in options of list_products, or of a booking.'),
)
export const productId = (description: string) =>
  Type.Optional(labelled('Product', id('product', `${description} product_id from list_products.`)))
export const Day = Type.String({ format: 'date' })
/** Pattern of HH:MM. */
export const time = '^([01]\\d|2[0-3]):[0-5]\\d$'
export const Time = labelled(
  'Time',
  Type.String({ pattern: time, description: "When it departs, as HH:MM in the product's time zone." }),
)
export const Currency = Type.String({ description: "ISO 4217 code of the account's one currency, such as EUR." })
export const Money = closed({
  amount: money(
    { unit: 'major', currency: { field: 'currency' } },
    Type.Number({ description: 'In whole units of the currency: 117.5 is 117.50.' }),
  ),
  currency: Currency,
})
/** The account has one currency, not named beside amounts. */
export const ownCurrency = { unit: 'major', currency: null } as const
export const Prices = closed({
  adult: labelled(
    'Adult price',
    money(
      ownCurrency,
      Type.Number({ description: 'What one adult pays, in whole units of the currency: 59.5 is 59.50.' }),
    ),
  ),
  child: labelled(
    'Child price',
    money(ownCurrency, Type.Number({ description: 'What one child pays, in whole units of the currency; 0: free.' })),
  ),
})

/** References to the entity, wherever an answer names it. */
export const Which = {
  product_id: refTo('product', 'Which product; pass it to list_bookings, list_reviews or get_performance.'),
  option_id: refTo(
    'option',
    'Which option of a product; pass it to get_availability, update_availability or update_pricing.',
  ),
  booking_reference: refTo('booking', 'Which booking; pass it to get_booking.'),
  title: labelled('Product', Type.String({ description: "The product's title, as travelers see it." })),
}

/** CSRF token, the same for the whole session; reading it is free. */
export const headerToken: Csrf = jsonToken({ page: '/extranet/rest/session', field: 'xt', header: 'x-farelune-xt' })
export const formToken: Csrf = asField(headerToken, 'xt')

/** Converts `0930` into `09:30`. */
export function fromStart(start: unknown): string {
  if (!/^\d{4}$/.test(text(start))) throw new UnknownShape('not a time as HHMM')
  return text(start).replace(/^\d\d/, '$&:')
}

/** Converts minor units with `digits` decimals into a number. */
export function fromMinor(minor: unknown, digits: unknown): number {
  const [units, decimals] = [number(minor), number(digits)]
  if (!Number.isSafeInteger(units) || !Number.isInteger(decimals) || decimals < 0 || decimals > 6)
    throw new UnknownShape('not an amount in minor units')
  return Number(`${units}e-${decimals}`)
}

export function amountOf(value: unknown) {
  const { minor, cur, digits } = fields(value)
  return { amount: fromMinor(minor, digits), currency: cur }
}

/** The prices of a tariff, by the connector's categories. */
export function prices(tariff: unknown) {
  const { adults, children, digits } = fields(tariff)
  return { adult: fromMinor(adults, digits), child: fromMinor(children, digits) }
}
