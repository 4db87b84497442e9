import { moneyKey } from '../../connectors/kit/declared.ts'
import type { Money } from '../../connectors/kit/declared.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { currencyOf, decimalOf, digitsOf, inWholeUnits, isSumAbove } from '../money.ts'
import type { Decimal } from '../money.ts'

const choices = ['anyOf', 'oneOf', 'allOf'] as const

/** Whether the schema declares any amount as money. */
export function hasAmounts(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasAmounts)
  if (!isFields(schema)) return false
  return Object.hasOwn(schema, moneyKey) || Object.values(schema).some(hasAmounts)
}

/**
 * Whether a call may be about more than `limit`, in whole units of its currency: one declared
 * amount, or their sum. Unknown counts as more: no amount, one that is not a plain number, or minor
 * units of a currency with unknown decimals, which are then compared as they are.
 */
export function isAbove(input: Fields, schema: JsonSchema, limit: string): boolean {
  const amounts = new Map<string, Decimal | undefined>()
  collect(input, schema, { at: '', beside: {} }, amounts)
  const all = [...amounts.values()]
  const known = all.filter((amount) => amount !== undefined)
  const most = decimalOf(limit)
  return all.length === 0 || known.length < all.length || most === undefined || isSumAbove(known, most)
}

/** Keyed by path, since several branches of a choice may declare the same amount. */
function collect(
  value: unknown,
  schema: unknown,
  where: { readonly at: string; readonly beside: Fields },
  found: Map<string, Decimal | undefined>,
): void {
  if (!isFields(schema) || value === undefined || value === null) return
  const money = schema[moneyKey]
  if (isFields(money)) found.set(where.at, wholeUnits(value, money as unknown as Money, where.beside))
  for (const choice of choices) {
    const branches = schema[choice]
    if (Array.isArray(branches)) for (const branch of branches) collect(value, branch, where, found)
  }
  if (Array.isArray(value)) {
    for (const [place, item] of value.entries())
      collect(item, schema['items'], { at: `${where.at}/${place}`, beside: {} }, found)
  } else if (isFields(value)) {
    const properties = isFields(schema['properties']) ? schema['properties'] : {}
    for (const [name, inner] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties']
      collect(inner, own, { at: `${where.at}/${name}`, beside: value }, found)
    }
  }
}

function wholeUnits(value: unknown, money: Money, beside: Fields): Decimal | undefined {
  const amount = decimalOf(value)
  return amount && inWholeUnits(amount, money, digitsOf(currencyOf(money, beside)))
}
