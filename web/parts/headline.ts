import { consequenceKinds, parseTemplate } from '../../connectors/kit/approval.ts'
import type { ApprovalText, ConsequenceKind, Placeholder, TemplatePart, When } from '../../connectors/kit/approval.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { valuesAt } from '../../connectors/runtime/values.ts'
import type { Told } from '../../core/approvals/look-ups.ts'
import { actionOf, choiceInWords, kindsOf, labelOf, moneyOf, namesRecipients } from './declared.ts'
import { sayOf } from './in-short.ts'
import { amountOf } from './money.ts'
import { choicesOf, itemsOf, propertiesOf, schemaAt } from './schema.ts'
import { thingOf } from './things.ts'
import type { KnownThings } from './things.ts'
import { counted } from './time.tsx'
import { fieldsOf } from './told.ts'
import type { Telling } from './told.ts'

/** What a call does, as its approver reads it first. */
export interface Headline {
  /** At most 110 characters, without ids. */
  readonly sentence: Sentence
  readonly consequences: readonly { readonly kind: ConsequenceKind; readonly sentence: Sentence }[]
  /** Label of the button that approves. */
  readonly button: string
}

/** The connector's words, and values of agents and apps among them. */
export type Sentence = readonly SentencePart[]
export interface SentencePart {
  readonly text: string
  readonly isValue: boolean
}

interface Said extends Telling {
  /** The endpoint's name, in case the app no longer has it. */
  readonly name: string
  readonly input: Fields | undefined
  readonly told: readonly Told[]
  /** Known entities. */
  readonly things: KnownThings
}

const longest = 110
/** Values of a list that are named. */
const mostNamed = 3
/** Of one value, in graphemes; and what is left of it at least where the sentence is too long. */
const longestValue = 60
const shortestValue = 12

export function headlineOf(said: Said): Headline {
  const { endpoint, name, input } = said
  const action = actionOf(endpoint, name)
  if (endpoint === undefined || input === undefined)
    return { sentence: [{ text: action, isValue: false }], consequences: [], button: action }
  const approval = endpoint.approval ?? defaultOf(said, action)
  const applies = ({ when = {} }: { readonly when?: When }): boolean =>
    Object.entries(when).every(([path, values]) => isAmong(valuesAt(input, path), values))
  const { headline, button } = approval.instead?.find(applies) ?? approval
  return {
    sentence: fitted(filled(parseTemplate(headline), said)),
    consequences: approval.consequences
      .filter(applies)
      .flatMap(({ kind, text }) => {
        const sentence = joined(filled(parseTemplate(text), said).flat())
        return sentence.length === 0 ? [] : [{ kind, sentence }]
      })
      .toSorted((a, b) => consequenceKinds.indexOf(a.kind) - consequenceKinds.indexOf(b.kind)),
    button: plain(fitted(filled(parseTemplate(button), said), 40)),
  }
}

/** As plain text, for titles and notices. */
export function plain(sentence: Sentence): string {
  return sentence.map(({ text }) => text).join('')
}

function isAmong(found: readonly unknown[], values: readonly unknown[]): boolean {
  return found.some((one) => values.includes(one))
}

