import type { Fields } from '../../connectors/kit/wire.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { actionOf, moneyOf, namesRecipients } from './declared.ts'
import { cut, sayOf, withLabel } from './in-short.ts'
import { itemsOf, objectFor, propertiesOf } from './schema.ts'
import { nothingKnown } from './things.ts'
import type { KnownThings } from './things.ts'
import type { Telling, ToldThing } from './told.ts'

/**
 * A call as a sentence: `Send an invoice: Ana Prado, 958.28 EUR; reaches Ana Prado`. Built from the
 * connector's declarations alone.
 */
export interface Sentence {
  /** `Send an invoice` */
  readonly action: string
  /** Entity names, amounts and the action's brief, most important first. */
  readonly about: readonly string[]
  /** Recipients named in the input. */
  readonly reaches: readonly string[]
}

/** Maximum facts per sentence, and recipients named. */
const most = 6
const mostNamed = 3

interface Said extends Telling {
  readonly name: string
  readonly input: Fields | undefined
  readonly told: readonly ToldThing[]
  /** Known entities. */
  readonly things: KnownThings
}

/** `name`: the endpoint's name, in case the app no longer has it. */
export function sentenceOf({ endpoint, name, input, told, things }: Said): Sentence {
  const action = actionOf(endpoint, name)
  if (endpoint === undefined || input === undefined) return { action, about: [], reaches: [] }
  const schemas = propertiesOf(endpoint.inputSchema)
  const reached = reachedIn(input, endpoint.inputSchema)
  const named = told.filter(({ of }) => !reached.some(({ path }) => path === of))
  const isSaid = (field: string): boolean =>
    told.some(({ of }) => of.split('.')[0] === field) || reached.some(({ path }) => path.split('.')[0] === field)
  const amounts = Object.keys(schemas).filter((field) => moneyOf(schemas[field]) !== undefined)
  const others = [...new Set([...endpoint.brief, ...amounts])].flatMap((field): readonly string[] => {
    const schema = schemas[field]
    if (isSaid(field) || !Object.hasOwn(input, field)) return []
    const one = sayOf(input[field], { schema, beside: input, things })
    return one === undefined ? [] : [one.clear ? one.text : withLabel(field, schema, one.text)]
  })
  return {
    action,
    about: [...named.flatMap((thing) => wordsOf(thing, action)), ...others].slice(0, most),
    reaches: whom(reached, things),
  }
}

/** Name and amounts; skips a label that the action repeats, as `invoice` in `Send an invoice`. */
function wordsOf({ label, name, id, fields, further }: ToldThing, action: string): readonly string[] {
  const amounts = fields.flatMap(({ label: of, value, schema, beside }) => {
    const said = moneyOf(schema) && sayOf(value, { schema, beside, things: nothingKnown })
    return said === undefined ? [] : [{ of, ...said }]
  })
  const different = new Set(amounts.map(({ text }) => text)).size > 1
  const sums = amounts
    .slice(0, different ? 2 : 1)
    .map(({ of, text, clear }) => (of === undefined || (clear && !different) ? text : `${of} ${text}`))
  const kind = action.toLowerCase().includes(label.toLowerCase()) ? '' : `${inLine(label)} `
  const others = further.flatMap((one) => (one.name === undefined ? [] : [`${inLine(one.label)} ${cut(one.name)}`]))
  return [`${kind}${cut(name ?? id)}`, ...sums, ...others]
}

/** A label in mid-sentence: lower case, except for abbreviations. */
function inLine(label: string): string {
  return /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}

interface Reached {
  readonly path: string
  readonly value: unknown
  readonly schema: JsonSchema | undefined
}

/** Recipients named in the input. */
function reachedIn(value: unknown, schema: JsonSchema | undefined, path = ''): readonly Reached[] {
  if (schema === undefined || value === undefined || value === null) return []
  if (Array.isArray(value)) {
    const one = itemsOf(schema)
    return namesRecipients(schema)
      ? value.map((entry: unknown) => ({ path, value: entry, schema: one }))
      : value.flatMap((entry) => reachedIn(entry, one, path))
  }
  if (namesRecipients(schema)) return [{ path, value, schema }]
  if (!isFields(value)) return []
  const schemas = propertiesOf(objectFor(schema, value))
  return Object.entries(value).flatMap(([name, one]) =>
    reachedIn(one, schemas[name], path === '' ? name : `${path}.${name}`),
  )
}

function whom(reached: readonly Reached[], things: KnownThings): readonly string[] {
  const names = reached.flatMap(({ value, schema }) => sayOf(value, { schema, beside: {}, things })?.text ?? [])
  const different = [...new Set(names)]
  const more = different.length - mostNamed
  return more <= 0 ? different : [...different.slice(0, mostNamed), `${more} more`]
}
