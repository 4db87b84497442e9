import { html, type Html } from '../platform/html.ts'
import { shell, type Look } from '../platform/shell.ts'

export const root = '/invitations'

export const paths = {
  home: '/parties',
  signIn: '/hello',
  signOut: '/goodbye',
  captcha: '/door/human',
  code: '/door/code',
}

export const look: Look = {
  brand: 'Soirelle',
  root,
  field: 'formKey',
  ink: '#7a1f45',
  paper: '#fdf6f0',
  font: 'Georgia,serif',
}

const links = [
  ['/parties', 'Parties'],
  ['/address-book', 'Address book'],
  ['/outbox', 'Outbox'],
] as const

export const layout = shell(look, links, paths)

/** On to the next page of a list; the token is that of the JSON lists. */
export function moreLink(path: string, query: URLSearchParams, moreToken: string | null): Html | false {
  if (moreToken === null) return false
  const next = new URLSearchParams(query)
  next.set('moreToken', moreToken)
  return html`<p><a href="${root}${path}?${next.toString()}">More</a></p>`
}
