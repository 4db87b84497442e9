import { isFields } from '../../kit/wire.ts'
import type { Fields } from '../../kit/wire.ts'
import type { Decision, OutputDraft, Reading } from './draft.ts'
import { isIdLike } from './inputs.ts'
import { Names, keyOf, nameOf, plainly, quoted, singular } from './literal.ts'
import { isSecret } from './tokens.ts'

const mostFields = 25
const nexts = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'end_cursor',
  'endCursor',
  'next',
  'cursor',
]
const holders = ['meta', 'paging', 'pagination', 'page_info', 'pageInfo', 'links']

interface Made {
  readonly schema: string
  readonly value: string
}

/** The outputs from JSON. `answers`: one per run. */
export function jsonReading(answers: readonly unknown[], kind: string, asked: ReadonlySet<string>): Reading {
  const objects = answers.map((one) => (Array.isArray(one) ? { items: one } : isFields(one) ? one : {}))
  const decisions: Decision[] = []
  const names = new Names()
  const wrapped = unwrapped(objects)
  const from = wrapped.key === undefined ? 'answer' : `fields(answer[${quoted(wrapped.key)}])`
  const outputs: OutputDraft[] = []
  for (const { key, name, made } of picked(wrapped.objects, { from, kind, depth: 0 }, names)) {
    const isLists = Array.isArray(wrapped.objects[0]?.[key])
    outputs.push({ name: isLists && key === 'items' ? names.take(`${kind}s`) : name, ...made })
  }
  const cursor = nextIn(objects, asked)
  const left = outputs.filter(({ name }) => cursor === undefined || name !== nameOf(cursor.key))
  if (cursor) {
    decisions.push({
      at: 'next_cursor:',
      question: `The next page is asked for with ${plainly(cursor.query)}, as ${plainly(cursor.key)} of the answer says: is that so?`,
    })
    left.push({ name: 'next_cursor', schema: 'nextCursor', value: cursor.code })
  }
  return { answer: 'json', lines: [], outputs: left, ...(cursor && { cursor: cursor.query }), decisions }
}

/** Unwraps `{ data: {…} }`. */
function unwrapped(objects: readonly Fields[]): { readonly key?: string; readonly objects: readonly Fields[] } {
  const key = ['data', 'result', 'results', 'payload', 'response'].find((one) =>
    objects.every((each) => isFields(each[one])),
  )
  return key === undefined ? { objects } : { key, objects: objects.map((each) => each[key] as Fields) }
}

interface At {
  /** The expression of the object. */
  readonly from: string
  readonly kind: string
  readonly depth: number
}

function picked(samples: readonly Fields[], at: At, names: Names) {
  const keys = [...new Set(samples.flatMap((one) => Object.keys(one)))].slice(0, 200)
  const found: { readonly key: string; readonly name: string; readonly made: Made }[] = []
  for (const key of keys) {
    if (found.length >= mostFields) break
    const values = samples.map((one) => (Object.hasOwn(one, key) ? one[key] : undefined))
    const made = madeOf(values, `${at.from}[${quoted(key)}]`, key, at)
    if (made === undefined) continue
    const isOwnId = /^(?:id|pk|uuid|_id)$/.test(key) && made.schema.startsWith('refTo')
    found.push({ key, name: names.take(isOwnId ? `${at.kind}_id` : nameOf(key), 'field'), made })
  }
  return found
}

