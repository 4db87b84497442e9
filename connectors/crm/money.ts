import { Type } from 'typebox'
import { Unsendable } from '../kit/failures.ts'
import { fields, number, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description:
    "The currency of all amounts given: three letters, such as EUR. Left out, the account's own; a project that bills in another refuses.",
})

export function Amount(description: string) {
  return Type.String({
    pattern: '^\\d{1,12}(\\.\\d{1,3})?$',
    description: `${description} A decimal such as "1250.00".`,
  })
}

/** Output: the text that `amount` makes. */
export function Money(meaning: string) {
  return Type.String({ description: `${meaning}, as a decimal text such as "1250.00", in currency.` })
}

/** Money as a decimal text, with as many decimals as its currency has. */
export function amount(money: unknown): string {
  const digits = decimals(currency(money))
  return (number(fields(money)['minor']) / 10 ** digits).toFixed(digits)
}

export function currency(money: unknown): string {
  return text(fields(money)['currency'])
}

/** What the account bills in, unless a project has a currency of its own. */
export function homeCurrency(before: Fields): string {
  return text(fields(before['studio'])['currency'])
}

/** An amount in the smallest unit of its currency, never rounded: it must not become another amount than was asked for. */
export function minor(value: string, code: string): number {
  const digits = decimals(code)
  const [whole = '', fraction = ''] = value.split('.')
  if (/[1-9]/.test(fraction.slice(digits)))
    throw new Unsendable('ARGUMENT_INVALID', `${value} has more decimals than ${code} has.`)
  return Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
}

function decimals(code: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
