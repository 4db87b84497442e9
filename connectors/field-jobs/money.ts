import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import type { Money } from '../kit/declared.ts'
import { closed, described } from '../kit/inputs.ts'
import { UnknownShape, fields, number, rows } from '../kit/wire.ts'

export const ofTheAccount: Money = { unit: 'major', currency: null }
/** For answers that have the account's currency beside their amounts. */
export const besideCurrency: Money = { unit: 'major', currency: { field: 'currency' } }

/** An amount with the decimals of the account's currency: 42.50, 4250, 4.250. */
export const Decimal = money(ofTheAccount, Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }))

/** Output fields that jobs, estimates and invoices share. */
export const Total = labelled(
  'Total',
  described(Decimal, 'The sum of all items, a decimal text in the currency of the account, such as 119.19.'),
)
export const AmountDue = labelled(
  'Amount due',
  described(Decimal, 'What is left to pay, a decimal text in the currency of the account; zero for a canceled job.'),
)
export const Item = closed({
  name: Type.String({ description: 'What is charged, by its name in the price book.' }),
  quantity: Type.Number({ description: 'How many or how much, with two decimals at most.' }),
  price: described(Decimal, 'The price of one, a decimal text in the currency of the account, such as 89.50.'),
})

/** Converts minor units into an amount; `money` is the currency code, present in every answer. */
export function decimal(minor: unknown, money: unknown): string {
  const units = number(minor)
  const places = decimals(money)
  if (!Number.isSafeInteger(units)) throw new UnknownShape('not an amount')
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return (units < 0 ? '-' : '') + (places === 0 ? whole : `${whole}.${digits.slice(-places)}`)
}

export function decimals(money: unknown): number {
  const places = number(fields(money)['digits'])
  if (!Number.isInteger(places) || places < 0 || places > 6) throw new UnknownShape('not a currency')
  return places
}

/** The line items of a job, an estimate or an invoice. */
export function items(lines: unknown, money: unknown) {
  return rows(lines).map(({ label, qty, each_minor }) => ({
    name: label,
    quantity: qty,
    price: decimal(each_minor, money),
  }))
}
