import type { Html } from '../platform/html.ts'
import { shell, token, type Look } from '../platform/shell.ts'
import type { Viewer } from '../platform/types.ts'

export const root = '/teacher-marketplace'

export const brand = 'Chalkara'

export const paths = {
  home: '/shop/goods',
  signIn: '/desk/in',
  signOut: '/desk/out',
  captcha: '/desk/riddle',
  code: '/desk/code',
}

const look: Look = { brand, root, field: 'hall_pass', ink: '#1d5c4a', paper: '#f4f8f3' }

const menu = [
  ['/shop/goods', 'Goods'],
  ['/shop/trade', 'Trade'],
  ['/shop/asks', 'Questions'],
  ['/shop/markdowns', 'Markdowns'],
  ['/shop/notes', 'Notes'],
  ['/shop/mailbox', 'Mailbox'],
] as const

export const layout = shell(look, menu, paths)

/** The hidden field of every form. */
export const pass = (viewer: Viewer): Html => token(look, viewer)
