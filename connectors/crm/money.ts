import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import type { Money } from '../kit/declared.ts'
import { InputRejected } from '../kit/failures.ts'
import { fields, number, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const Currency = labelled(
  'Currency',
  Type.String({
    pattern: '^[A-Z]{3}$',
    description:
      "The currency of all amounts given: three letters, such as EUR. Left out, the account's own; a project that bills in another refuses.",
  }),
)

export const besideCurrency: Money = { unit: 'major', currency: { field: 'currency' } }
/** Line items and instalments have no currency field of their own. */
export const ofTheAccount: Money = { unit: 'major', currency: null }

export function Amount(of: Money, description: string) {
  return labelled(
    'Amount',
    money(
      of,
      Type.String({
        pattern: '^\\d{1,12}(\\.\\d{1,3})?$',
        description: `${description} A decimal such as "1250.00".`,
      }),
    ),
  )
}

/** Output: the text that `amount` returns. */
export function AmountOutput(meaning: string) {
  return money(
    besideCurrency,
    Type.String({ description: `${meaning}, as a decimal text such as "1250.00", in currency.` }),
  )
}

/** Money as a decimal string, with as many decimals as its currency has. */
export function amount(sum: unknown): string {
  const digits = decimals(currency(sum))
  return (number(fields(sum)['minor']) / 10 ** digits).toFixed(digits)
}

export function currency(sum: unknown): string {
  return text(fields(sum)['currency'])
}

/** The account's currency, used unless a project has its own. */
export function homeCurrency(before: Fields): string {
  return text(fields(before['studio'])['currency'])
}

/** Converts an amount into minor units. Throws rather than rounds: it must stay as requested. */
export function minor(value: string, code: string): number {
  const digits = decimals(code)
  const [whole = '', fraction = ''] = value.split('.')
  if (/[1-9]/.test(fraction.slice(digits)))
    throw new InputRejected('ARGUMENT_INVALID', `${value} has more decimals than ${code} has.`)
  return Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
}

function decimals(code: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
