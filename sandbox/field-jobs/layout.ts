import { shell, token, type Look } from '../platform/shell.ts'
import type { Html } from '../platform/html.ts'
import type { Viewer } from '../platform/types.ts'

export const root = '/field-jobs'

export const paths = {
  home: '/desk',
  signIn: '/door/sign-in',
  signOut: '/door/sign-out',
  captcha: '/door/human',
  code: '/door/code',
}

export const csrf = { field: 'torquen_key', header: 'X-Torquen-Key' }

const look: Look = { brand: 'Torquen', root, field: csrf.field, ink: '#1d4d4f', paper: '#f3f6f4' }

const links = [
  ['/desk/jobs', 'Jobs'],
  ['/desk/board', 'Board'],
  ['/desk/leads', 'Leads'],
  ['/desk/customers', 'Customers'],
  ['/desk/estimates', 'Estimates'],
  ['/desk/bills', 'Bills'],
  ['/desk/sent', 'Sent'],
] as const

export const layout = shell(look, links, paths)

export const key = (viewer: Viewer): Html => token(look, viewer)
