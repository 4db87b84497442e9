import type { AnswerKind, EncodeContext, Parts } from '../kit/define.ts'
import type { Csrf, Fill } from '../kit/csrf.ts'
import { headerFault, ownHeaders, sameHeader } from '../kit/own-headers.ts'
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
import { placeText } from './token-source.ts'

/**
 * The request that carries an action: data that is stored, shown and hashed, independent of
 * deploys. What is filled at sending is named only: `fills`, and the session's cookies.
 */
export interface Rendered {
  readonly method: Method
  /** Absolute, with its query. */
  readonly url: string
  /** Without those of the connection and the session: cookie, user-agent, host, length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: RenderedBody | null
  /** Fields and headers for tokens that the app issues per session or page. */
  readonly fills: readonly Fill[]
  /** For a form of the app: which fields are set or kept, and where from. */
  readonly form?: RenderedForm
  /** If made from pages of the app: when (ISO 8601). The recheck renders it again as of then. */
  readonly madeAt?: string
  /** The version of the added connector that made it, and the source of each of `fills`. */
  readonly by?: { readonly version: string; readonly from: readonly string[] }
}

/** Whether its request can be rendered without reading from the app. */
export function needsNothing({ definition }: Endpoint): boolean {
  return definition.before === null && definition.form === null
}

/** The sources of the tokens of an endpoint's request. */
export function tokensOf({ csrf, definition }: Endpoint): readonly Csrf[] {
  return csrf === null ? definition.volatile : [csrf, ...definition.volatile]
}

/** Context for rendering a request. */
export interface Making extends EncodeContext {
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  /** The page of the endpoint's form, if it has one. */
  readonly page: ReadPage | null
  /** Files that the input gives URLs for. */
  readonly files?: readonly CallFile[]
}

/**
 * Renders an endpoint's request. `input`: as `parseInput` returned it. Throws `InputRejected`,
 * `UnsafePath`, or `Stopped` if a page behind it (`before`, `form`) has changed.
 */
export function render(endpoint: Endpoint, input: Fields, making: Making): Rendered {
  const rendered = renderedWith(endpoint, input, making)
  const fault = fillFault(rendered)
  if (fault !== undefined) throw changed(fault)
  const { before } = endpoint.definition
  const isMadeOfPages = typeof before === 'string' || Object.values(before ?? {}).some((page) => page.ahead !== true)
  return isMadeOfPages ? { ...rendered, madeAt: making.now.toISOString() } : rendered
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

/** A request from the parts that a connector provides. */
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
    /** The app's root, for the Origin header. */
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

/** What is wrong with the fills: none may replace or duplicate what the approver sees. */
export function fillFault({ method, url, headers, body, fills, form }: Rendered): string | undefined {
  const names = [...new URL(url).searchParams.keys(), ...namesOf(body)]
  const taken = new Set(Object.keys(headers).map(sameHeader))
  const seen: Fill[] = []
  for (const fill of fills) {
    const place = placeText(fill)
    if (seen.some((one) => isSamePlace(one, fill))) return `two values are filled into the ${place}`
    seen.push(fill)
    if ('field' in fill) {
      if (method === 'GET') return `a GET has no place for the ${place}`
      // An app's form has a field for its token; an encoded body must not have one.
      const own = form ? names.indexOf(fill.field) : -1
      if (names.some((name, at) => at !== own && isSameField(name, fill.field)))
        return `the ${place} is filled at the sending, and set besides`
      continue
    }
    const fault = headerFault(fill.header, 'token' in fill)
    if (fault !== undefined) return fault
    if (taken.has(sameHeader(fill.header))) return `the ${place} is filled at the sending, and set besides`
  }
  return undefined
}

function isSamePlace(one: Fill, other: Fill): boolean {
  if ('field' in one) return 'field' in other && isSameField(one.field, other.field)
  return 'header' in other && sameHeader(one.header) === sameHeader(other.header)
}

/** Servers read `To `, `to[]`, `to[0]` and `to` as the same field. */
function isSameField(one: string, other: string): boolean {
  const bare = (name: string): string =>
    name
      .trim()
      .toLowerCase()
      .replace(/\[.*$/, '')
      .replaceAll(/[^0-9a-z]/g, '_')
  return bare(one) === bare(other)
}

function namesOf(body: RenderedBody | null): readonly string[] {
  if (body === null) return []
  if ('form' in body) return body.form.map(([name]) => name)
  return 'multipart' in body ? body.multipart.map(([name]) => name) : []
}

function headersOf(method: Method, origin: string, answer: AnswerKind): Readonly<Record<string, string>> {
  return { accept: accepted(answer), ...(method === 'GET' ? {} : { origin: new URL(origin).origin }) }
}

/** Whether it carries nothing but its URL. */
export function isPlain(request: Rendered): boolean {
  return request.body === null && Object.keys(request.headers).every((name) => name === 'accept')
}

const formType = 'application/x-www-form-urlencoded'

/** The input as connector code sees it. Throws `Stopped` if one of its files was not fetched. */
export function appInput({ definition, numbered }: Endpoint, input: Fields, files: readonly CallFile[]): Fields {
  const isFetched = ({ place, address }: FileAddress): boolean =>
    files.some((one) => one.place === place && one.address === address)
  if (!fileAddresses(definition.input, input).every(isFetched)) throw changed('a file of the input was not fetched')
  return withFiles(numbered ? withNumbers(definition.input, input, numbered) : input, files)
}

/** The input with its values as URL segments, and the app's own cursor. */
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
    const fields = multipartFields(parts.multipart, files)
    return { multipart: fields, boundary: boundaryOf(fields) }
  }
  if (parts.file !== undefined) {
    if (filled.length > 0) throw new UnknownShape('a file alone has no place for a token')
    return { file: fileOf(parts.file, files) ?? noFile() }
  }
  if (parts.form) return { form: pairs(parts.form) }
  if (filled.length > 0) {
    if (parts.json !== undefined) throw new UnknownShape('JSON has no place for a token among its fields')
    return { form: [] }
  }
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
    return list
      .filter((item) => item !== undefined && item !== null)
      .map((item): [string, unknown] => [name.toWellFormed(), item])
  })
}

/** A connector may alter a file's metadata, so the host's own is used. */
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

/** Without lone surrogates: no encoding can send them, so the approver must not see them. */
function flat(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(value)
}
