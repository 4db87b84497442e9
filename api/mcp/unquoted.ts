import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { isExact, parseExactly } from '../../connectors/runtime/exact-json.ts'

/**
 * Corrects what hosts send against the schema: an object, list, number or boolean as text, and
 * null or an empty text for an omitted optional input. Only where the schema refuses the value; the
 * rest stays, and is refused. `at`: the schema of the value.
 */
export function unquoted(at: unknown, value: unknown): unknown {
  if (!isFields(at)) return value
  const forms = formsOf(at)
  const meant = typeof value === 'string' && !forms.some(takesText) ? fromText(forms, value) : value
  const alike = forms.filter((one) => one['type'] === kindOf(meant))
  const form = alike.find((one) => hasAll(one, meant)) ?? alike[0] ?? at
  if (Array.isArray(meant)) return meant.map((item) => unquoted(form['items'], item))
  return isFields(meant) && isFields(form['properties']) ? unquotedFields(form, form['properties'], meant) : meant
}

/** Of several objects, the one that has all the value's fields. */
function hasAll({ properties }: Fields, value: unknown): boolean {
  return isFields(value) && isFields(properties) && Object.keys(value).every((name) => Object.hasOwn(properties, name))
}

function unquotedFields({ required }: Fields, properties: Fields, value: Fields): Fields {
  const needed = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (!Object.hasOwn(properties, name)) return [[name, item]]
      const at = properties[name]
      const mayGo = !needed(name) || hasDefault(at)
      return mayGo && isFields(at) && meansNothing(at, item) ? [] : [[name, unquoted(at, item)]]
    }),
  )
}

/** Null or an empty text, where the schema refuses it. A schema without a type takes anything. */
function meansNothing(at: Fields, item: unknown): boolean {
  const forms = formsOf(at)
  if (item === null) return forms.every((form) => isTyped(form) && !takesNull(form))
  return item === '' && forms.every((form) => isTyped(form) && !takesEmpty(form))
}

/** The schema, or each of its forms. */
function formsOf(at: Fields): readonly Fields[] {
  const choice = at['anyOf'] ?? at['oneOf']
  if (Array.isArray(choice)) return choice.filter(isFields).flatMap(formsOf)
  return Array.isArray(at['type']) ? at['type'].map((type: unknown) => ({ ...at, type })) : [at]
}

const wordsOf = (form: Fields): readonly unknown[] | undefined =>
  'const' in form ? [form['const']] : Array.isArray(form['enum']) ? form['enum'] : undefined

const isTyped = (form: Fields): boolean => form['type'] !== undefined || wordsOf(form) !== undefined

const takesNull = (form: Fields): boolean => form['type'] === 'null' || wordsOf(form)?.includes(null) === true

const takesText = (form: Fields): boolean =>
  form['type'] === 'string' || !isTyped(form) || wordsOf(form)?.some((word) => typeof word === 'string') === true

function takesEmpty(form: Fields): boolean {
  if (!takesText(form)) return false
  const words = wordsOf(form)
  if (words !== undefined) return words.includes('')
  if (form['format'] !== undefined || Number(form['minLength'] ?? 0) > 0) return false
  return typeof form['pattern'] !== 'string' || new RegExp(form['pattern'], 'u').test('')
}

function hasDefault(at: unknown): boolean {
  return isFields(at) && 'default' in at
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

/** The JSON in the text, if a form has its type; else the text, which is refused as such. */
function fromText(forms: readonly Fields[], text: string): unknown {
  const value = parsed(text.trim())
  const kind = kindOf(value)
  const fits = forms.some(({ type }) => type === kind || (type === 'integer' && kind === 'number'))
  return fits && value !== null ? value : text
}

/** Undefined: not JSON, or a number that would lose precision. */
function parsed(text: string): unknown {
  if (/^-?\d/.test(text) && !isExact(text)) return undefined
  try {
    const { value, inexact } = parseExactly(text)
    return inexact.length > 0 ? undefined : value
  } catch {
    return undefined
  }
}
