import { labelKey, moneyKey, recipientsKey } from '../../connectors/kit/declared.ts'
import type { Money } from '../../connectors/kit/declared.ts'
import { kindKey } from '../../connectors/kit/inputs.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { alternativesOf, itemsOf } from './schema.ts'

type Schema = JsonSchema | undefined

/** Label of an action; its technical name if it has no label or the app no longer has it. */
export function actionOf(endpoint: Endpoint | undefined, name: string): string {
  return endpoint === undefined || endpoint.label === '' ? name : endpoint.label
}

/** Label of a field; undefined if it has none. */
export function labelOf(schema: Schema): string | undefined {
  const label = noteOf(schema, labelKey)
  return typeof label === 'string' ? label : undefined
}

/** Label of an output field, else its name made readable (`sent_at`: Sent at). */
export function toldLabelOf(schema: JsonSchema, name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\b(?:id|url)\b/g, (word) => word.toUpperCase())
  return labelOf(schema) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** Unit and currency of an amount; undefined for other fields. */
export function moneyOf(schema: Schema): Money | undefined {
  const note = noteOf(schema, moneyKey)
  if (!isFields(note)) return undefined
  const { unit, currency } = note
  if (unit !== 'minor' && unit !== 'major') return undefined
  if (currency === null || typeof currency === 'string') return { unit, currency }
  const field = isFields(currency) ? currency['field'] : undefined
  return typeof field === 'string' ? { unit, currency: { field } } : undefined
}

/** Whether a text is a calendar date. */
export function isDay(schema: Schema): boolean {
  return noteOf(schema, 'format') === 'date'
}

/** Whether the field names recipients of the call. */
export function namesRecipients(schema: Schema): boolean {
  return noteOf(schema, recipientsKey) === true
}

/** An enum value as text: `bank transfer` for `bank_transfer`. */
export function choiceInWords(value: string): string {
  return /^[a-z\d]+(?:_[a-z\d]+)+$/.test(value) ? value.replaceAll('_', ' ') : value
}

/** Kinds of entities whose ids a field holds, in lists too. */
export function kindsOf(schema: Schema): readonly string[] {
  if (schema === undefined) return []
  const kind = schema[kindKey]
  const inner = [itemsOf(schema), ...alternativesOf(schema)].flatMap(kindsOf)
  return [...new Set([...(typeof kind === 'string' ? [kind] : []), ...inner])]
}

/** An annotation of the schema itself or of its alternatives. */
function noteOf(schema: Schema, key: string): unknown {
  if (schema === undefined) return undefined
  return (
    schema[key] ??
    alternativesOf(schema)
      .map((one) => noteOf(one, key))
      .find((note) => note !== undefined)
  )
}
