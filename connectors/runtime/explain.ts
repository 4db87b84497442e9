import type { TObject } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { Detail } from './app.ts'
import { groupWords, hasGroups } from '../kit/groups.ts'
import { isFields } from '../kit/wire.ts'
import { patternWords } from './pattern-words.ts'
import type { Fields } from '../kit/wire.ts'

/** Explains to an agent what is wrong with an input: one sentence for each field. */
export function explain(schema: TObject, errors: readonly TLocalizedValidationError[], input: unknown): Detail[] {
  const details = new Map<string, string>()
  const add = (path: string, message: string): void => {
    if (!details.has(path)) details.set(path, message)
  }
  for (const error of errors) {
    // An error in a branch covers one alternative only: the group's own error is reported.
    if (isOfBranch(schema, error.schemaPath)) continue
    const steps = untilChoice(schema, error.instancePath.split('/').slice(1).map(unescape))
    const at = find(schema, steps)
    const value = steps.reduce<unknown>((found, step) => (Object(found) as Fields)[step], input)
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf')
      add(steps.join('.'), hasGroups(at) ? groupSentence(at, error.keyword) : sentence(at, value))
    else if (isChoice(at)) add(steps.join('.'), sentence(at, value))
    else if (error.keyword === 'required') {
      const properties = isFields(at['properties']) ? at['properties'] : {}
      for (const name of error.params.requiredProperties)
        add([...steps, name].join('.'), `is required: ${describe(properties[name])}`)
    } else if (error.keyword === 'boolean') {
      // Of `additionalProperties: false`, one per name; the one with all names is last or missing.
      const parent = find(schema, steps.slice(0, -1))
      const known = isFields(parent['properties']) ? parent['properties'] : {}
      add(steps.join('.'), misnamed(parent) ?? notAField(steps.at(-1) ?? '', known))
    } else if (error.keyword === 'uniqueItems') {
      add(steps.join('.'), 'must not have the same item twice')
    } else if (error.keyword !== 'additionalProperties' && error.keyword !== 'if')
      add(steps.join('.'), sentence(at, value))
  }
  return [...details].map(([path, message]) => ({ path, message }))
}

/** A choice between values, not a group of an object's fields. */
function isChoice(at: Fields): boolean {
  return 'anyOf' in at && !hasGroups(at)
}

/** Whether the path to a part of the schema leads through a group. */
function isOfBranch(schema: TObject, path: string): boolean {
  let at: unknown = schema
  return path
    .split('/')
    .slice(1)
    .map(unescape)
    .some((word) => {
      if (isFields(at) && (word === 'anyOf' || word === 'oneOf') && hasGroups(at)) return true
      at = (Object(at) as Fields)[word]
      return false
    })
}

function groupSentence(at: Fields, keyword: 'anyOf' | 'oneOf'): string {
  return `must have ${groupWords({ properties: {}, [keyword]: at[keyword] }).join()}`
}

/** Most faults reported at once; the validator itself returns at most this many. */
export const maxDetails = 8

/** Above what any object of an input has. */
const mostFields = 2000

/** Lists and objects beyond the schema's limits: to validate them in full could take minutes. */
export function tooLarge(at: Fields, value: unknown, path = ''): Detail[] {
  if (Array.isArray(value)) {
    const { items, maxItems } = at
    if (typeof maxItems === 'number' && value.length > maxItems) return [{ path, message: sentence(at, value) }]
    return isFields(items) ? value.flatMap((item, index) => tooLarge(items, item, below(path, `${index}`))) : []
  }
  if (!isFields(value) || !hasFields(at)) return []
  const names = Object.keys(value)
  if (names.length > mostFields) return [{ path, message: `must not have more than ${mostFields} fields` }]
  return names.flatMap((name) => tooLarge(within(at, name), value[name], below(path, name)))
}

/** Whether it describes an object. */
export function hasFields(at: Fields): boolean {
  return 'properties' in at || 'patternProperties' in at
}

