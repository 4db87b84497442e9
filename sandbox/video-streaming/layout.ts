import { html, Html, type Part } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { shell, table, token, type Look } from '../platform/shell.ts'
import type { Reply, SignedIn, Viewer } from '../platform/types.ts'
import type { Page } from './paging.ts'

export const root = '/video-streaming'
export const paths = {
  home: '/studio/clips',
  signIn: '/sign-in',
  signOut: '/sign-out',
  captcha: '/checks/human',
  code: '/checks/code',
}

const look: Look = {
  brand: 'Velario',
  root,
  field: 'ticket',
  ink: '#123b4a',
  paper: '#f3f7f8',
  css: 'form.card input:not([type=checkbox]){width:24rem}',
}

const menu = [
  ['/studio/clips', 'Clips'],
  ['/studio/series', 'Series'],
  ['/studio/shows', 'Live'],
  ['/studio/numbers', 'Numbers'],
  ['/studio/community', 'Community'],
  ['/studio/coupons', 'Coupons'],
  ['/studio/outbox', 'Outbox'],
] as const

export const layout = shell(look, menu, paths)

export const ticket = (viewer: Viewer): Html => token(look, viewer)

export const studioPage = ({ viewer }: SignedIn, title: string, body: Html): Reply =>
  page(layout({ title, body, viewer }))

export const link = (path: string, words: string): Html => html`<a href="${root}/studio/${path}">${words}</a>`

/** A page of a list as a table, with a link on to older rows. */
export function listing<T>(
  { query }: SignedIn,
  path: string,
  { items, info }: Page<T>,
  heads: readonly string[],
  cells: (item: T) => readonly Part[],
): Html {
  const next = new URLSearchParams(query)
  next.set('offset', String(info.offset + items.length))
  next.set('snapshot', info.snapshot)
  return html`${table(heads, items.map(cells))}
    <p>
      ${items.length} of ${info.total}
      ${info.more && html`· <a href="${root}/studio/${path}?${next.toString()}">Older</a>`}
    </p>`
}

/** Sends a form the way the studio's own pages do: as JSON, with the ticket in the header. */
const script = new Html(`
for (const form of document.querySelectorAll('form[data-call]')) form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = {}
  const readers = { list: (text) => text.split(/[,\\n]/).map((part) => part.trim()).filter((part) => part !== ''), json: JSON.parse, number: Number }
  for (const field of form.querySelectorAll('[name]')) {
    if (field.type === 'checkbox') body[field.name] = field.checked
    else if (field.value !== '') body[field.name] = (readers[field.dataset.as] ?? String)(field.value)
  }
  const [method, address] = form.dataset.call.split(' ')
  const ticket = document.querySelector('meta[name=ticket]').content
  const headers = { 'content-type': 'application/json', 'x-velario-ticket': ticket }
  const answer = await fetch(address, { method, headers, body: JSON.stringify(body) })
  if (answer.status === 428 || !answer.headers.get('content-type').includes('json')) location.reload()
  else form.querySelector('output').textContent = JSON.stringify(await answer.json(), null, 1)
})`)

/** A form that the page's script sends as JSON; it shows what came back. */
export const jsonForm = (call: string, path: string, title: string, fields: Html): Html =>
  html`<form class="card" data-call="${call} ${root}${path}">
      <h2>${title}</h2>
      ${fields}<button>Send</button> <output class="text small"></output>
    </form>
    <script>
      ${script}
    </script>`

export const input = (label: string, name: string, as = '', value = ''): Html =>
  html`<label>${label} <input name="${name}" data-as="${as}" value="${value}" dir="auto" /></label>`

export const select = (label: string, name: string, choices: readonly string[]): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${choices.map((choice) => html`<option>${choice}</option>`)}
    </select></label
  >`
