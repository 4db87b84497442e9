import { html, type Html } from '../platform/html.ts'
import { shell, token, type Look } from '../platform/shell.ts'
import type { Viewer } from '../platform/types.ts'

export const root = '/fitness-studio'
export const brand = 'Kettlewick'
export const paths = {
  home: '/staff/desk',
  signIn: '/staff/enter',
  signOut: '/staff/leave',
  captcha: '/staff/check/human',
  code: '/staff/check/code',
}

export const look: Look = {
  brand,
  root,
  field: 'chit',
  ink: '#8a2f1b',
  paper: '#fbf6f1',
  css: '.done{background:#e3f3e1}.off{color:#8a2f1b}',
}

export const layout = shell(
  look,
  [
    ['/staff/desk', 'Classes'],
    ['/staff/desk/clients', 'Clients'],
    ['/staff/desk/offers', 'Passes'],
    ['/staff/desk/misses', 'Missed classes'],
    ['/staff/desk/sent', 'Sent'],
  ],
  paths,
)

/** A small form with the token: its own inputs, and one button. */
export const form = (viewer: Viewer, path: string, label: string, inputs?: Html): Html =>
  html`<form class="inline" method="post" action="${root}${path}">
    ${token(look, viewer)} ${inputs} <button>${label}</button>
  </form>`

/** What a form has done stands in the address that it led to. */
export const told = (query: URLSearchParams): Html | false =>
  query.has('done') &&
  html`<p class="card done" role="status">
    Done: ${[...query].map(([name, value]) => (name === 'done' ? `${value} ` : `${name} ${value} `))}
  </p>`