/** How a field's values are validated and read; undefined: omitted. */
function madeOf(values: readonly unknown[], code: string, key: string, at: At): Made | undefined {
  const there = values.filter((one) => one !== undefined && one !== null)
  const lacks = values.length - there.length
  const isAbsent = values.some((one) => one === undefined)
  if (there.length === 0 || there.some((one) => typeof one === 'string' && isSecret(one))) return undefined
  const orNull = (made: Made): Made => {
    if (lacks === 0) return made
    const isNone = isAbsent ? `${code} === undefined || ${code} === null` : `${code} === null`
    return { schema: `Type.Union([${made.schema}, Type.Null()])`, value: `${isNone} ? null : ${made.value}` }
  }
  const isId = /(?:^|_)(?:id|pk|uuid)$|[a-z]Id$/.test(key)
  if (isId && there.every((one) => typeof one === 'string' || Number.isSafeInteger(one))) {
    const kind = /^(?:id|pk|uuid|_id)$/.test(key) ? at.kind : (nameOf(key) ?? 'thing').replace(/_(?:id|pk|uuid)$/, '')
    const value = there.every((one) => typeof one === 'number') ? `String(number(${code}))` : `text(${code})`
    return orNull({ schema: `refTo(${quoted(kind)})`, value })
  }
  if (there.every((one) => typeof one === 'string')) {
    if (lacks > 0 && !isAbsent) return { schema: 'NullableText', value: `nullableText(${code})` }
    return orNull({ schema: 'Type.String()', value: `text(${code})` })
  }
  if (there.every((one) => typeof one === 'number'))
    return orNull({
      schema: there.every(Number.isInteger) ? 'Type.Integer()' : 'Type.Number()',
      value: `number(${code})`,
    })
  if (there.every((one) => typeof one === 'boolean'))
    return orNull({ schema: 'Type.Boolean()', value: `flag(${code})` })
  if (there.every(Array.isArray)) return listOf(there.flat(), code, key, at, orNull)
  if (there.every(isFields)) {
    if (at.depth >= 2) return undefined
    const own = picked(
      there,
      { from: `fields(${code})`, kind: nameOf(singular(key)) ?? 'thing', depth: at.depth + 1 },
      new Names(),
    )
    return own.length === 0 ? undefined : orNull(objectOf(own))
  }
  return undefined
}

function listOf(
  items: readonly unknown[],
  code: string,
  key: string,
  at: At,
  orNull: (made: Made) => Made,
): Made | undefined {
  if (items.length > 0 && items.every((one) => typeof one === 'string'))
    return orNull({ schema: 'Type.Array(Type.String())', value: `list(${code}).map(text)` })
  if (items.length > 0 && items.every((one) => typeof one === 'number'))
    return orNull({ schema: 'Type.Array(Type.Number())', value: `list(${code}).map(number)` })
  if (items.length === 0 || !items.every(isFields) || at.depth >= 2) return undefined
  const kind = /^(?:items|results|data|rows|records|objects)$/.test(key) ? at.kind : (nameOf(singular(key)) ?? 'thing')
  const one = `one${at.depth === 0 ? '' : at.depth + 1}`
  const own = picked(items.slice(0, 200), { from: one, kind, depth: at.depth + 1 }, new Names())
  if (own.length === 0) return undefined
  const { schema, value } = objectOf(own)
  return orNull({ schema: `Type.Array(${schema})`, value: `rows(${code}).map((${one}) => (${value}))` })
}

function objectOf(own: ReturnType<typeof picked>): Made {
  return {
    schema: `closed({ ${own.map(({ name, made }) => `${keyOf(name)}: ${made.schema}`).join(', ')} })`,
    value: `{ ${own.map(({ name, made }) => `${keyOf(name)}: ${made.value}`).join(', ')} }`,
  }
}

/** The answer's next-page cursor: a text, or a URL with it in its query. */
function nextIn(objects: readonly Fields[], asked: ReadonlySet<string>) {
  for (const holder of [undefined, ...holders]) {
    const own = objects.map((one) => (holder === undefined ? one : one[holder])).filter(isFields)
    const from = holder === undefined ? 'answer' : `fields(answer[${quoted(holder)}])`
    const key = nexts.find(
      (one) =>
        own.length > 0 &&
        own.every((each) => Object.hasOwn(each, one) && isNext(each[one])) &&
        own.some((each) => typeof each[one] === 'string'),
    )
    if (key === undefined) continue
    const values = own.map((one) => one[key]).filter((one): one is string => typeof one === 'string')
    const code = `${from}[${quoted(key)}]`
    const url = URL.parse(values[0] ?? '', 'https://app.invalid/')
    const inUrl = /[/?]/.test(values[0] ?? '')
      ? [...(url?.searchParams.keys() ?? [])].find((name) =>
          /^(?:page|p|cursor|after|offset|start|page_?token)$/i.test(name),
        )
      : undefined
    if (inUrl !== undefined)
      return {
        key,
        query: inUrl,
        code: `cursor(/[?&]${inUrl}=([^&#]+)/.exec(nullableText(${code}) ?? '')?.[1] ?? null)`,
      }
    if (/[/?]/.test(values[0] ?? '')) continue
    const query =
      ['cursor', 'after', 'page_token', 'pageToken', 'starting_after'].find((one) => asked.has(one)) ??
      (/token/i.test(key) ? 'page_token' : 'cursor')
    return { key, query, code: `cursor(nullableText(${code}))` }
  }
  return undefined
}

const isNext = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && !isIdLike(`${value}x`) && value.length < 500)
