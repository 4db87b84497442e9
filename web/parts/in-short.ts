import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { choiceInWords, isDay, kindsOf, moneyOf, toldLabelOf } from './declared.ts'
import { amountOf, sumOf } from './money.ts'
import type { Amount } from './money.ts'
import { choicesOf, itemsOf, objectFor, propertiesOf } from './schema.ts'
import { thingOf } from './things.ts'
import type { KnownThings } from './things.ts'
import { counted, onTheCalendar, onTheClock } from './time.tsx'

const longest = 60
/** Maximum inputs per line, and entries of a list or object. */
const most = 3

/** A call in one line: the fields of its endpoint's brief, most important first. */
export function inOneLine(endpoint: Endpoint | undefined, input: Fields, things: KnownThings): string | undefined {
  const schemas = propertiesOf(endpoint?.inputSchema)
  const said = (endpoint?.brief ?? []).flatMap((name) => {
    const schema = schemas[name]
    const isSaid = Object.hasOwn(input, name) && !isRiddle(input[name], schema, things)
    const one = isSaid ? sayOf(input[name], { schema, beside: input, things }) : undefined
    return one === undefined ? [] : [one.clear ? one.text : withLabel(name, schema, one.text)]
  })
  return said.length === 0 ? undefined : said.slice(0, most).join(' · ')
}

/** An opaque id of an unknown entity, which a list leaves out. */
function isRiddle(value: unknown, schema: JsonSchema | undefined, things: KnownThings): boolean {
  const kinds = kindsOf(schema)
  return typeof value === 'string' && kinds.length > 0 && isOpaque(value) && thingOf(things, kinds, value) === undefined
}

/** Base64, UUIDs and the like, but not `CV-10071`. */
function isOpaque(id: string): boolean {
  return (
    /^[\w+/-]{10,}={1,2}$/.test(id) || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) || /^\w{20,}$/.test(id)
  )
}

export function withLabel(name: string, schema: JsonSchema | undefined, text: string): string {
  return `${schema === undefined ? name : toldLabelOf(schema, name)}: ${text}`
}

interface Around {
  readonly schema: JsonSchema | undefined
  /** The object that contains the field. */
  readonly beside: Fields
  /** Known entities. */
  readonly things: KnownThings
}

interface FlashMessage {
  readonly text: string
  /** Clear without a label. */
  readonly clear: boolean
}

/** A value in a few words; undefined if it has no short form. */
export function sayOf(value: unknown, around: Around): FlashMessage | undefined {
  const money = moneyOf(around.schema)
  const amount = money && amountOf(value, money, around.beside)
  if (amount !== undefined) return { text: inWords(amount), clear: amount.note === undefined }
  if (typeof value === 'string') return sayOfText(value, around)
  if (typeof value === 'number')
    return { text: value.toLocaleString('en-GB', { maximumFractionDigits: 20 }), clear: false }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no', clear: false }
  if (Array.isArray(value)) return sayOfList(value, around)
  return isFields(value) ? sayOfObject(value, around) : undefined
}

function inWords({ words, note, inParts }: Amount): string {
  return inParts ? `${words} ${note ?? ''}` : words
}

function sayOfText(value: string, { schema, things }: Around): FlashMessage | undefined {
  if (value.trim() === '') return undefined
  const kinds = kindsOf(schema)
  if (kinds.length > 0) {
    const thing = thingOf(things, kinds, value)
    const text = thing?.name ?? thing?.facts[0]
    return text === undefined ? { text: cut(value), clear: false } : { text, clear: true }
  }
  const when = onTheClock(value)?.words ?? (isDay(schema) ? onTheCalendar(value) : undefined)
  if (when !== undefined) return { text: when, clear: false }
  if (schema !== undefined && choicesOf(schema).includes(value)) return { text: choiceInWords(value), clear: false }
  return { text: cut(value), clear: schema === undefined || choicesOf(schema).length === 0 }
}

function sayOfList(values: readonly unknown[], around: Around): FlashMessage | undefined {
  const schema = itemsOf(around.schema)
  const said = values.slice(0, most).flatMap((value) => sayOf(value, { ...around, schema }) ?? [])
  if (said.length === 0) return undefined
  if (values.some((value) => isFields(value))) return { text: counted(values.length, 'entry', 'entries'), clear: false }
  const [some, more] = [said.map(({ text }) => text).join(', '), values.length - said.length]
  return { text: more > 0 ? `${some} and ${more} more` : some, clear: said.every(({ clear }) => clear) }
}

function sayOfObject(value: Fields, { schema, things }: Around): FlashMessage | undefined {
  const sum = sumOf(value, schema)
  if (sum !== undefined) return { text: inWords(sum), clear: true }
  const schemas = propertiesOf(objectFor(schema, value))
  const said = Object.entries(value).flatMap(([name, inner]) => {
    const one = sayOf(inner, { schema: schemas[name], beside: value, things })
    return one === undefined ? [] : [withLabel(name, schemas[name], one.text)]
  })
  return said.length === 0 ? undefined : { text: said.slice(0, most).join(', '), clear: false }
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** One line, cut at grapheme boundaries so that no character is split. */
export function cut(text: string): string {
  const line = text.slice(0, 8 * longest).replaceAll(/[ \t\r\n]+/g, ' ')
  const start = Array.from(characters.segment(line), ({ segment }) => segment)
  return start.length > longest ? `${start.slice(0, longest - 1).join('')}…` : line
}
