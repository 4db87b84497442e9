import { html, type Html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { shell, token, type Look } from '../platform/shell.ts'
import type { Reply, SignedIn } from '../platform/types.ts'

export const root = '/event-management'

export const paths = {
  home: '/desk',
  signIn: '/enter',
  signOut: '/leave',
  captcha: '/gate/human',
  code: '/gate/code',
}

const look: Look = { brand: 'Assemblora', root, field: 'stamp', ink: '#1f3c88', paper: '#f6f7fb' }

const links = [
  ['/desk', 'Gatherings'],
  ['/desk/mails', 'Mails'],
] as const

export const layout = shell(look, links, paths)

export const deskPage = ({ viewer }: SignedIn, title: string, body: Html): Reply =>
  page(
    layout({
      title,
      body: html`<h1 dir="auto">${title}</h1>
        ${body}`,
      viewer,
    }),
  )

export const link = (path: string, words: string): Html => html`<a dir="auto" href="${root}/${path}">${words}</a>`

export const form = ({ viewer }: SignedIn, path: string, button: string, fields: Html): Html =>
  html`<form class="card" method="post" action="${root}/${path}">
    ${token(look, viewer)} ${fields} <button>${button}</button>
  </form>`

export const input = (label: string, name: string, type = 'text'): Html =>
  html`<label>${label} <input name="${name}" type="${type}" dir="auto" /></label>`

export const select = (label: string, name: string, values: readonly string[]): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${values.map((value) => html`<option>${value}</option>`)}
    </select></label
  >`

/** On to the next page of a list; the token is that of the JSON lists. */
export function moreLink(path: string, query: URLSearchParams, continuation: string | null): Html | false {
  if (continuation === null) return false
  const next = new URLSearchParams(query)
  next.set('continuation', continuation)
  return html`<p><a href="${root}/${path}?${next.toString()}">More</a></p>`
}
