import type { Money } from '../../connectors/kit/declared.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { currencyField, currencyOf, decimalOf, digitsOf, inWholeUnits } from '../../core/money.ts'
import type { Decimal } from '../../core/money.ts'
import { moneyOf } from './declared.ts'
import { objectFor, propertiesOf } from './schema.ts'

/** An amount as shown to users. */
export interface Amount {
  /** `1,250.00 USD` */
  readonly words: string
  /** Unit of the number, when the currency is unknown. */
  readonly note: string | undefined
  /** In minor units: the currency's decimals are unknown. */
  readonly inParts: boolean
  /** The number shown differs from the one sent. */
  readonly converted: boolean
}

/** `beside`: the object that contains the amount. Undefined unless `value` is a decimal number. */
export function amountOf(value: unknown, money: Money, beside: Fields): Amount | undefined {
  const sent = decimalOf(value)
  if (sent === undefined) return undefined
  const code = currencyOf(money, beside)
  const digits = digitsOf(code)
  const currency = code ?? (money.currency === null ? 'the account’s own currency' : 'a currency that is not said here')
  if (money.unit === 'minor' && digits === undefined)
    return { words: inGroups(sent), note: `in the smallest part of ${currency}`, inParts: true, converted: false }
  const words = inGroups(inWholeUnits(sent, money, digits), digits)
  return {
    words: code === undefined ? words : `${words} ${code}`,
    note: code === undefined ? `in ${currency}` : undefined,
    inParts: false,
    converted: money.unit === 'minor' && digits !== 0,
  }
}

/** An object that consists only of an amount and its currency. */
export function sumOf(value: Fields, schema: JsonSchema | undefined): (Amount & { readonly sent: string }) | undefined {
  const names = Object.keys(value)
  const properties = propertiesOf(objectFor(schema, value))
  if (names.length !== 2) return undefined
  for (const name of names) {
    const money = moneyOf(properties[name])
    const field = money && currencyField(money)
    if (money === undefined || field === undefined || !names.includes(field)) continue
    const amount = amountOf(value[name], money, value)
    return amount && { ...amount, sent: String(value[name]) }
  }
  return undefined
}

/** Never rounded; `decimals` is the minimum. */
function inGroups(number: Decimal, decimals = 0): string {
  const least = Math.max(decimals, number.split('.')[1]?.length ?? 0)
  return new Intl.NumberFormat('en-GB', { minimumFractionDigits: least, maximumFractionDigits: 40 }).format(number)
}
