import { html, Html } from '../platform/html.ts'
import type { SandboxApp, Viewer } from '../platform/types.ts'

const style = new Html(`
body{font:16px/1.5 Georgia,serif;margin:0;color:#2b2730;background:#faf8fb}
header{background:#3a2f45;padding:.7rem 1.2rem;display:flex;flex-wrap:wrap;gap:1.1rem;align-items:center}
header,header a,header button{color:#fff}header form{margin-left:auto}header button{background:none;border:0;text-decoration:underline;font:inherit;cursor:pointer;padding:0}
main{max-width:62rem;margin:0 auto;padding:1rem}
table{border-collapse:collapse;width:100%;background:#fff}th,td{text-align:start;padding:.4rem .6rem;border-bottom:1px solid #e3dde8;vertical-align:top;overflow-wrap:anywhere}
.box{background:#fff;border:1px solid #e3dde8;border-radius:8px;padding:.8rem 1rem;margin:.9rem 0}.text{white-space:pre-wrap;overflow-wrap:anywhere}
main>[role=alert]{background:#fde8e8;border:1px solid #b3261e;border-radius:8px;padding:.6rem 1rem}.hint,.small{color:#6d6475;font-size:.9em}
label{display:block;margin:.5rem 0}input,textarea,select{font:inherit;padding:.3rem;max-width:100%}textarea{width:100%;min-height:5rem;box-sizing:border-box}
main button{font:inherit;background:#6b4a86;color:#fff;border:0;border-radius:4px;padding:.4rem .9rem;cursor:pointer}.narrow{max-width:24rem}`)

export const root = '/photo-gallery'

const navigation = (viewer: Viewer): Html =>
  html`<a href="${root}/studio/galleries">Galleries</a> <a href="${root}/studio/people">People</a>
    <a href="${root}/studio/calendar">Calendar</a> <a href="${root}/studio/bills">Bills</a>
    <a href="${root}/studio/outbox">Outbox</a>
    <form method="post" action="${root}/sign-out">
      ${proof(viewer)}<span dir="auto">${viewer.account.label}</span> <button>Sign out</button>
    </form>`

export const layout: SandboxApp['layout'] = ({ title, body, viewer, problem }) =>
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} · Prooflight</title>
      <style>
        ${style}
      </style>
    </head>
    <body>
      <header>
        <a href="${root}/"><b>Prooflight</b></a>
        ${viewer ? navigation(viewer) : html`<a href="${root}/sign-in">Sign in</a>`}
      </header>
      <main>${problem} ${body}</main>
    </body>
  </html>`

/** The hidden field of every form of someone who signed in. */
export const proof = (viewer: Viewer): Html => html`<input type="hidden" name="proof" value="${viewer.csrf}" />`

export const table = (heads: readonly string[], rows: readonly Html[]): Html =>
  html`<table>
    <tr>
      ${heads.map((head) => html`<th>${head}</th>`)}
    </tr>
    ${rows}
  </table>`

/** On to older rows; the token is that of the JSON lists. */
export function olderLink(path: string, query: URLSearchParams, token: string | null): Html | false {
  if (token === null) return false
  const next = new URLSearchParams(query)
  next.set('page[token]', token)
  return html`<p><a href="${root}${path}?${next.toString()}">Older</a></p>`
}
