import { isJson } from '../../kit/content-type.ts'
import { isFields } from '../../kit/wire.ts'
import type { TracedRequest } from '../trace.ts'
import type { Named } from './raw.ts'

type Change = (name: string, value: string) => string

/** The fields of a request's body, by their innermost names. */
export function requestFields(request: TracedRequest): readonly Named[] {
  const fields: Named[] = []
  withRequestFields(request, (name, value) => {
    fields.push([name, value])
    return value
  })
  return fields
}

/** The body with changed values; null if it is neither a form nor JSON: its content is unknown. */
export function withRequestFields({ headers, body }: TracedRequest, change: Change): string | null {
  if (body === null || body === '') return body
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const fields = [...new URLSearchParams(body)]
    return new URLSearchParams(fields.map(([name, value]) => [name, change(name, value)])).toString()
  }
  if (type.startsWith('multipart/form-data')) return multipart(body, type, change)
  if (!isJson(type)) return null
  try {
    return JSON.stringify(inJson(JSON.parse(body), change, ''))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Files are left out: their part keeps its name only. */
function multipart(body: string, type: string, change: Change): string {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1] ?? ''
  const parts = body.split(`--${boundary}`).slice(1, -1)
  const made = parts.map((part) => {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    const name = /[; ]name="([^"]*)"/.exec(head)?.[1] ?? ''
    const value = /filename="/.test(head) ? '' : change(name, rest.join('\r\n\r\n').replace(/\r\n$/, ''))
    return `${head.replace(/filename="[^"]*"/, 'filename="file"')}\r\n\r\n${value}\r\n`
  })
  return [...made.map((part) => `--${boundary}${part}`), `--${boundary}--\r\n`].join('')
}

function inJson(value: unknown, change: Change, name: string): unknown {
  if (typeof value === 'string') return change(name, value)
  if (typeof value === 'number') return numberOr(value, change(name, String(value)))
  if (Array.isArray(value)) return value.map((one) => inJson(one, change, name))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inJson(one, change, key)]))
}

/** The number, unless it was replaced. */
export function numberOr(value: number, changed: string): number | string {
  return changed === String(value) ? value : changed
}
