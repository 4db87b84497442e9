import { html, type Html } from '../platform/html.ts'
import { root } from './layout.ts'
import type { Page } from './lists.ts'
import type { AtDesk } from './shop.ts'

export const goodPath = (no: number): string => `${root}/shop/goods/${no}`

/** What a form before this page has done. */
export const done = (query: URLSearchParams): Html | false =>
  query.has('done') && html`<p class="card" role="status">Done: ${query.get('done')}.</p>`

export const choice = (name: string, options: readonly string[], chosen: string | null): Html =>
  html`<select name="${name}" aria-label="${name}">
    ${options.map((one) => (one === chosen ? html`<option selected>${one}</option>` : html`<option>${one}</option>`))}
  </select>`

/** On to the next page of the same list, as it was when its first one was read. */
export function onward({ query }: AtDesk, path: string, { page, per, pages, stamp }: Page<unknown>): Html | false {
  if (page >= pages) return false
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ page: page + 1, per, stamp })) next.set(name, String(value))
  return html`<p><a href="${root}${path}?${next.toString()}">More</a></p>`
}
