import { html, type Html } from '../platform/html.ts'
import { shell, token, type Look } from '../platform/shell.ts'
import type { Viewer } from '../platform/types.ts'
import type { Supplier } from './entities.ts'

export const root = '/tour-supplier'

const look: Look = { brand: 'Farelune Extranet', root, field: 'xt', ink: '#14505c', paper: '#f3f7f6' }

export const paths = {
  home: '/extranet/orders',
  signIn: '/login',
  signOut: '/logout',
  captcha: '/challenge/human',
  code: '/challenge/code',
}

const menu = [
  ['/extranet/orders', 'Orders'],
  ['/extranet/activities', 'Activities'],
  ['/extranet/inbox', 'Inbox'],
  ['/extranet/feedback', 'Feedback'],
  ['/extranet/insights', 'Insights'],
  ['/extranet/outbox', 'Outbox'],
] as const

export const layout = shell(look, menu, paths)

export const secret = (viewer: Viewer): Html => token(look, viewer)

/** `45.50 EUR`, for people. */
export const priceText = (minor: number, { cur, digits }: Supplier): string =>
  `${(minor / 10 ** digits).toFixed(digits)} ${cur}`

/** On to the next page of a list; the token is that of the JSON lists. */
export function moreLink(path: string, query: URLSearchParams, after: string | null): Html | false {
  if (after === null) return false
  const next = new URLSearchParams(query)
  next.set('after', after)
  return html`<p><a href="${root}${path}?${next.toString()}">More</a></p>`
}
