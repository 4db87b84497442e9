import { html, Html } from '../platform/html.ts'
import type { SandboxApp, Viewer } from '../platform/types.ts'
import type { Slice } from './params.ts'
import { asOfText, rightsOf, type Salon } from './salon.ts'

const style = new Html(`
body{font:16px/1.5 Georgia,serif;margin:0;color:#2b2230;background:#faf7fb}
header{background:#4a2a5e;color:#fff;padding:.7rem 1rem;display:flex;flex-wrap:wrap;gap:1rem;align-items:center}
header a,header button{color:#fff}header form{margin-left:auto}header button{background:none;border:0;text-decoration:underline;font:inherit;cursor:pointer}
main{max-width:64rem;margin:0 auto;padding:1rem}table{border-collapse:collapse;width:100%;background:#fff}
th,td{text-align:start;padding:.4rem .6rem;border-bottom:1px solid #e2d9e6;vertical-align:top}
.card,form.card{background:#fff;border:1px solid #e2d9e6;border-radius:6px;padding:.8rem 1rem;margin:.8rem 0}
.text{white-space:pre-wrap;overflow-wrap:anywhere}.small{color:#75687b;font-size:.9em}
main>[role=alert]{background:#fde4e4;border:1px solid #b3261e;border-radius:6px;padding:.6rem 1rem}
label{display:block;margin:.5rem 0}input,textarea,select{font:inherit;padding:.3rem;max-width:100%}textarea{width:100%;box-sizing:border-box}
main button{font:inherit;background:#4a2a5e;color:#fff;border:0;border-radius:4px;padding:.4rem .9rem;cursor:pointer}
.narrow{max-width:24rem}nav.more a{margin-inline-end:1rem}`)

export const root = '/salon-booking'

const places = [
  ['diary', '/diary', 'Diary'],
  ['diary', '/visits/new', 'Book'],
  ['guests', '/guests', 'Guests'],
  ['diary', '/team', 'Team'],
  ['takings', '/takings', 'Takings'],
  ['wallet', '/wallet', 'Wallet'],
] as const

function navigation(viewer: Viewer): Html {
  const rights = rightsOf(viewer.account.kind)
  const links = places.filter(([right]) => rights.includes(right))
  return html`${links.map(([, path, label]) => html`<a href="${root}${path}">${label}</a> `)}
    <a href="${root}/menu">Menu</a>
    <form method="post" action="${root}/sign-out">
      ${token(viewer)}<span>${viewer.account.person}, ${viewer.account.label}</span> <button>Sign out</button>
    </form>`
}

export const layout: SandboxApp['layout'] = ({ title, body, viewer, problem }) =>
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      ${viewer && html`<meta name="lustra-csrf" content="${viewer.csrf}" />`}
      <title>${title} · Lustra</title>
      <style>
        ${style}
      </style>
    </head>
    <body>
      <header>
        <a href="${root}/"><b>Lustra</b></a>
        ${viewer ? navigation(viewer) : html`<a href="${root}/sign-in">Sign in</a>`}
      </header>
      <main>${problem} ${body}</main>
    </body>
  </html>`

/** The hidden field of every form. */
export const token = (viewer: Viewer): Html => html`<input type="hidden" name="_csrf" value="${viewer.csrf}" />`

export const amount = (minor: number, { currency, exponent }: Salon): string =>
  `${(minor / 10 ** exponent).toLocaleString('en-GB', { minimumFractionDigits: exponent })} ${currency}`

export const options = (items: readonly { id: string; label: string }[], chosen?: string): Html =>
  html`${items.map(
    ({ id, label }) => html`<option value="${id}" ${id === chosen && new Html('selected')}>${label}</option>`,
  )}`

/** On and back within the list as it was at its first page. */
export function moreLinks(path: string, query: URLSearchParams, salon: Salon, slice: Slice, total: number): Html {
  const link = (offset: number, label: string): Html => {
    const next = new URLSearchParams(query)
    next.set('offset', String(offset))
    next.set('as_of', asOfText(salon.account, slice.asOf))
    return html`<a href="${root}${path}?${next.toString()}">${label}</a>`
  }
  const { offset, limit } = slice
  return html`<p class="small">${total} in all</p>
    <nav class="more">
      ${offset > 0 && link(Math.max(0, offset - limit), 'Back')} ${offset + limit < total && link(offset + limit, 'On')}
    </nav>`
}

/** A form's fields as the JSON routes take them; `lists` are one entry a line or field, `flags` are tick boxes. */
export function bodyOf(
  form: URLSearchParams,
  lists: readonly string[] = [],
  flags: readonly string[] = [],
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of form) if (name !== '_csrf' && value !== '') body[name] = value
  for (const name of lists) {
    const lines = form.getAll(name).flatMap((value) => value.split(/\r?\n/))
    body[name] = lines.map((line) => line.trim()).filter((line) => line !== '')
  }
  for (const name of flags) body[name] = form.has(name)
  return body
}
