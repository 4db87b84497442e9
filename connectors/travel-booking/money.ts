import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { closed, described } from '../kit/inputs.ts'
import { UnknownShape, fields, number, text } from '../kit/wire.ts'

const ofCurrency = { unit: 'major', currency: { field: 'currency' } } as const
const description = 'How much, in whole units of the currency, such as 39.25.'
const currency = labelled(
  'Currency',
  Type.String({ pattern: '^[A-Z]{3}$', description: 'Its three letters, such as EUR.' }),
)
/** Output: an amount with its currency. `label` is what the user reads beside the amount. */
export const priced = (label: string) =>
  closed({ amount: labelled(label, money(ofCurrency, Type.Number({ description }))), currency })
export const Price = priced('Amount')

const Agreed = closed({
  amount: labelled('Amount', money(ofCurrency, Type.Number({ minimum: 0, description }))),
  currency,
})

/** Input: the price that the user agrees to. The app refuses the call if its price differs. */
export const agreedPrice = (label: string, description: string) => labelled(label, described(Agreed, description))

/** Converts minor units with `exponent` decimals. */
export function price(sum: unknown) {
  const { currency, exponent, minor } = fields(sum)
  return { amount: fromMinor(minor, number(exponent)), currency: text(currency) }
}

/** The same for amounts without an exponent. */
export function priceOf(minor: unknown, currency: string) {
  return { amount: fromMinor(number(minor), decimals(currency)), currency }
}

/** The sum of amounts in one currency. */
export function sum(...all: readonly unknown[]) {
  const [first] = all
  const minor = all.reduce<number>((total, one) => {
    if (fields(one)['currency'] !== fields(first)['currency']) throw new UnknownShape('of two currencies')
    return total + number(fields(one)['minor'])
  }, 0)
  return price({ ...fields(first), minor })
}

/** Converts an amount into minor units. Throws rather than rounds: it must stay as agreed. */
export function toMinor({ amount, currency }: { readonly amount: number; readonly currency: string }): number {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(amount)) ?? []
  const digits = decimals(currency)
  if (whole === '' || fraction.length > digits)
    throw new InputRejected('AGREED_INVALID', `${amount} is no sum in ${currency}, which has ${digits} decimals.`)
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
