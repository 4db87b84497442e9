import { html, Html, type Part } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { shell, table, token, type Look } from '../platform/shell.ts'
import type { Reply, SignedIn, Viewer } from '../platform/types.ts'
import type { Page } from './paging.ts'

export const root = '/digital-products'
export const paths = {
  home: '/desk',
  signIn: '/door',
  signOut: '/door/out',
  captcha: '/door/puzzle',
  code: '/door/code',
}

const look: Look = { brand: 'Kramora', root, field: 'stamp', ink: '#4a2a6b', paper: '#f7f5fa' }

const menu = [
  ['/desk/sales', 'Sales'],
  ['/desk/wares', 'Wares'],
  ['/desk/members', 'Members'],
  ['/desk/vouchers', 'Vouchers'],
  ['/desk/figures', 'Figures'],
  ['/desk/letters', 'Letters'],
  ['/desk/barred', 'Barred'],
] as const

export const layout = shell(look, menu, paths)

export const stamp = (viewer: Viewer): Html => token(look, viewer)

export const link = (path: string, words: string): Html => html`<a href="${root}${path}" dir="auto">${words}</a>`

/** A page of a list as a table, with a link on to older rows. */
export function listing(
  { query }: SignedIn,
  path: string,
  heads: readonly string[],
  { pageKey }: Page,
  rows: readonly (readonly Part[])[],
): Html {
  const next = new URLSearchParams(query)
  next.set('pageKey', pageKey ?? '')
  return html`${table(heads, rows)} ${pageKey !== null && html`<p>${link(`${path}?${next.toString()}`, 'Older')}</p>`}`
}

/** Sends a form the way the desk's own pages do: as JSON, with the stamp in the header; then shows the page anew. */
const script = new Html(`
for (const form of document.querySelectorAll('form[data-call]')) form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = {}
  for (const field of form.querySelectorAll('[name]')) {
    if (field.value === '') continue
    const value = field.dataset.as === 'number' ? Number(field.value) : field.value
    if (field.dataset.within) body[field.dataset.within] = { [field.name]: value }
    else body[field.name] = value
  }
  const [method, address] = form.dataset.call.split(' ')
  const headers = { 'content-type': 'application/json', 'x-stamp': document.querySelector('meta[name=stamp]').content }
  const answer = await fetch(address, { method, headers, body: JSON.stringify(body) })
  if (answer.ok || !answer.headers.get('content-type').includes('json')) location.reload()
  else form.querySelector('output').textContent = (await answer.json()).message
})`)

export const deskPage = ({ viewer }: SignedIn, title: string, body: Html): Reply =>
  page(
    layout({
      title,
      body: html`<h1 dir="auto">${title}</h1>
        ${body}
        <script>
          ${script}
        </script>`,
      viewer,
    }),
  )

/** A form that the page's script sends as JSON. */
export const jsonForm = (call: string, path: string, title: string, fields: Html): Html =>
  html`<form class="card" data-call="${call} ${root}${path}">
    ${fields}<button>${title}</button> <output class="small"></output>
  </form>`

export const postForm = ({ viewer }: SignedIn, path: string, title: string, fields: Part = ''): Html =>
  html`<form class="card" method="post" action="${root}${path}">
    ${stamp(viewer)} ${fields}<button>${title}</button>
  </form>`

export const input = (label: string, name: string, value: string | number = '', as = '', within = ''): Html =>
  html`<label
    >${label} <input name="${name}" value="${value}" data-as="${as}" data-within="${within}" dir="auto"
  /></label>`

export const area = (label: string, name: string, value = ''): Html =>
  html`<label>${label} <textarea name="${name}" dir="auto">${value}</textarea></label>`

export const select = (label: string, name: string, choices: readonly string[], chosen = ''): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${choices.map((choice) => (choice === chosen ? html`<option selected>${choice}</option>` : html`<option>${choice}</option>`))}
    </select></label
  >`
