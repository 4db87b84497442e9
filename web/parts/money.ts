import type { Money } from '../../connectors/kit/declared.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { moneyOf } from './declared.ts'
import { objectFor, propertiesOf } from './schema.ts'

/** An amount as a person reads it. */
export interface Amount {
  /** `1,250.00 USD` */
  readonly words: string
  /** What it counts, where no currency stands behind it. */
  readonly note: string | undefined
  /** It counts smallest parts, as nobody knows how many of them make a whole. */
  readonly inParts: boolean
  /** The number is another one than what is sent. */
  readonly converted: boolean
}

/** `beside`: the object that the amount is a field of. Undefined for what is no decimal number. */
export function amountOf(value: unknown, money: Money, beside: Fields): Amount | undefined {
  const sent = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  if (!isDecimal(sent)) return undefined
  const code = currencyOf(money, beside)
  const digits = code === undefined ? undefined : digitsOf(code)
  const currency = code ?? (money.currency === null ? 'the account’s own currency' : 'a currency that is not said here')
  if (money.unit === 'minor' && digits === undefined)
    return { words: inGroups(sent), note: `in the smallest part of ${currency}`, inParts: true, converted: false }
  const words = inGroups(money.unit === 'minor' ? shifted(sent, digits ?? 0) : sent, digits)
  return {
    words: code === undefined ? words : `${words} ${code}`,
    note: code === undefined ? `in ${currency}` : undefined,
    inParts: false,
    converted: money.unit === 'minor' && digits !== 0,
  }
}

/** An object that is nothing but an amount and its currency. */
export function sumOf(value: Fields, schema: JsonSchema | undefined): (Amount & { readonly sent: string }) | undefined {
  const names = Object.keys(value)
  const properties = propertiesOf(objectFor(schema, value))
  if (names.length !== 2) return undefined
  for (const name of names) {
    const money = moneyOf(properties[name])
    const field = money && fieldIn(money)
    if (money === undefined || field === undefined || !names.includes(field)) continue
    const amount = amountOf(value[name], money, value)
    return amount && { ...amount, sent: String(value[name]) }
  }
  return undefined
}

/** The field beside the amount that says its currency. */
function fieldIn({ currency }: Money): string | undefined {
  return typeof currency === 'object' ? currency?.field : undefined
}

function currencyOf(money: Money, beside: Fields): string | undefined {
  const field = fieldIn(money)
  const code = field === undefined ? money.currency : beside[field]
  return typeof code === 'string' && /^[A-Za-z]{3}$/.test(code) ? code.toUpperCase() : undefined
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** How many decimals a currency has; undefined for one that is not known. */
function digitsOf(currency: string): number | undefined {
  if (!currencies.has(currency)) return undefined
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d{1,30}(\.\d{1,20})?$/.test(text)
}

/** Never rounded: as many decimals as there are, and at least so many. */
function inGroups(number: `${number}`, decimals = 0): string {
  const least = Math.max(decimals, number.split('.')[1]?.length ?? 0)
  return new Intl.NumberFormat('en-GB', { minimumFractionDigits: least, maximumFractionDigits: 40 }).format(number)
}

/** With the decimal point so many digits further left. By its digits, as no fraction of a number is exact. */
function shifted(number: `${number}`, by: number): `${number}` {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(number) ?? []
  const digits = whole.padStart(by + 1, '0')
  const split = digits.length - by
  const decimals = digits.slice(split) + fraction
  return `${sign}${digits.slice(0, split)}${decimals === '' ? '' : `.${decimals}`}` as `${number}`
}
