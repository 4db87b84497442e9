import type { Detail, Endpoint, JsonSchema } from '../../connectors/registry.ts'
import type { Form } from '../form.ts'
import { choicesOf, itemsOf, propertiesOf, requiredOf } from '../parts/schema.ts'

/** Input control of a field. `lines` and `ticks` are lists, `json` is any structure. */
type Control = 'text' | 'long' | 'date' | 'number' | 'boolean' | 'choice' | 'ticks' | 'lines' | 'json'

export interface PlayField {
  readonly name: string
  readonly schema: JsonSchema
  readonly control: Control
  readonly required: boolean
  readonly choices: readonly string[]
  /** Empty differs from left out: it may clear something. */
  readonly mayBeEmpty: boolean
}

/** Values by field: none if left out, one empty text if empty, several for checkboxes. */
export type Typed = ReadonlyMap<string, readonly string[]>

const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export function fieldsOf({ inputSchema, access }: Pick<Endpoint, 'inputSchema' | 'access'>): readonly PlayField[] {
  const required = requiredOf(inputSchema)
  return Object.entries(propertiesOf(inputSchema)).map(([name, schema]) => {
    const control = controlOf(schema)
    const choices = choicesOf(control === 'ticks' ? (itemsOf(schema) ?? {}) : schema)
    const mayBeEmpty = access === 'write' && !required.includes(name) && takesEmpty(schema, control)
    return { name, schema, control, choices, required: required.includes(name), mayBeEmpty }
  })
}

function takesEmpty({ minLength, minItems, format }: JsonSchema, control: Control): boolean {
  if (isTextual(control)) return format === undefined && !(Number(minLength) > 0)
  return isList(control) && !(Number(minItems) > 0)
}

const isList = (control: Control): boolean => control === 'lines' || control === 'ticks'
const isTextual = (control: Control): boolean => control === 'text' || control === 'long'

function controlOf(schema: JsonSchema): Control {
  if (choicesOf(schema).length > 0) return 'choice'
  switch (schema['type']) {
    case 'boolean':
      return 'boolean'
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      if (schema['format'] === 'date') return 'date'
      return Number(schema['maxLength'] ?? 0) > 300 ? 'long' : 'text'
    case 'array':
      return listOf(itemsOf(schema) ?? {})
    default:
      return isText(schema) ? 'text' : 'json'
  }
}

function listOf(items: JsonSchema): Control {
  const choices = choicesOf(items)
  if (choices.length > 0) return choices.length > 12 ? 'lines' : 'ticks'
  return items['type'] === 'string' || items['type'] === 'integer' || items['type'] === 'number' ? 'lines' : 'json'
}

/** A union of text formats, such as a date or "never". */
function isText({ anyOf }: JsonSchema): boolean {
  return (
    Array.isArray(anyOf) &&
    anyOf.every((one: unknown) => {
      const { type, const: value } = Object(one) as { type?: unknown; const?: unknown }
      return type === 'string' || typeof value === 'string'
    })
  )
}

/** Field values of an input. */
export function typedOf(fields: readonly PlayField[], input: Readonly<Record<string, unknown>>): Typed {
  return new Map(fields.map((field) => [field.name, textsOf(field, input[field.name])]))
}

/** Field values of one value. */
export function textsOf({ control }: Pick<PlayField, 'control'>, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (control === 'json') return [JSON.stringify(value, null, 2)]
  if (!Array.isArray(value)) return [typeof value === 'string' ? value : JSON.stringify(value)]
  return control === 'ticks' && value.length > 0 ? value.map(String) : [value.map(String).join('\n')]
}

export function readTyped(fields: readonly PlayField[], form: Form): Typed {
  const empty = form.all('empty')
  return new Map(
    fields.map(({ name }) => {
      const texts = form.all(`in.${name}`).map((text) => text.replaceAll('\r\n', '\n'))
      const given = texts.filter((text) => text !== '')
      return [name, given.length === 0 && empty.includes(name) ? [''] : given]
    }),
  )
}

/** Fields sent more than once: which value was meant is unknown. */
export function sentTwice(fields: readonly PlayField[], form: Form): readonly Detail[] {
  return fields
    .filter(({ name, control }) => control !== 'ticks' && form.all(`in.${name}`).length > 1)
    .map(({ name }) => ({ path: name, message: 'was sent twice' }))
}

/** The typed input; the endpoint validates it. `bad`: values that are not valid JSON. */
export function inputOf(fields: readonly PlayField[], typed: Typed): { input: Record<string, unknown>; bad: Detail[] } {
  const input: Record<string, unknown> = {}
  const bad: Detail[] = []
  for (const field of fields) {
    const texts = typed.get(field.name) ?? []
    if (texts.length === 0 && !(field.required && canBeEmpty(field.control))) continue
    try {
      input[field.name] = valueOf(field, texts)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      bad.push({ path: field.name, message: `is not JSON: ${error.message}` })
    }
  }
  return { input, bad }
}

const canBeEmpty = (control: Control): boolean => isTextual(control) || isList(control)

function valueOf({ control, schema, choices }: PlayField, texts: readonly string[]): unknown {
  const [text = ''] = texts
  switch (control) {
    case 'number':
      return asNumber(text)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'choice':
      return chosen(schema, choices, text)
    case 'ticks':
      return texts.filter((one) => one !== '').map((one) => chosen(itemsOf(schema) ?? {}, choices, one))
    case 'lines': {
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      return itemsOf(schema)?.['type'] === 'string' ? lines : lines.map(asNumber)
    }
    case 'json':
      return JSON.parse(text)
    case 'text':
    case 'long':
    case 'date':
      return text
  }
}

/** Text that is no number is kept, so that the endpoint reports the error. */
function asNumber(text: string): number | string {
  return numeral.test(text.trim()) ? Number(text) : text
}

/** Choices are mostly texts; numeric ones are converted back to numbers. */
function chosen(schema: JsonSchema, choices: readonly string[], text: string): unknown {
  const numeric = schema['type'] === 'integer' || schema['type'] === 'number'
  return numeric && choices.includes(text) ? Number(text) : text
}
