import { html, type Html } from '../platform/html.ts'
import { shell, type Look } from '../platform/shell.ts'

export const root = '/travel-booking'

export const paths = {
  home: '/trips',
  signIn: '/sign-in',
  signOut: '/sign-out',
  captcha: '/check/human',
  code: '/check/code',
}

export const look: Look = { brand: 'Ferrovela', root, field: 'seal', ink: '#0b4f5c', paper: '#f2f7f6' }

const links = [
  ['/trips', 'My trips'],
  ['/trips/find', 'Find a trip'],
  ['/trips/letters', 'Letters'],
] as const

export const layout = shell(look, links, paths)

/** On to the next page of a list; the token is that of the JSON lists. */
export function moreLink(path: string, query: URLSearchParams, after: string | null): Html | false {
  if (after === null) return false
  const next = new URLSearchParams(query)
  next.set('after', after)
  return html`<p><a href="${root}${path}?${next.toString()}">More</a></p>`
}
