import { html, Html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { shell, table, token, type Look } from '../platform/shell.ts'
import type { Reply, SignedIn, Viewer } from '../platform/types.ts'
import type { Page } from './paging.ts'
import { root, type Resource } from './things.ts'

export const paths = {
  home: '/business/visits',
  signIn: '/login',
  signOut: '/logout',
  captcha: '/are-you-human',
  code: '/second-step',
}

const look: Look = {
  brand: 'Tressario',
  root,
  field: 'slip',
  ink: '#5b2a4c',
  paper: '#faf6f8',
  css: 'form.card input:not([type=checkbox]){width:22rem}',
}

const menu = [
  ['/business/visits', 'Diary'],
  ['/business/waiting', 'Waiting list'],
  ['/business/talks', 'Chat'],
  ['/business/reviews', 'Reviews'],
  ['/business/guests', 'Guests'],
  ['/business/branches', 'Branches'],
  ['/business/notices', 'Sent'],
] as const

export const layout = shell(look, menu, paths)

export const slip = (viewer: Viewer): Html => token(look, viewer)

export const shopPage = ({ viewer }: SignedIn, title: string, body: Html): Reply =>
  page(
    layout({
      title,
      body: html`<h1 dir="auto">${title}</h1>
        ${body}`,
      viewer,
    }),
  )

/** An attribute as the pages show it. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '–'
}

/** Resources as a table: the id, then these attributes; `open` makes the id a link to a page below it. */
export const rowsOf = (data: readonly Resource[], names: readonly string[], open?: string): Html =>
  table(
    ['Id', ...names],
    data.map(({ id, attributes }) => [
      open === undefined ? id : html`<a href="${root}/business/${open}/${id}">${id}</a>`,
      ...names.map((name) => shown(attributes[name])),
    ]),
  )

/** The link to what comes after a page of a list. */
export function more(query: URLSearchParams, path: string, { paging }: Page): Html {
  const next = new URLSearchParams(query)
  next.set('from_row', String(paging.next_row))
  next.set('list', paging.list)
  const link = html` · <a href="${root}/business/${path}?${next.toString()}">Next</a>`
  return html`<p class="small">${paging.rows} of ${paging.of}${paging.next_row !== null && link}</p>`
}

export const input = (name: string, label: string, example = ''): Html =>
  html`<label>${label} <input name="${name}" placeholder="${example}" dir="auto" /></label>`

/** What a form has done stands in the address that it led to. */
export const told = (query: URLSearchParams, done: Readonly<Record<string, string>>): Html | undefined => {
  const words = done[query.get('done') ?? '']
  return words === undefined ? undefined : html`<p class="card" role="status">${words}</p>`
}

/** Sends a form as JSON, with the slip in the header. */
const script = new Html(`
for (const form of document.querySelectorAll('form[data-type]')) form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const attributes = {}
  for (const field of form.querySelectorAll('[name]')) {
    if (field.type === 'checkbox') attributes[field.name] = field.checked
    else if (field.value !== '') attributes[field.name] = field.value
  }
  const headers = { 'content-type': 'application/json', 'x-tressario-slip': document.querySelector('meta[name=slip]').content }
  const body = JSON.stringify({ data: { type: form.dataset.type, attributes } })
  const answer = await fetch(form.action, { method: 'POST', headers, body })
  if (!answer.headers.get('content-type').includes('json')) location.reload()
  else form.querySelector('output').textContent = JSON.stringify(await answer.json(), null, 1)
})`)

/** A form that the page's script sends as JSON; it shows what came back. */
export const jsonForm = (path: string, type: string, title: string, fields: Html): Html =>
  html`<form class="card" data-type="${type}" action="${root}/business/api/${path}">
      <h2>${title}</h2>
      ${fields}<button>Send</button> <output class="text small"></output>
    </form>
    <script>
      ${script}
    </script>`
