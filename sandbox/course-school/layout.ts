import { html, Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import type { Reply, SandboxApp, SignedIn, Viewer } from '../platform/types.ts'

const style = new Html(`
body{font:16px/1.5 Georgia,serif;margin:0;color:#222;background:#fbfaf7;display:grid;grid-template-columns:12rem 1fr;min-height:100vh}
aside{background:#2b2350;color:#fff;padding:1rem}aside a,aside button{display:block;color:#fff;margin:.4rem 0}
aside button{background:none;border:0;padding:0;font:inherit;text-decoration:underline;cursor:pointer}
main{padding:1rem 2rem;max-width:62rem}table{border-collapse:collapse;width:100%;background:#fff}
th,td{text-align:start;padding:.4rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
.box{background:#fff;border:1px solid #ddd;padding:.8rem 1rem;margin:.8rem 0}.text{white-space:pre-wrap;overflow-wrap:anywhere}
main>[role=alert]{background:#fdecea;border:1px solid #b3261e;padding:.6rem 1rem}.small{color:#666;font-size:.9em}
label{display:block;margin:.5rem 0}input,textarea,select{font:inherit;max-width:100%}textarea{width:100%;min-height:7rem;box-sizing:border-box}
form.inline{display:inline-block;margin-inline-end:.6rem}main button{font:inherit;background:#2b2350;color:#fff;border:0;padding:.35rem .9rem;cursor:pointer}
@media(max-width:45rem){body{display:block}}`)

export const root = '/course-school'
export const admin = `${root}/schools/mine`

const navigation = (viewer: Viewer): Html =>
  html`<a href="${admin}/courses">Courses</a>
    <a href="${admin}/comments">Comments</a>
    ${
      viewer.account.kind !== 'author' &&
      html`<a href="${admin}/students">Students</a> <a href="${admin}/coupons">Coupons</a>
        <a href="${admin}/mailings">Mailings</a> <a href="${admin}/settings">Settings</a>`
    }
    <form method="post" action="${root}/logout">
      ${token(viewer)}<span dir="auto">${viewer.account.person}</span><button>Sign out</button>
    </form>`

export const layout: SandboxApp['layout'] = ({ title, body, viewer, problem }) =>
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} | Kathedra</title>
      <style>
        ${style}
      </style>
    </head>
    <body>
      <aside>
        <a href="${root}/"><b>Kathedra</b></a>
        ${viewer ? navigation(viewer) : html`<a href="${root}/login">Sign in</a>`}
      </aside>
      <main>${problem} ${body}</main>
    </body>
  </html>`

/** The hidden field of every form. */
export const token = (viewer: Viewer): Html => html`<input type="hidden" name="_csrf" value="${viewer.csrf}" />`

/** A form that is one button; `fields` go with it hidden. */
export const button = (
  viewer: Viewer,
  action: string,
  label: string,
  fields: Readonly<Record<string, string>> = {},
): Html =>
  html`<form class="inline" method="post" action="${action}">
    ${token(viewer)}${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}<button>
      ${label}
    </button>
  </form>`

export const older = (query: URLSearchParams, after: string | null): Html | false => {
  if (after === null) return false
  const next = new URLSearchParams(query)
  next.set('after', after)
  return html`<p><a href="?${next.toString()}">Older</a></p>`
}

export const shown = (title: string, body: Html, viewer: Viewer | undefined): Reply =>
  page(
    layout({
      title,
      body: html`<h1 dir="auto">${title}</h1>
        ${body}`,
      viewer,
    }),
  )

/** Back into the admin, in the words of the path that the client used. */
export const back = (request: SignedIn, path: string, done: Readonly<Record<string, string | number>>): Reply => {
  const query = new URLSearchParams(Object.entries(done).map(([name, value]) => [name, String(value)]))
  return seeOther(`${root}/schools/${request.params['school']}${path}?${query.toString()}`)
}
