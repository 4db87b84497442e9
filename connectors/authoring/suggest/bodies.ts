import { isFields } from '../../kit/wire.ts'
import type { TracedRequest } from '../trace.ts'

/** The body of a request. */
export type Body =
  | { readonly kind: 'none' | 'other' }
  | { readonly kind: 'form' | 'multipart'; readonly entries: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'json'; readonly value: unknown }

export function bodyOf({ headers, body }: TracedRequest): Body {
  if (body === null || body === '') return { kind: 'none' }
  const type = headers['content-type'] ?? ''
  if (/multipart\/form-data/i.test(type) || (type === '' && /^--\S+\r?\n/.test(body)))
    return { kind: 'multipart', entries: partsOf(body) }
  if (/json/i.test(type) || (type === '' && /^\s*[[{]/.test(body))) {
    const value = jsonOf(body)
    return value === undefined ? { kind: 'other' } : { kind: 'json', value }
  }
  if (type === '' || /x-www-form-urlencoded/i.test(type))
    return { kind: 'form', entries: [...new URLSearchParams(body)] }
  return { kind: 'other' }
}

/** The text fields of a multipart body: files are not stored. */
function partsOf(body: string): readonly (readonly [string, string])[] {
  const boundary = /^--(\S+)/.exec(body)?.[0] ?? '--'
  return body.split(boundary).flatMap((part): [string, string][] => {
    const [, head = '', value = ''] = /^\r?\n(.*?)\r?\n\r?\n(.*?)(?:\r?\n)?$/s.exec(part) ?? []
    const name = /\bname="([^"]*)"/i.exec(head)?.[1]
    return name === undefined || /\bfilename=/i.test(head) ? [] : [[name, value]]
  })
}

/** Undefined: not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export type JsonPath = readonly (string | number)[]

/** The scalar values in JSON with their paths; at most `most`. */
export function leavesOf(value: unknown, most = 5_000): readonly (readonly [path: JsonPath, value: unknown])[] {
  const found: [JsonPath, unknown][] = []
  const walk = (one: unknown, path: JsonPath): void => {
    if (found.length >= most || path.length > 20) return
    if (Array.isArray(one)) for (const [at, item] of one.entries()) walk(item, [...path, at])
    else if (isFields(one)) for (const [key, item] of Object.entries(one)) walk(item, [...path, key])
    else found.push([path, one])
  }
  walk(value, [])
  return found
}