/** For added connectors without texts of their own: the label, who is reached, and amounts. */
function defaultOf({ endpoint, input = {}, told }: Said, action: string): ApprovalText {
  const schemas = propertiesOf(endpoint?.inputSchema)
  const given = Object.keys(schemas).filter((field) => input[field] !== undefined && input[field] !== null)
  const words = action.replaceAll(/[{}[\]|]/g, ' ')
  const reached = given.filter((field) => namesRecipients(schemas[field]))
  const named = [...new Set(told.map(({ of }) => of))].filter((of) => !of.includes(arrow) && !reached.includes(of))
  const brief = (endpoint?.brief ?? []).filter((field) => given.includes(field) && !named.includes(field))
  const said = [...named, ...brief.filter((field) => !reached.includes(field))].slice(0, 3)
  const amounts = given.filter((field) => moneyOf(schemas[field]) !== undefined)
  return {
    headline: `${words}${said.map((place, at) => `[${at === 0 ? ': ' : ', '}{${place}}]`).join('')}${reached.map((field) => `[ to {${field}}]`).join('')}`,
    button: words,
    consequences: [
      ...reached.map((field) => ({ kind: 'people' as const, text: `Reaches {${field}|recipient|recipients}` })),
      ...amounts.map((field) => ({
        kind: 'money' as const,
        text: `${safe(labelOf(schemas[field]) ?? field)}: {${field}}`,
      })),
      ...(reached.length > 0 || amounts.length > 0
        ? []
        : [{ kind: 'other' as const, text: does[endpoint?.effect ?? 'changes'] }]),
    ],
  }
}

const safe = (words: string): string => words.replaceAll(/[{}[\]|]/g, ' ')
const does = {
  adds: 'Adds something to the account',
  changes: 'Changes something in the account',
  removes: 'Removes something from the account',
}

/** A segment that may be left out is a list of its own. */
interface Segment {
  readonly parts: Sentence
  readonly isOptional: boolean
}

/** Leaves out optional parts of which a value is missing. */
function filled(template: readonly TemplatePart[], said: Said): readonly Segment[] {
  return template.flatMap((part): readonly Segment[] => {
    if ('words' in part) return [{ parts: [{ text: part.words, isValue: false }], isOptional: false }]
    if ('place' in part) return [{ parts: [valueOf(part, said) ?? nounOf(part, said)], isOptional: false }]
    const parts = part.ifAll.map((one) => ('words' in one ? { text: one.words, isValue: false } : valueOf(one, said)))
    return parts.every((one) => one !== undefined) ? [{ parts, isOptional: true }] : []
  })
}

/** Drops optional parts, the last first, then shortens the longest value, until it fits. */
function fitted(segments: readonly Segment[], most = longest): Sentence {
  const kept = [...segments]
  while (length(joined(kept)) > most) {
    const last = kept.findLastIndex(({ isOptional }) => isOptional)
    if (last === -1) break
    kept.splice(last, 1)
  }
  const sentence = [...joined(kept)]
  for (let over = length(sentence) - most; over > 0; over = length(sentence) - most) {
    const values = sentence.filter(({ text, isValue }) => isValue && length([{ text, isValue }]) > shortestValue)
    const value = values.toSorted((a, b) => length([b]) - length([a]))[0]
    if (value === undefined) return cutTo(sentence, most)
    const left = Math.max(shortestValue, length([value]) - over)
    sentence[sentence.indexOf(value)] = { text: shortened(value.text, left), isValue: true }
  }
  return sentence
}

function joined(segments: readonly Segment[]): Sentence {
  const [first, ...rest] = segments.flatMap(({ parts }) => parts).reduce(withNext, [])
  if (first === undefined) return []
  return [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...rest]
}

/** Two quoted texts in a row are one, such as first and last name. */
function withNext(before: SentencePart[], next: SentencePart): SentencePart[] {
  const [one, between] = before.slice(-2)
  const isSecond = one?.isValue === true && one.text.endsWith('”') && between?.text === ' ' && next.text.startsWith('“')
  if (!isSecond || !next.isValue) return [...before, next]
  return [...before.slice(0, -2), { text: `${one.text.slice(0, -1)} ${next.text.slice(1)}`, isValue: true }]
}

function cutTo(sentence: Sentence, most: number): Sentence {
  return [{ text: shortened(plain(sentence), most), isValue: true }]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const split = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)
const length = (sentence: Sentence): number => split(plain(sentence)).length

/** Keeps a closing quotation mark. */
function shortened(text: string, most: number): string {
  const end = text.endsWith('”') ? '…”' : '…'
  const all = split(text)
  return all.length <= most ? text : `${all.slice(0, most - end.length).join('')}${end}`
}

