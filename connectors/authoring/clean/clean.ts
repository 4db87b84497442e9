import { isHtml, isJson } from '../../kit/content-type.ts'
import { isFields } from '../../kit/wire.ts'
import { Secrets, looksRandom } from '../../recordings/secrets.ts'
import type { Trace, TracedAnswer, TracedRequest } from '../trace.ts'
import { numberOr, requestFields, withRequestFields } from './bodies.ts'
import { rewritten, visited, withAssigned } from './html.ts'
import { isContact, isPersonClass, isPersonName, isSecretName } from './names.ts'
import { People } from './people.ts'
import { withoutSecrets } from './nested.ts'
import { isRandom, randomIn } from './random.ts'
import type { Named, RawExchange, RawTrace } from './raw.ts'

/** A value that is hidden because of its position or its form. */
export interface HiddenValue {
  /** Replaces the value. */
  readonly placeholder: string
  readonly value: string
  /** Where it was found first: `hidden field post_type`, `query of GET /q/`. */
  readonly place: string
}

export interface Cleaned {
  readonly trace: Trace
  /** Values that the author may release as not secret: each is part of a request. */
  readonly releasable: readonly HiddenValue[]
}

export interface CleanOptions {
  /** Values that the author knows to be literals. */
  readonly released: ReadonlySet<string>
  /** The same key produces the same fictitious people. */
  readonly key: Buffer
}

/** Request headers that are kept. Others that scripts set (`X-…`, `Authorization`) are hidden. */
const requestHeaders = new Set([
  'content-type',
  'accept',
  'x-requested-with',
  'if-match',
  'hx-request',
  'hx-target',
  'hx-trigger',
])
const isOfScript = (name: string): boolean => name.startsWith('x-') || (isSecretName(name) && name !== 'cookie')
const answerHeaders = new Set([
  'content-type',
  'location',
  'etag',
  'link',
  'x-total-count',
  'hx-redirect',
  'content-disposition',
])

/** What may be stored of a trace, by an allow-list; all else is replaced or dropped. */
export function clean(raw: RawTrace, { released, key }: CleanOptions): Cleaned {
  const found = new Found(released)
  const known = [...raw.cookies, ...raw.stored.flatMap(storedValues)]
  // Values such as `dark` and `1` are no secrets, and occur in pages with other meanings.
  for (const [name, value] of known) if (isRandom(value) || looksRandom(value)) found.secret(name, value)
  for (const one of raw.exchanges) lookThrough(one, found)
  const people = new People(key, [raw.label])
  for (const { request, answer } of raw.exchanges) {
    meetAll(answer, people)
    for (const [name, value] of requestFields(request)) if (isContact(name)) people.reach(value)
  }
  const text = (value: string): string => people.replaced(found.secrets.hidden(found.without(value)))
  const exchanges = raw.exchanges.map(({ at, by, page, request, answer }) => ({
    at,
    by,
    page: page && cleanUrl(page, found, text),
    request: cleanRequest(request, found, text),
    answer: cleanAnswer(answer, found, text),
  }))
  const said = JSON.stringify(exchanges)
  const cookies = new Map(
    raw.cookies.flatMap(([cookie, value]) => {
      const hidden = found.secrets.hidden(value)
      return isPlaceholder(hidden) && said.includes(hidden) ? [[cookie, hidden] as const] : []
    }),
  )
  const { app, name, origin, startedAt } = raw
  const asked = new Set(raw.exchanges.flatMap(({ request }) => partsOf(request)))
  return {
    trace: {
      app,
      name,
      origin,
      startedAt,
      exchanges,
      cookies: Array.from(cookies, ([own, value]) => ({ name: own, value })),
    },
    releasable: found.releasable.filter(({ value }) => asked.has(value)),
  }
}

const isPlaceholder = (text: string): boolean => /^SECRET\.[\w.-]+$/.test(text)

/** The segments of its path, and the values of its query and its fields. */
function partsOf(request: TracedRequest): readonly string[] {
  const { pathname, searchParams } = new URL(request.url)
  return [
    ...pathname.split('/').map(decoded),
    ...searchParams.values(),
    ...requestFields(request).map(([, value]) => value),
  ]
}

/** Values in storage are often JSON. */
function storedValues([name, value]: Named): readonly Named[] {
  const json = jsonOf(value)
  return [[name, value], ...(json === undefined ? [] : leaves(json).map(([, leaf]) => [name, leaf] as const))]
}

/** The hidden values and their placeholders. */
class Found {
  readonly secrets = new Secrets()
  readonly #released: ReadonlySet<string>
  readonly #literals = new Map<string, HiddenValue>()
  readonly #secret = new Set<string>()
  readonly #fields = new Map<string, Set<string>>()

