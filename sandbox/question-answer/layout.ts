import type { Html } from '../platform/html.ts'
import { shell, token, type Look } from '../platform/shell.ts'
import type { Viewer } from '../platform/types.ts'

export const root = '/question-answer'

export const brand = 'Askorium'

export const paths = {
  home: '/asks',
  signIn: '/enter',
  signOut: '/leave',
  captcha: '/doorkeeper/puzzle',
  code: '/doorkeeper/code',
}

const look: Look = {
  brand,
  root,
  field: 'seal',
  ink: '#7a2e1d',
  paper: '#faf6f2',
  font: 'Charter,Georgia,serif',
  css: 'img{max-width:100%}',
}

const menu = [
  ['/asks', 'Questions'],
  ['/mine', 'Mine'],
  ['/rooms', 'Rooms'],
  ['/bells', 'Bells'],
] as const

export const layout = shell(look, menu, paths)

/** The hidden field of every form. */
export const seal = (viewer: Viewer): Html => token(look, viewer)
