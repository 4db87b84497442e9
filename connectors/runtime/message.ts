import type { AppSession } from '../../schemas/session.ts'
import type { AnswerKind } from '../kit/define.ts'
import type { Fill } from '../kit/csrf.ts'
import { accepted, browserHeaders } from './browser.ts'
import type { HttpRequest } from './http.ts'
import type { FileOf } from '../kit/files.ts'
import { formText } from './forms/encode.ts'
import { multipartBody } from './multipart.ts'
import type { MultipartField, RenderedBody } from './multipart.ts'
import { changed } from './outcome.ts'
import { fillFault } from './rendered.ts'
import type { Rendered } from './rendered.ts'

/** What each request carries of a session. */
export interface Sender {
  readonly session: AppSession
  /** '' for none. */
  readonly cookie: string
  /** Token headers of a request for a page; a rendered request has them among its fills. */
  readonly authorized?: Readonly<Record<string, string>>
}

/** A token and the field or header that it fills. */
export interface Filled {
  readonly fill: Fill
  readonly token: string
}

/** A rendered request with its tokens, as a browser would send it. */
export function written(
  rendered: Rendered,
  filled: readonly Filled[],
  sender: Sender,
  contents: Contents = new Map(),
): HttpRequest {
  const { method, url, headers, body, fills } = rendered
  const fault = fillFault(rendered)
  if (fault !== undefined) throw changed(fault)
  const tokens = fills.map((fill) => {
    const token = filled.find((one) => samePlace(one.fill, fill))?.token
    if (token === undefined) throw new Error('a token of a request is not there')
    return { fill, token }
  })
  const fields = new Map(tokens.flatMap(({ fill, token }) => ('field' in fill ? [[fill.field, token]] : [])))
  const more = tokens.flatMap(({ fill, token }): [string, string][] => ('header' in fill ? [[fill.header, token]] : []))
  return {
    method,
    url: new URL(url),
    headers: { ...headers, ...Object.fromEntries(more), ...ofSender(new URL(url), headers, sender) },
    body: body === null ? null : bodyOf(body, fields, contents),
  }
}

/** The bytes of files, by their SHA-256 in hex. */
export type Contents = ReadonlyMap<string, Buffer>

function bodyOf(body: RenderedBody, tokens: ReadonlyMap<string, string>, contents: Contents): string | Buffer {
  const bytesOf = ({ sha256 }: FileOf): Buffer => {
    const bytes = contents.get(sha256)
    if (bytes === undefined) throw changed('a file of a request is not there')
    return bytes
  }
  if ('text' in body) return body.text
  if ('file' in body) return bytesOf(body.file)
  if ('form' in body) return formText(inPlace(body.form, tokens), body.encoding)
  if ([...tokens].flat().some((text) => text.includes(body.boundary))) throw changed('a token that ends its field')
  return multipartBody(inPlace<MultipartField>(body.multipart, tokens), body, bytesOf)
}

/** Tokens in the form's own fields for them, else after all other fields. */
function inPlace<F extends readonly [string, unknown]>(
  form: readonly F[],
  tokens: ReadonlyMap<string, string>,
): readonly (F | readonly [string, string])[] {
  const named = new Set(form.map(([name]) => name))
  return [
    ...form.map((field) => {
      const token = tokens.get(field[0])
      return token === undefined ? field : ([field[0], token] as const)
    }),
    ...[...tokens].filter(([name]) => !named.has(name)),
  ]
}

/** A GET for a page. */
export function pageRequest(url: URL, accept: AnswerKind, sender: Sender): HttpRequest {
  const headers = { accept: accepted(accept) }
  return { method: 'GET', url, headers: { ...headers, ...ofSender(url, headers, sender) }, body: null }
}

export function samePlace(one: Fill, other: Fill): boolean {
  if ('field' in one) return 'field' in other && one.field === other.field
  if ('field' in other || one.header !== other.header) return false
  return 'token' in one
    ? 'token' in other && one.token === other.token && one.scheme === other.scheme
    : !('token' in other)
}

function ofSender(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { session, cookie, authorized }: Sender,
): Readonly<Record<string, string>> {
  return { ...authorized, ...browserHeaders(url, headers, session), ...(cookie !== '' && { cookie }) }
}