  constructor(released: ReadonlySet<string>) {
    this.#released = released
  }

  get releasable(): readonly HiddenValue[] {
    return [...this.#literals.values()].filter(({ value }) => !this.#secret.has(value))
  }

  /** Always hidden: the author cannot release it. Returns the placeholder. */
  secret(name: string, value: string): string {
    this.#secret.add(value)
    return this.secrets.hide(name, value)
  }

  /** The value without the secrets that are wrapped in it. */
  readonly without = (value: string): string => withoutSecrets(value, (name, one) => this.secret(name, one))

  /** Hidden unless the author releases it. */
  literal(name: string, value: string, place: string): string {
    if (value === '' || (this.#released.has(value) && !this.#secret.has(value))) return value
    const placeholder = this.secrets.hide(name, value)
    if (!this.#literals.has(value)) this.#literals.set(value, { placeholder, value, place })
    return placeholder
  }

  /** The value of a request's field; if a hidden input has it, a placeholder even if short. */
  shownAs(name: string, value: string): string {
    if (value === '') return value
    if (isSecretName(name)) return this.secret(name, value)
    const isHidden = this.#fields.get(name)?.has(value) === true
    return isHidden || isRandom(value) ? this.literal(name, value, '') : value
  }

  /** Records the value of a hidden input. */
  hiddenField(name: string, value: string, place: string): void {
    const known = this.#fields.get(name) ?? new Set()
    this.#fields.set(name, known.add(value))
    this.literal(name, value, place)
  }

  /** The value of a field, or a placeholder if its name or form suggests a secret. */
  field(name: string, value: string, place: string): string {
    if (value === '') return value
    if (isSecretName(name)) return this.secret(name, value)
    return isRandom(value) ? this.literal(name, value, place) : value
  }
}

/** `Bearer abc` → abc. */
const withoutScheme = (value: string): string => value.replace(/^[A-Za-z]+ (?=\S+$)/, '')

/** Finds all secrets before anything is written: an earlier request may contain one, too. */
function lookThrough({ request, answer }: RawExchange, found: Found): void {
  const place = `${request.method} ${URL.parse(request.url)?.pathname ?? ''}`
  cleanUrl(request.url, found, found.without, place)
  for (const [name, value] of Object.entries(request.headers))
    if (isOfScript(name) && !requestHeaders.has(name)) found.secret(name, withoutScheme(value))
  for (const [name, value] of requestFields(request)) {
    found.without(value)
    found.field(name, value, `field ${name} of ${place}`)
  }
  const { text } = answer
  if (answer.headers['location'] !== undefined) cleanUrl(answer.headers['location'], found, undefined, place)
  for (const [name, value] of Object.entries(answer.headers)) if (answerHeaders.has(name)) found.without(value)
  if (text === null) return
  found.without(text)
  const json = isJson(typeOf(answer)) ? jsonOf(text) : undefined
  if (json !== undefined)
    for (const [name, leaf] of leaves(json)) found.field(name, leaf, `${name} in what ${place} answered`)
  if (isHtml(typeOf(answer))) hiddenInputs(text, found, place)
  withAssigned(text, (name, value) => (isSecretName(name) ? found.secret(name, value) : value))
  for (const word of randomIn(text)) found.literal('value', word, `a text of ${place}`)
}

function hiddenInputs(page: string, found: Found, place: string): void {
  visited(page, (tag, attributes) => {
    const { name = '', value = '', content = '' } = attributes
    if (tag === 'meta') found.field(name, content, `meta ${name} of ${place}`)
    if (tag !== 'input' && tag !== 'button') return
    if (isSecretName(name) || attributes['type'] === 'password') found.secret(name || 'password', value)
    else if (attributes['type'] === 'hidden') found.hiddenField(name, value, `hidden field ${name} of ${place}`)
  })
}

function meetAll(answer: TracedAnswer, people: People): void {
  const { text } = answer
  if (text === null) return
  const json = isJson(typeOf(answer)) ? jsonOf(text) : undefined
  if (json !== undefined) for (const [name, leaf, parent] of leaves(json)) meetField(people, name, leaf, parent)
  if (!isHtml(typeOf(answer))) return
  withAssigned(text, (name, value) => {
    meetField(people, name, value, '')
    return value
  })
  visited(text, (_, attributes, inner) => {
    const { class: css = '', itemprop = '', rel = '' } = attributes
    for (const [name, value] of Object.entries(attributes))
      if (name.startsWith('data-')) meetField(people, name.slice(5), value, '')
    if (!isPersonClass(`${css} ${itemprop} ${rel}`)) return
    const said = inner()
    const plain = said.replaceAll(/<[^>]*>/g, ' ').trim()
    if (said.length < 400 && !/\d{3}|[:;,.!?]/.test(plain)) people.meet(plain.replaceAll(/\s+/g, ' '))
  })
}

function meetField(people: People, name: string, value: string, parent: string): void {
  if (isPersonName(name, parent)) people.meet(value)
  else if (isContact(name)) people.reach(value)
}

function cleanRequest(request: TracedRequest, found: Found, text: (value: string) => string): TracedRequest {
  const { method, url, headers } = request
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    if (requestHeaders.has(name)) return [[name, text(value)] as const]
    if (!isOfScript(name)) return []
    const said = withoutScheme(value)
    return [[name, value.slice(0, value.length - said.length) + found.secret(name, said)] as const]
  })
  const body = withRequestFields(request, (name, value) => text(found.shownAs(name, value)))
  return { method, url: cleanUrl(url, found, text), headers: Object.fromEntries(kept), body }
}

function cleanAnswer(answer: TracedAnswer, found: Found, text: (value: string) => string): TracedAnswer {
  const { status, headers } = answer
  const kept = Object.entries(headers).filter(([name]) => answerHeaders.has(name))
  const said = kept.map(
    ([name, value]) => [name, name === 'location' ? cleanUrl(value, found, text) : text(value)] as const,
  )
  return {
    status,
    headers: Object.fromEntries(said),
    text: answer.text === null ? null : text(cleanText(answer, answer.text, found)),
  }
}

function cleanText(answer: TracedAnswer, source: string, found: Found): string {
  const json = isJson(typeOf(answer)) ? jsonOf(source) : undefined
  if (json !== undefined)
    return JSON.stringify(withLeaves(json, (name, leaf) => (isSecretName(name) ? found.secret(name, leaf) : leaf)))
  const said = withAssigned(source, (name, value) => (isSecretName(name) ? found.secret(name, value) : value))
  if (!isHtml(typeOf(answer))) return said
  return rewritten(said, (tag, { name = '', type = '', value, content }) => {
    if (tag === 'meta' && content !== undefined && isSecretName(name)) return { content: found.secret(name, content) }
    if (tag !== 'input' && tag !== 'button') return undefined
    if (value === undefined || value === '') return undefined
    if (isSecretName(name) || type === 'password') return { value: found.secret(name || 'password', value) }
    return type === 'hidden' ? { value: found.literal(name, value, '') } : undefined
  })
}

/** The URL with placeholders in its query and path; `text` is applied to each of their parts. */
function cleanUrl(
  address: string,
  found: Found,
  text: (value: string) => string = (value) => value,
  place = '',
): string {
  const base = 'http://relative.invalid'
  const url = URL.parse(address, base)
  if (url === null) return ''
  const query = [...url.searchParams].map(
    ([name, value]) => [name, text(found.field(name, value, `query ${name} of ${place}`))] as const,
  )
  const path = url.pathname.split('/').map((part) => {
    const plain = decoded(part)
    if (isRandom(plain)) found.literal('id', plain, `address of ${place}`)
    const said = text(plain)
    return said === plain ? part : encodeURIComponent(said)
  })
  const origin = url.origin === base ? '' : url.origin
  return (
    origin +
    path.join('/') +
    (query.length === 0 ? '' : `?${String(new URLSearchParams(query.map((one) => [...one])))}`)
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}

const typeOf = ({ headers }: TracedAnswer): string => headers['content-type'] ?? ''

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) || isFields(value) ? value : undefined
  } catch (error) {
    // Text that is not JSON is searched as plain text.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

type Leaf = readonly [name: string, value: string, parent: string]

/** Texts and secret numbers in JSON, with the names of their field and its parent. */
function leaves(value: unknown, name = '', parent = ''): readonly Leaf[] {
  if (typeof value === 'string') return [[name, value, parent]]
  if (typeof value === 'number') return isSecretName(name) ? [[name, String(value), parent]] : []
  if (Array.isArray(value)) return value.flatMap((one) => leaves(one, name, parent))
  return isFields(value) ? Object.entries(value).flatMap(([key, one]) => leaves(one, key, name)) : []
}

function withLeaves(value: unknown, change: (name: string, leaf: string) => string, name = ''): unknown {
  if (typeof value === 'string') return change(name, value)
  if (typeof value === 'number') return numberOr(value, change(name, String(value)))
  if (Array.isArray(value)) return value.map((one) => withLeaves(one, change, name))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withLeaves(one, change, key)]))
}