const arrow = ' → '

interface Found {
  readonly value: unknown
  readonly schema: JsonSchema | undefined
  readonly beside: Fields
}

/** Undefined if there is none, or if it is an id of something unknown. */
function valueOf({ place, counted: forms }: Placeholder, said: Said): SentencePart | undefined {
  const found = foundAt(place, said)
  if (forms !== undefined) {
    const [first] = found
    const count = found.length === 1 && typeof first?.value === 'number' ? first.value : found.length
    return found.length === 0 ? undefined : { text: counted(count, ...forms), isValue: false }
  }
  const texts = [...new Set(found.flatMap((one) => textOf(one, said.things) ?? []))]
  const more = new Set(found.map(({ value }) => JSON.stringify(value))).size - Math.min(texts.length, mostNamed)
  if (texts.length === 0) return undefined
  const named = texts.slice(0, mostNamed)
  const all = more > 0 ? [...named, `${more} more`] : named
  return { text: all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`, isValue: true }
}

/** A noun for a missing value: `the client`, `3 guests`. */
function nounOf({ place, counted: forms }: Placeholder, said: Said): SentencePart {
  const schema = schemaAt(said.endpoint?.inputSchema, place)
  const [kind] = kindsOf(schema)
  const label = kind === undefined ? labelOf(schema) : said.app?.things[kind]?.label
  const noun = (label ?? forms?.[0] ?? place.split('.').at(-1)?.replaceAll('_', ' ') ?? place).toLowerCase()
  const { length: count } = foundAt(place, said)
  return { text: count > 1 ? counted(count, noun) : `the ${noun}`, isValue: false }
}

/** What the preview shows at that place, else the input. */
function foundAt(place: string, said: Said): readonly Found[] {
  const shown = said.told.flatMap((told): readonly Found[] => {
    const of = told.of.replaceAll(arrow, '.')
    if (!place.startsWith(`${of}.`)) return []
    const path = place.slice(of.length + 1)
    return fieldsOf(said, told).filter((field) => field.path === path)
  })
  const found = shown.length > 0 ? shown : givenAt(place, said)
  return found
    .flatMap(({ value, schema, beside }) =>
      Array.isArray(value)
        ? value.map((one: unknown) => ({ value: one, schema: itemsOf(schema), beside }))
        : { value, schema, beside },
    )
    .filter(({ value }) => value !== null && value !== undefined && value !== '')
}

function givenAt(place: string, { input = {}, endpoint }: Said): readonly Found[] {
  const end = place.lastIndexOf('.')
  const around = end === -1 ? [input] : valuesAt(input, place.slice(0, end))
  const name = place.slice(end + 1)
  const schema = schemaAt(endpoint?.inputSchema, place)
  return around.filter(isFields).map((beside) => ({ value: beside[name], schema, beside }))
}

function textOf({ value, schema, beside }: Found, things: KnownThings): string | undefined {
  const kinds = kindsOf(schema)
  if (kinds.length > 0) {
    const name = typeof value === 'string' ? thingOf(things, kinds, value)?.name : undefined
    return name === undefined ? undefined : quoted(name)
  }
  const money = moneyOf(schema)
  const amount = money && amountOf(value, money, beside)
  if (amount !== undefined)
    return amount.note === undefined
      ? amount.words
      : `${amount.words} ${amount.inParts ? amount.note : 'in the account’s currency'}`
  if (typeof value === 'string' && schema !== undefined && choicesOf(schema).includes(value))
    return choiceInWords(value)
  const said = sayOf(value, { schema, beside, things })
  return said?.clear === true && typeof value === 'string' ? quoted(value) : said?.text
}

/** Text of an agent or app. Addresses, numbers and codes need no quotes. */
function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return /^[\w.+:-]*[\d@][\w.:@+%-]*$/.test(line) ? line : `“${shortened(line, longestValue)}”`
}
