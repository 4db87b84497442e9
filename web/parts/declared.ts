import { labelKey, moneyKey, recipientsKey } from '../../connectors/kit/declared.ts'
import type { Money } from '../../connectors/kit/declared.ts'
import { kindKey } from '../../connectors/kit/inputs.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { alternativesOf, itemsOf } from './schema.ts'

type Schema = JsonSchema | undefined

/** What a person reads of an action; its technical name where the app says nothing else, or no longer has it. */
export function actionOf(endpoint: Endpoint | undefined, name: string): string {
  return endpoint === undefined || endpoint.label === '' ? name : endpoint.label
}

/** What a person reads of a field. */
export function labelOf(schema: Schema): string | undefined {
  const label = noteOf(schema, labelKey)
  return typeof label === 'string' ? label : undefined
}

/** What a person reads of a field that an app tells: its label, else its technical name in words (`sent_at`: Sent at). */
export function toldLabelOf(schema: JsonSchema, name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\b(?:id|url)\b/g, (word) => word.toUpperCase())
  return labelOf(schema) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** What an amount counts; undefined for what is none. */
export function moneyOf(schema: Schema): Money | undefined {
  const note = noteOf(schema, moneyKey)
  if (!isFields(note)) return undefined
  const { unit, currency } = note
  if (unit !== 'minor' && unit !== 'major') return undefined
  if (currency === null || typeof currency === 'string') return { unit, currency }
  const field = isFields(currency) ? currency['field'] : undefined
  return typeof field === 'string' ? { unit, currency: { field } } : undefined
}

/** Whether a text is a day of the calendar. */
export function isDay(schema: Schema): boolean {
  return noteOf(schema, 'format') === 'date'
}

/** Whether the call reaches each that is named there. */
export function namesRecipients(schema: Schema): boolean {
  return noteOf(schema, recipientsKey) === true
}

/** One of the values to choose from, as people say it: `bank transfer` for `bank_transfer`. */
export function choiceInWords(value: string): string {
  return /^[a-z\d]+(?:_[a-z\d]+)+$/.test(value) ? value.replaceAll('_', ' ') : value
}

/** The kinds of things whose ids a field takes or tells, in lists too. */
export function kindsOf(schema: Schema): readonly string[] {
  if (schema === undefined) return []
  const kind = schema[kindKey]
  const inner = [itemsOf(schema), ...alternativesOf(schema)].flatMap(kindsOf)
  return [...new Set([...(typeof kind === 'string' ? [kind] : []), ...inner])]
}

/** A choice is noted on itself, or on what may be chosen. */
function noteOf(schema: Schema, key: string): unknown {
  if (schema === undefined) return undefined
  return (
    schema[key] ??
    alternativesOf(schema)
      .map((one) => noteOf(one, key))
      .find((note) => note !== undefined)
  )
}
