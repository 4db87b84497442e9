import { html, Html, type Part } from './html.ts'
import type { Viewer } from './types.ts'

/** What one app's pages look like. Its own rules come after the common ones. */
export interface Look {
  brand: string
  /** `/slug` */
  root: string
  /** Name of the hidden form field and of the `<meta>` that hold the CSRF token. */
  field: string
  /** CSS colours: of the bar and the buttons, and of the page. */
  ink: string
  paper: string
  font?: string
  css?: string
}

export interface ShellPage {
  title: string
  body: Html
  viewer: Viewer | undefined
  problem?: Html
}

const common = `
body{margin:0;line-height:1.5;color:#26222b}header{color:#fff;padding:.6rem 1rem;display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center}
header a,header button{color:#fff}header form{margin-inline-start:auto}header button{background:none;border:0;text-decoration:underline;font:inherit;cursor:pointer}
main{max-width:64rem;margin:0 auto;padding:1rem}table{border-collapse:collapse;width:100%;background:#fff}
th,td{text-align:start;padding:.4rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
.card{background:#fff;border:1px solid #ddd;border-radius:6px;padding:.7rem 1rem;margin:.8rem 0}.text{white-space:pre-wrap;overflow-wrap:anywhere}
.small{color:#6b6472;font-size:.9em}.problem,main>[role=alert]{background:#fde7e4;border:1px solid #b3261e;border-radius:6px;padding:.6rem 1rem}
label{display:block;margin:.4rem 0}input,select,textarea{font:inherit;padding:.3rem;max-width:100%;box-sizing:border-box}textarea{width:100%;min-height:5rem}
main button{font:inherit;color:#fff;border:0;border-radius:5px;padding:.35rem .8rem;cursor:pointer}form.inline{display:inline-block;margin-inline-end:.5rem}
.wide{overflow-x:auto}.narrow{max-width:24rem}`

/** The page around every page of an app: `links` are its menu for somebody who is signed in, each `[path below the root, label]`. */
export function shell(
  look: Look,
  links: readonly (readonly [string, string])[],
  paths: { signIn: string; signOut: string },
) {
  const { brand, root, field, ink, paper, font = 'system-ui,sans-serif', css = '' } = look
  const style = new Html(
    `${common}body{background:${paper};font-family:${font}}header,main button{background:${ink}}${css}`,
  )
  return ({ title, body, viewer, problem }: ShellPage): Html =>
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${viewer && html`<meta name="${field}" content="${viewer.csrf}" />`}
        <title>${title} · ${brand}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <header>
          <a href="${root}/"><b>${brand}</b></a>
          ${
            viewer
              ? html`${links.map(([path, label]) => html`<a href="${root}${path}">${label}</a> `)}
                  <form method="post" action="${root}${paths.signOut}">
                    ${token(look, viewer)}<span dir="auto">${viewer.account.person}, ${viewer.account.label}</span>
                    <button>Sign out</button>
                  </form>`
              : html`<a href="${root}${paths.signIn}">Sign in</a>`
          }
        </header>
        <main>${problem} ${body}</main>
      </body>
    </html>`
}

/** The hidden field of every form. */
export const token = ({ field }: Look, viewer: Viewer): Html =>
  html`<input type="hidden" name="${field}" value="${viewer.csrf}" />`

/** A table with these headings; cells are escaped. */
export const table = (headings: readonly string[], rows: readonly (readonly Part[])[]): Html =>
  html`<div class="wide">
    <table>
      <tr>
        ${headings.map((heading) => html`<th>${heading}</th>`)}
      </tr>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td dir="auto">${cell}</td>`)}
          </tr>`,
      )}
    </table>
  </div>`
