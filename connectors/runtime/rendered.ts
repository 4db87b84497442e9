import type { AnswerKind, EncodeContext, Parts } from '../kit/define.ts'
import type { Csrf, Fill } from '../kit/csrf.ts'
import { ownHeaders } from '../kit/own-headers.ts'
import { address } from '../kit/request-line.ts'
import type { Method } from '../kit/request-line.ts'
import { withNumbers } from '../kit/numbered-ids.ts'
import { UnknownShape, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import type { Endpoint } from './app.ts'
import { accepted } from './browser.ts'
import type { ReadPage } from './forms/page-form.ts'
import { formRequest } from './forms/render-form.ts'
import type { RenderedForm } from './forms/render-form.ts'
import type { FileOf } from '../kit/files.ts'
import { fileAddresses, withFiles } from './file-inputs.ts'
import type { CallFile, FileAddress } from './file-inputs.ts'
import { boundaryOf } from './multipart.ts'
import type { MultipartField, RenderedBody } from './multipart.ts'
import { changed, shaped } from './outcome.ts'

/**
 * The request that carries an action, as it will be sent: data that can be kept, shown and hashed, whatever code is deployed meanwhile. What is
 * filled at the sending is named: `fills`, and the session's cookies.
 */
export interface Rendered {
  readonly method: Method
  /** Absolute, with its query. */
  readonly url: string
  /** Without those of the connection and of the session: cookie, user-agent, host, length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: RenderedBody | null
  /** The places of tokens that the app gives out for one session or one page. */
  readonly fills: readonly Fill[]
  /** Where it is a form of the app's: what is set of it, and from what; what is kept. */
  readonly form?: RenderedForm
  /** Where it was made of pages of the app: when, in ISO 8601. Right before it is sent it is made of them once more, as of that moment. */
  readonly madeAt?: string
}

/** An endpoint whose request can be rendered without asking the app anything. */
export function needsNothing({ definition }: Endpoint): boolean {
  return definition.before === null && definition.form === null
}

/** What finds the tokens of an endpoint's request. */
export function tokensOf({ csrf, definition }: Endpoint): readonly Csrf[] {
  return csrf === null ? definition.volatile : [csrf, ...definition.volatile]
}

/** What a request is made with. */
export interface Making extends EncodeContext {
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  /** The page of the endpoint's form, where it has one. */
  readonly page: ReadPage | null
  /** Those that the input gives the addresses of. */
  readonly files?: readonly CallFile[]
}

/**
 * Makes the request of an endpoint. `input`: as `parseInput` returned it. Throws `InputRejected`, `UnsafePath`, or `Stopped` where a page that things
 * are looked up in (`before`, `form`) is not as the connector knows it.
 */
export function render(endpoint: Endpoint, input: Fields, making: Making): Rendered {
  const rendered = renderedWith(endpoint, input, making)
  return endpoint.definition.before === null ? rendered : { ...rendered, madeAt: making.now.toISOString() }
}

function renderedWith(endpoint: Endpoint, input: Fields, { origin, page, files = [], ...context }: Making): Rendered {
  const { definition } = endpoint
  const asked = appInput(endpoint, input, files)
  const root = endpoint.root ?? origin
  const named = segmented(endpoint, asked, root, context.anchor)
  const url = address(root, definition.line.path, named)
  const { method } = definition.line
  const tokens = tokensOf(endpoint)
  const fills: readonly Fill[] = [...tokens.map((one) => one.fills), ...endpoint.authorize]
  const { form } = definition
  if (form !== null) {
    if (page === null) throw changed('the page of the form was not read')
    const fields = fills.flatMap((fill) => ('field' in fill ? [fill.field] : []))
    const sent = shaped(context.before, (before) =>
      formRequest({ definition, form, asked, context: { ...context, before }, page, url, tokens: fields, files }),
    )
    url.search = sent.search
    return {
      method,
      url: url.href,
      headers: {
        ...headersOf(method, origin, definition.answer),
        referer: page.url.href,
        'content-type': typeOf(sent.body),
      },
      body: sent.body,
      fills: [...fills, ...sent.volatile.map((field) => ({ field }))],
      form: sent.form,
    }
  }
  const parts = shaped(context.before, (before) => definition.encode(asked, { ...context, before }))
  const [first] = tokens
  const referer = first && address(root, first.page, named).href
  return requestOf(method, url, { parts, origin, fills, answer: definition.answer, referer, files })
}

/** A request out of what a connector puts into it. */
export function requestOf(
  method: Method,
  at: URL,
  {
    parts,
    origin,
    answer,
    fills,
    referer,
    files = [],
  }: {
    readonly parts: Parts
    /** Whose pages ask. */
    readonly origin: string
    readonly answer: AnswerKind
    readonly fills: readonly Fill[]
    readonly referer?: string | undefined
    readonly files?: readonly CallFile[]
  },
): Rendered {
  const url = new URL(at)
  for (const [name, value] of pairs(parts.query)) url.searchParams.append(name, value)
  const body = shaped(undefined, () => bodyOf(method, parts, fills, files))
  return {
    method,
    url: url.href,
    headers: {
      ...headersOf(method, origin, answer),
      ...(referer !== undefined && { referer }),
      ...(body !== null && { 'content-type': typeOf(body) }),
      ...shaped(undefined, () => ownHeaders(parts.headers)),
    },
    body,
    fills,
  }
}

function headersOf(method: Method, origin: string, answer: AnswerKind): Readonly<Record<string, string>> {
  return { accept: accepted(answer), ...(method === 'GET' ? {} : { origin: new URL(origin).origin }) }
}

/** Those of its headers that say something that its line and its body do not. */
export function headersThatMatter({ headers }: Rendered): readonly (readonly [string, string])[] {
  return Object.entries(headers).filter(([name]) => !usual.has(name))
}

/** Whether it says no more than its address. */
export function isPlain(request: Rendered): boolean {
  return request.body === null && Object.keys(request.headers).every((name) => name === 'accept')
}

const usual = new Set(['accept', 'content-type', 'origin', 'referer', 'x-requested-with'])

const formType = 'application/x-www-form-urlencoded'

/** The input as the connector's words see it. Throws `Stopped` where a file of it was not fetched: what is one was none when the call was accepted. */
export function appInput({ definition, numbered }: Endpoint, input: Fields, files: readonly CallFile[]): Fields {
  const isFetched = ({ place, address }: FileAddress): boolean =>
    files.some((one) => one.place === place && one.address === address)
  if (!fileAddresses(definition.input, input).every(isFetched)) throw changed('a file of the input was not fetched')
  return withFiles(numbered ? withNumbers(definition.input, input, numbered) : input, files)
}

/** The input with its addresses as the segments that they stand for, and with the app's own place to go on from as its cursor. */
export function segmented(
  { definition: { segments } }: Endpoint,
  input: Fields,
  origin: string,
  anchor: string | null,
): Fields {
  const made = Object.entries({ ...input, cursor: anchor }).map(([name, value]): [string, unknown] => {
    const segment = segments[name]
    return [name, segment && typeof value === 'string' ? segment(value, origin) : value]
  })
  return shaped(undefined, () => Object.fromEntries(made))
}

function typeOf(body: RenderedBody): string {
  if ('file' in body) return body.file.type
  if ('multipart' in body) return `multipart/form-data; boundary=${body.boundary}`
  return 'form' in body ? formType : 'application/json'
}

function bodyOf(method: Method, parts: Parts, fills: readonly Fill[], files: readonly CallFile[]): RenderedBody | null {
  if (method === 'GET') return null
  const filled = fills.flatMap((fill) => ('field' in fill ? [fill.field] : []))
  if (parts.multipart) {
    const fields = multipartFields(parts.multipart, files).filter(([name]) => !filled.includes(name))
    return { multipart: fields, boundary: boundaryOf(fields) }
  }
  if (parts.file !== undefined) {
    if (filled.length > 0) throw new UnknownShape('a file alone has no place for a token')
    return { file: fileOf(parts.file, files) ?? noFile() }
  }
  if (parts.form || filled.length > 0) return { form: pairs(parts.form).filter(([name]) => !filled.includes(name)) }
  return parts.json === undefined ? null : { text: JSON.stringify(parts.json) }
}

/** Names and values as text, lists as repeated names, empty values left out. */
function pairs(values: Fields | undefined): [string, string][] {
  return listed(values).map(([name, item]) => [name, flat(item)])
}

function multipartFields(values: Fields, files: readonly CallFile[]): MultipartField[] {
  return listed(values).map(([name, item]) => [name, fileOf(item, files) ?? flat(item)])
}

function listed(values: Fields | undefined): [string, unknown][] {
  return Object.entries(values ?? {}).flatMap(([name, value]) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.filter((item) => item !== undefined && item !== null).map((item): [string, unknown] => [name, item])
  })
}

/** A connector has only what stands for a file, and may have changed that: what is known of it counts. */
function fileOf(value: unknown, files: readonly CallFile[]): FileOf | undefined {
  if (!isFields(value) || typeof value['sha256'] !== 'string') return undefined
  const known = files.find(({ sha256, name }) => sha256 === value['sha256'] && name === value['name'])
  if (known === undefined) return noFile()
  const { sha256, name, type, size } = known
  return { sha256, name, type, size }
}

function noFile(): never {
  throw new UnknownShape('a file of the request is none of the input')
}

function flat(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(value)
}
