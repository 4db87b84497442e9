import { html, Html, type Part } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { shell, table, token, type Look } from '../platform/shell.ts'
import type { Reply, SignedIn } from '../platform/types.ts'
import { kinds } from './homes.ts'
import type { Page } from './paging.ts'

export const root = '/real-estate-analytics'
export const paths = {
  home: '/presets',
  signIn: '/login',
  signOut: '/logout',
  captcha: '/verify/person',
  code: '/verify/code',
}

const look: Look = { brand: 'Yieldwright', root, field: 'deskkey', ink: '#1d4d3a', paper: '#f5f7f2' }

const menu = [
  ['/finder', 'Finder'],
  ['/presets', 'Presets'],
  ['/markets', 'Markets'],
  ['/saved', 'Saved'],
  ['/alerts', 'Alerts'],
  ['/files', 'Files'],
  ['/mails', 'Mails'],
] as const

export const layout = shell(look, menu, paths)

export const deskPage = ({ viewer }: SignedIn, title: string, body: Html): Reply =>
  page(
    layout({
      title,
      body: html`<h1 dir="auto">${title}</h1>
        ${body}`,
      viewer,
    }),
  )

export const link = (path: string, words: string): Html => html`<a href="${root}/${path}">${words}</a>`

/** Column lists as they stand in the JSON. */
export const gridTable = ({ cols, vals }: { cols: readonly string[]; vals: readonly (readonly unknown[])[] }): Html =>
  table(
    cols,
    vals.map((row) =>
      row.map((value, index) =>
        cols[index] === 'home' ? link(`homes/${String(value)}`, String(value)) : shown(value),
      ),
    ),
  )

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A page of a list as a table, with a link on to older rows. */
export function listing<T>(
  { query }: SignedIn,
  path: string,
  { items, list }: Page<T>,
  heads: readonly string[],
  cells: (item: T) => readonly Part[],
): Html {
  const next = new URLSearchParams(query)
  next.set('page', String(list.page + 1))
  next.set('stamp', list.stamp)
  return html`${table(heads, items.map(cells))}
    <p>
      Page ${list.page}, ${list.of} in all
      ${list.more && html`· <a href="${root}/${path}?${next.toString()}">Older</a>`}
    </p>`
}

export const input = (label: string, name: string, value = ''): Html =>
  html`<label>${label} <input name="${name}" value="${value}" dir="auto" /></label>`

export const select = (label: string, name: string, values: readonly string[], chosen = ''): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${values.map((value) => html`<option ${value === chosen && new Html('selected')}>${value}</option>`)}
    </select></label
  >`

export const criteriaFields = html`${input('Price from (USD 150000)', 'px_from')} ${input('Price to', 'px_to')}
${input('Bedrooms from', 'br_from')} ${input('Bathrooms from', 'ba_from')} ${select('Kind', 'kind', ['', ...kinds])}
${input('Cash on cash from (basis points)', 'coc_from')}`

export const form = ({ viewer }: SignedIn, path: string, button: string, fields: Part = ''): Html =>
  html`<form class="card" method="post" action="${root}/${path}">
    ${token(look, viewer)} ${fields} <button>${button}</button>
  </form>`

/** Sends a form the way the desk's own pages do: as JSON, with the key in the header. */
const script = new Html(`
for (const form of document.querySelectorAll('form[data-call]')) form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = {}
  for (const { name, value } of form.querySelectorAll('[name]')) if (value !== '') body[name] = value
  const [method, address] = form.dataset.call.split(' ')
  const key = document.querySelector('meta[name=deskkey]').content
  const headers = { 'content-type': 'application/json', 'x-desk-key': key }
  const answer = await fetch(address, { method, headers, body: method === 'DELETE' ? undefined : JSON.stringify(body) })
  if (!answer.headers.get('content-type').includes('json')) location.reload()
  else form.querySelector('output').textContent = JSON.stringify(await answer.json(), null, 1)
})`)

/** A form that the page's script sends as JSON; it shows what came back. The script stands once, after the last one. */
export const jsonForm = (call: string, path: string, button: string, fields: Part = ''): Html =>
  html`<form class="card" data-call="${call} ${root}/${path}">
    ${fields} <button>${button}</button> <output class="text small"></output>
  </form>`

export const jsonScript = html`<script>
  ${script}
</script>`
