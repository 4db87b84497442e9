import { html, type Html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import type { Reply, SignedIn } from '../platform/types.ts'
import { globalId, type IdType } from './ids.ts'
import { root } from './layout.ts'
import type { Wish } from './tables.ts'

/** The number in a page's address; 0, which is nobody's, where it is none. */
export function numberIn(request: SignedIn): number {
  const no = request.params['no'] ?? ''
  return /^\d{1,15}$/.test(no) ? Number(no) : 0
}

export const addressed = (request: SignedIn, type: IdType): string => globalId(type, numberIn(request))

export const back = (path: string, done: string): Reply => seeOther(`${root}${path}?done=${done}`)

/** What a form sends, without the fields that were left empty. */
export function filled(form: URLSearchParams, ...names: string[]): Record<string, string> {
  const pairs = names.map((name): [string, string] => [name, form.get(name) ?? ''])
  return Object.fromEntries(pairs.filter(([, value]) => value.trim() !== ''))
}

/** A day as a date field sends it. */
export const typedDay = (value: string | null): string | undefined =>
  value === null || value === '' ? undefined : `${value}T00:00:00Z`

export function pageWish(query: URLSearchParams): Wish {
  const after = query.get('after') ?? ''
  return { first: 50, after: /^\d{1,15}$/.test(after) ? Number(after) : undefined }
}

export function nextLink(query: URLSearchParams, rows: readonly { id: number }[], { first }: Wish): Html | false {
  const last = rows.length > first ? rows[first - 1] : undefined
  if (!last) return false
  const next = new URLSearchParams(query)
  next.set('after', String(last.id))
  return html`<p><a href="?${next.toString()}">Next page</a></p>`
}
