import { moneyKey } from '../../connectors/kit/declared.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'

const choices = ['anyOf', 'oneOf', 'allOf'] as const

/** Whether an input may have an amount that is declared as money. */
export function hasAmounts(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasAmounts)
  if (!isFields(schema)) return false
  return Object.hasOwn(schema, moneyKey) || Object.values(schema).some(hasAmounts)
}

/**
 * Whether a call may be about more than `limit`, in whole units of its currency: one of its declared amounts, or all of them together. What is
 * not known counts as more: a call that says no amount, one that is no plain number, or one in small parts of a currency of which nobody
 * knows how many make a whole, which is then compared as it stands.
 */
export function isAbove(input: Fields, schema: JsonSchema, limit: string): boolean {
  const amounts = new Map<string, number>()
  collect(input, schema, { at: '', beside: {} }, amounts)
  const sum = [...amounts.values()].reduce((one, other) => one + other, 0)
  // Not the other way round: what is no number is not below anything.
  return amounts.size === 0 || !(sum <= Number(limit))
}

/** Each by its place, since a choice may declare the same amount in several of its branches. */
function collect(
  value: unknown,
  schema: unknown,
  where: { readonly at: string; readonly beside: Fields },
  found: Map<string, number>,
): void {
  if (!isFields(schema) || value === undefined || value === null) return
  if (isFields(schema[moneyKey])) found.set(where.at, wholeUnits(value, schema[moneyKey], where.beside))
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

/** NaN for what is no plain number. */
function wholeUnits(value: unknown, { unit, currency }: Fields, beside: Fields): number {
  const amount = typeof value === 'number' || /^-?\d{1,30}(\.\d{1,20})?$/.test(String(value)) ? Number(value) : NaN
  const field = isFields(currency) && typeof currency['field'] === 'string' ? currency['field'] : undefined
  const code = field === undefined ? currency : beside[field]
  return Math.abs(amount) / (unit === 'major' ? 1 : smallestParts(code))
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** How many smallest parts make one of the currency: 100 cents a euro; 1 where nobody knows. */
function smallestParts(code: unknown): number {
  const known = typeof code === 'string' ? code.toUpperCase() : ''
  if (!currencies.has(known)) return 1
  const { maximumFractionDigits: digits = 0 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: known,
  }).resolvedOptions()
  return 10 ** digits
}
