import { html, Html } from '../platform/html.ts'
import type { SandboxApp, Viewer } from '../platform/types.ts'

const style = new Html(`
body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#23302b;background:#f6f4ef}
header{background:#1f5c4a;color:#fff;padding:.7rem 1rem;display:flex;flex-wrap:wrap;gap:1rem;align-items:center}
header a,header button{color:#fff}header form{margin-left:auto}header button{background:none;border:0;text-decoration:underline;font:inherit;cursor:pointer;padding:0}
main{max-width:60rem;margin:0 auto;padding:1rem}
table{border-collapse:collapse;width:100%;background:#fff}th,td{text-align:start;padding:.45rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
.card,.line,form.card{background:#fff;border:1px solid #ddd;border-radius:6px;padding:.8rem 1rem;margin:.8rem 0}
.line.out{margin-inline-start:3rem;background:#eaf4ef}.text{white-space:pre-wrap;overflow-wrap:anywhere}
main>[role=alert]{background:#fbe3e0;border:1px solid #c0392b;border-radius:6px;padding:.6rem 1rem}.hint,.small{color:#66716c;font-size:.9em}
label{display:block;margin:.5rem 0}input,textarea,select{font:inherit;padding:.3rem;max-width:100%}textarea{width:100%;min-height:6rem;box-sizing:border-box}
form.inline{display:inline-block;margin-inline-end:.6rem}main button{font:inherit;background:#1f5c4a;color:#fff;border:0;border-radius:4px;padding:.4rem .9rem;cursor:pointer}
.narrow{max-width:24rem}nav.pages a{margin-inline-end:1rem}`)

export const root = '/property-advertising'

function navigation(viewer: Viewer): Html {
  return html`<a href="${root}/my/ads">My ads</a> <a href="${root}/inbox">Inbox</a>
    ${viewer.account.kind === 'agency' && html`<a href="${root}/wanted">Wanted</a>`}
    <form method="post" action="${root}/sign-out">
      ${token(viewer)}<span>${viewer.account.person}, ${viewer.account.label}</span> <button>Sign out</button>
    </form>`
}

export const layout: SandboxApp['layout'] = ({ title, body, viewer, problem }) =>
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      ${viewer && html`<meta name="casavia-token" content="${viewer.csrf}" />`}
      <title>${title} · Casavia</title>
      <style>
        ${style}
      </style>
    </head>
    <body>
      <header>
        <a href="${root}/"><b>Casavia</b></a>
        ${viewer ? navigation(viewer) : html`<a href="${root}/sign-in">Sign in</a>`}
      </header>
      <main>${problem} ${body}</main>
    </body>
  </html>`

/** The hidden field of every form. */
export const token = (viewer: Viewer): Html => html`<input type="hidden" name="authenticity" value="${viewer.csrf}" />`

const symbols: Record<string, string> = { EUR: '€', GBP: '£', CHF: 'CHF', PLN: 'zł', MAD: 'DH', TRY: '₺' }

export const price = (cents: number, currency: string): string =>
  `${(cents / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })} ${symbols[currency] ?? currency}`

/** A form that is one button. */
export const button = (viewer: Viewer, action: string, label: string): Html =>
  html`<form class="inline" method="post" action="${root}${action}">${token(viewer)}<button>${label}</button></form>`

export function pageLinks(path: string, query: URLSearchParams, page: number, more: boolean): Html {
  const link = (to: number, label: string): Html => {
    const next = new URLSearchParams(query)
    next.set('page', String(to))
    return html`<a href="${root}${path}?${next.toString()}">${label}</a>`
  }
  return html`<nav class="pages">${page > 1 && link(page - 1, 'Newer')} ${more && link(page + 1, 'Older')}</nav>`
}
