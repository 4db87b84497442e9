import { html, type Html } from '../platform/html.ts'
import type { SignedIn, Viewer } from '../platform/types.ts'
import { root, seal } from './layout.ts'
import type { Span } from './parameters.ts'

export const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')

export const nameOf = (name: string): Html | string => (name === '' ? html`<i>Somebody</i>` : name)

export const linkTo = (path: string, words: string): Html => html`<a href="${root}${path}" dir="auto">${words}</a>`

/** What a form before this page has done. */
export const done = (query: URLSearchParams): Html | false =>
  query.has('done') && html`<p class="card" role="status">Done: ${query.get('done')}.</p>`

/** On to the next span of the same list, as it was when its first one was read. */
export function onward({ query }: SignedIn, path: string, { start, count, until }: Span, total: number): Html | false {
  if (start + count >= total) return false
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ start: start + count, count, until })) next.set(name, String(value))
  return html`<p><a href="${root}${path}?${next.toString()}">More</a></p>`
}

/** The button by which a reply or a post gets a thumb, or loses it. */
export const thumbForm = (viewer: Viewer, on: 'reply' | 'post', no: number): Html =>
  html`<form class="inline" method="post" action="${root}/thumbs">
    ${seal(viewer)}<input type="hidden" name="on" value="${on}" /><input type="hidden" name="no" value="${no}" />
    <button name="give" value="yes">Thumb up</button> <button name="give" value="no">Take it back</button>
  </form>`
