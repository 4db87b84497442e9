import { html, type Html } from '../platform/html.ts'
import type { SignedIn } from '../platform/types.ts'
import { stampText } from './firm.ts'
import { antiForgery, root } from './layout.ts'
import { pagesOf, type Slice } from './paging.ts'

/** A form that writes, with its token. */
export const writeForm = ({ viewer }: SignedIn, path: string, title: string, fields: Html): Html =>
  html`<form class="card" method="post" action="${root}${path}">
    <h2>${title}</h2>
    ${antiForgery(viewer)}${fields}<button>Save</button>
  </form>`

export const input = (name: string, label: string, value = ''): Html =>
  html`<label>${label} <input name="${name}" value="${value}" dir="auto" /></label>`

export const area = (name: string, label: string): Html =>
  html`<label>${label} <textarea name="${name}" dir="auto"></textarea></label>`

export const select = (name: string, label: string, options: readonly (readonly [string | number, string])[]): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
    </select></label
  >`

/** Filters as links, one of them chosen. */
export const filters = (name: string, values: readonly string[]): Html =>
  html`<p>
    <a href="?">All</a>
    ${values.map((value) => html` · <a href="?${name}=${value}">${value}</a>`)}
  </p>`

export function nextLink({ query, viewer }: SignedIn, slice: Slice, found: number): Html | false {
  if (slice.page >= pagesOf(found, slice)) return false
  const next = new URLSearchParams(query)
  next.set('Page', String(slice.page + 1))
  next.set('Stamp', stampText(viewer.account.account, slice.at))
  return html`<p class="small">${found} in all. <a href="?${next.toString()}">Next page</a></p>`
}
