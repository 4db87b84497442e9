import { Type } from 'typebox'
import { Unsendable } from '../kit/failures.ts'
import { closed } from '../kit/inputs.ts'
import { UnknownShape, fields, number, text } from '../kit/wire.ts'

const Amount = {
  amount: Type.Number({ description: 'How much, in whole units of the currency, such as 39.25.' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'Its three letters, such as EUR.' }),
}
export const Price = closed(Amount)

/** An input: the money that the person agrees to. The app refuses when it is another sum by then. */
export function agreedPrice(description: string) {
  return Type.Object(
    {
      amount: Type.Number({ minimum: 0, description: 'How much, in whole units of the currency, such as 39.25.' }),
      currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'Its three letters, such as EUR.' }),
    },
    { additionalProperties: false, description },
  )
}

/** Minor units, `exponent` digits of which stand behind the point. */
export function price(money: unknown) {
  const { currency, exponent, minor } = fields(money)
  return { amount: fromMinor(minor, number(exponent)), currency: text(currency) }
}

/** The same where the app tells no exponent. */
export function priceOf(minor: unknown, currency: string) {
  return { amount: fromMinor(number(minor), decimals(currency)), currency }
}

/** The sum of several, in one currency. */
export function sum(...all: readonly unknown[]) {
  const [first] = all
  const minor = all.reduce<number>((total, money) => {
    if (fields(money)['currency'] !== fields(first)['currency']) throw new UnknownShape('of two currencies')
    return total + number(fields(money)['minor'])
  }, 0)
  return price({ ...fields(first), minor })
}

/** An amount in minor units, never rounded: it must not become another amount than was agreed to. */
export function toMinor({ amount, currency }: { readonly amount: number; readonly currency: string }): number {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(amount)) ?? []
  const digits = decimals(currency)
  if (whole === '' || fraction.length > digits)
    throw new Unsendable('AGREED_INVALID', `${amount} is no sum in ${currency}, which has ${digits} decimals.`)
  return Number(whole + fraction.padEnd(digits, '0'))
}

function fromMinor(minor: unknown, digits: number): number {
  if (!Number.isSafeInteger(minor) || !Number.isInteger(digits) || digits < 0 || digits > 6)
    throw new UnknownShape('not an amount in minor units')
  return Number(`${number(minor)}e-${digits}`)
}

function decimals(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