/** The path of this name below `path`. */
export function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function unescape(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The schema at this path of the input. */
function find(schema: TObject, steps: readonly string[]): Fields {
  return steps.reduce<Fields>(within, schema as unknown as Fields)
}

/** The schema of this name or index. */
export function within(at: Fields, step: string): Fields {
  const properties = isFields(at['properties']) ? at['properties'] : {}
  const inner = Object.hasOwn(properties, step) ? properties[step] : (at['items'] ?? mapped(at)[1])
  return isFields(inner) ? inner : {}
}

/** The pattern of a map's names, and the schema of its values. */
function mapped(at: Fields): readonly [pattern: string | undefined, schema: unknown] {
  const patterns = isFields(at['patternProperties']) ? at['patternProperties'] : {}
  return Object.entries(patterns)[0] ?? [undefined, undefined]
}

function misnamed(at: Fields): string | undefined {
  const [pattern] = mapped(at)
  if (pattern === undefined) return undefined
  return `is not a name that this takes: it must be ${patternWords(pattern) ?? `a text that matches ${pattern}`}`
}

/** The steps up to a choice in the schema: a fault inside is reported for the choice as a whole. */
function untilChoice(schema: TObject, steps: readonly string[]): readonly string[] {
  const end = steps.findIndex((_step, at) => isChoice(find(schema, steps.slice(0, at))))
  return end < 0 ? steps : steps.slice(0, end)
}

function sentence(at: Fields, value: unknown): string {
  if ('const' in at) return `must be ${JSON.stringify(at['const'])}`
  if (value === null) return `must be ${shape(at)}, not null; leave the field out instead`
  const got = Array.isArray(value) ? 'a list' : { string: 'a text', object: 'an object' }[typeof value as string]
  const wanted = at['type']
  const kind = Array.isArray(value) ? 'array' : typeof value
  const right = typeof wanted !== 'string' || kind === (wanted === 'integer' ? 'number' : wanted)
  return right
    ? `must be ${shape(at)}`
    : `must be ${shape(at)}, not ${got ?? `the ${typeof value} ${JSON.stringify(value)}`}`
}

function between(low: unknown, high: unknown, unit: string): string {
  const words = { low: JSON.stringify(low), high: JSON.stringify(high) }
  if (low === undefined && high === undefined) return ''
  if (high === undefined) return ` of at least ${words.low}${unit}`
  // A text's length has no lower bound to report at 0; a number's has.
  return low === undefined || (low === 0 && unit !== '')
    ? ` of at most ${words.high}${unit}`
    : ` from ${words.low} to ${words.high}${unit}`
}

/** Describes what a schema allows. */
export function shape(at: Fields): string {
  const words = Array.isArray(at['enum']) ? at['enum'] : []
  if (words.length > 0) return `one of: ${words.join(', ')}`
  if (Array.isArray(at['anyOf'])) return at['anyOf'].filter(isFields).map(option).join(' or ')
  switch (at['type']) {
    case 'integer':
      return `a whole number${between(at['minimum'], at['maximum'], '')}`
    case 'number':
      return `a finite number${above(at)}${between(at['minimum'], at['maximum'], '')}`
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'array':
      return `a list${between(at['minItems'], at['maxItems'], ' items')}`
    case 'object':
      return fieldCount(at['minProperties'], at['maxProperties'])
    case 'string':
      if (at['format'] === 'date')
        return `a day that exists, written YYYY-MM-DD${'pattern' in at ? `, ${asDescribed(at)}` : ''}`
      if (at['format'] === 'date-time') return 'an RFC 3339 date and time with an offset or Z'
      if (typeof at['format'] === 'string') return `a valid ${at['format']}`
      if (typeof at['pattern'] === 'string') return patternWords(at['pattern']) ?? `a text ${asDescribed(at)}`
      return `a text${between(at['minLength'], at['maxLength'], ' characters')}`
    default:
      return 'a value that the schema allows'
  }
}

/** The schema's description explains its pattern. */
function asDescribed({ description, pattern }: Fields): string {
  return typeof description === 'string' ? `as its description says: ${description}` : `that matches ${String(pattern)}`
}

function option(at: Fields): string {
  if (!isFields(at['properties'])) return shape(at)
  const parts = Object.entries(at['properties']).map(([name, part]) => `${name}: ${shape(isFields(part) ? part : {})}`)
  return `{ ${parts.join('; ')} }`
}

function fieldCount(low: unknown, high: unknown): string {
  if (low !== undefined && low === high) return `an object with exactly ${JSON.stringify(low)} of its fields`
  return low === undefined ? 'an object' : `an object with at least ${JSON.stringify(low)} of its fields`
}

function above(at: Fields): string {
  return typeof at['exclusiveMinimum'] === 'number' ? ` above ${at['exclusiveMinimum']}` : ''
}

function describe(schema: unknown): string {
  const text = isFields(schema) ? schema['description'] : undefined
  return typeof text === 'string' ? text : shape(isFields(schema) ? schema : {})
}

/** Suggests the closest known field, or the one of this name within another field. */
export function notAField(name: string, fields: Fields): string {
  const known = Object.keys(fields)
  if (known.length === 0) return 'is not a field here: there are none'
  const outer = known.find((one) =>
    Object.hasOwn(Object(within({ properties: fields }, one)['properties']) as Fields, name),
  )
  const meant = outer === undefined ? closest(name, known) : `${outer}.${name}`
  return `is not a field here.${meant === undefined ? '' : ` Did you mean ${meant}?`} Fields: ${known.join(', ')}.`
}

function closest(name: string, known: readonly string[]): string | undefined {
  const near = known
    .map((candidate) => ({ candidate, away: distance(name.toLowerCase(), candidate) }))
    .sort((a, b) => a.away - b.away)[0]
  return near && near.away <= Math.max(2, near.candidate.length / 3) ? near.candidate : undefined
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= Math.min(a.length, 64); i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      )
    row = next
  }
  return row[b.length] ?? 0
}
