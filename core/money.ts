import type { Money } from '../connectors/kit/declared.ts'
import type { Fields } from '../connectors/kit/wire.ts'

/** A decimal number as text, because floats are not exact. */
export type Decimal = `${number}`

/** Parses an amount from an input or output; undefined if it is not a plain decimal number. */
export function decimalOf(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return isDecimal(text) ? text : undefined
}

function isDecimal(text: string): text is Decimal {
  return /^-?\d{1,30}(\.\d{1,20})?$/.test(text)
}

/** The sibling field that holds an amount's currency; undefined if there is none. */
export function currencyField({ currency }: Pick<Money, 'currency'>): string | undefined {
  return typeof currency === 'object' ? currency?.field : undefined
}

/** Currency code, such as `EUR`; undefined if malformed. `beside`: object that has the amount. */
export function currencyOf(money: Pick<Money, 'currency'>, beside: Fields): string | undefined {
  const field = currencyField(money)
  const code = field === undefined ? money.currency : beside[field]
  return typeof code === 'string' && /^[A-Za-z]{3}$/.test(code) ? code.toUpperCase() : undefined
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Number of decimals of a currency; undefined for an unknown one. */
export function digitsOf(currency: string | undefined): number | undefined {
  if (currency === undefined || !currencies.has(currency)) return undefined
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
}

/** In major units. A minor-unit amount stays unchanged when the currency's decimals are unknown. */
export function inWholeUnits(amount: Decimal, { unit }: Pick<Money, 'unit'>, digits: number | undefined): Decimal {
  return unit === 'minor' ? shifted(amount, digits ?? 0) : amount
}

/** Moves the decimal point `by` digits to the left. */
function shifted(number: Decimal, by: number): Decimal {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(number) ?? []
  const digits = whole.padStart(by + 1, '0')
  const split = digits.length - by
  const decimals = digits.slice(split) + fraction
  return `${sign}${digits.slice(0, split)}${decimals === '' ? '' : `.${decimals}`}` as Decimal
}

/** Whether the sum of the absolute amounts is above `limit`. */
export function isSumAbove(amounts: readonly Decimal[], limit: Decimal): boolean {
  return amounts.reduce((sum, amount) => sum + inSmallest(amount), 0n) > inSmallest(limit)
}

/** More than any amount has: up to 20 of its own, plus those of its currency. */
const mostDecimals = 30

function inSmallest(amount: Decimal): bigint {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
  return BigInt(whole + fraction.padEnd(mostDecimals, '0'))
}
