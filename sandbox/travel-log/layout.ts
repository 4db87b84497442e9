import { html, type Html, type Part } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { shell, table, token, type Look } from '../platform/shell.ts'
import type { Reply, SignedIn, Viewer } from '../platform/types.ts'

export const root = '/travel-log'

export const brand = 'Errabund'

export const paths = {
  home: '/journeys',
  signIn: '/come-in',
  signOut: '/go-out',
  captcha: '/gate/person',
  code: '/gate/digits',
}

const look: Look = {
  brand,
  root,
  field: 'wend',
  ink: '#1f5144',
  paper: '#f5f3ec',
  font: 'Georgia,serif',
}

const menu = [
  ['/journeys', 'Journeys'],
  ['/tally', 'Tally'],
  ['/followers', 'Followers'],
  ['/notices', 'Sent messages'],
] as const

export const layout = shell(look, menu, paths)

export const wend = (viewer: Viewer): Html => token(look, viewer)

export const ownPage = ({ viewer }: SignedIn, title: string, body: Html): Reply => page(layout({ title, body, viewer }))

/** A form that is sent to this path below the root. */
export const form = ({ viewer }: SignedIn, path: string, fields: Html, button: string): Html =>
  html`<form class="card" method="post" action="${root}${path}">
    ${wend(viewer)}${fields}<button>${button}</button>
  </form>`

export const input = (label: string, name: string, value = '', type = 'text'): Html =>
  html`<label>${label} <input type="${type}" name="${name}" value="${value}" dir="auto" /></label>`

export const area = (label: string, name: string, value = ''): Html =>
  html`<label>${label} <textarea name="${name}" dir="auto">${value}</textarea></label>`

export const select = (label: string, name: string, choices: readonly string[], chosen = ''): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${choices.map((choice) => (choice === chosen ? html`<option selected>${choice}</option>` : html`<option>${choice}</option>`))}
    </select></label
  >`

/** One page of a list, with a link on to what is older. */
export function listing(
  { query }: SignedIn,
  path: string,
  heads: readonly string[],
  rows: readonly (readonly Part[])[],
  olderThan: number | null,
): Html {
  const next = new URLSearchParams(query)
  next.set('older_than', String(olderThan))
  return html`${table(heads, rows)}
  ${olderThan !== null && html`<p><a href="${root}${path}?${next.toString()}">Older</a></p>`}`
}
