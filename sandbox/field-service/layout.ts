import { shell, token } from '../platform/shell.ts'
import type { Html } from '../platform/html.ts'
import type { Viewer } from '../platform/types.ts'

export const root = '/field-service'
export const paths = {
  home: '/app/jobs',
  signIn: '/account/login',
  signOut: '/account/logout',
  captcha: '/account/human',
  code: '/account/code',
}

const look = {
  brand: 'Dispato',
  root,
  field: 'AntiForgery',
  ink: '#1f5132',
  paper: '#f3f5f0',
  css: '.row{display:flex;flex-wrap:wrap;gap:.8rem}.row .card{flex:1 1 18rem}',
}

export const layout = shell(
  look,
  [
    ['/app/jobs', 'Jobs'],
    ['/app/leads', 'Leads'],
    ['/app/clients', 'Clients'],
    ['/app/bills', 'Bills'],
    ['/app/outbox', 'Outbox'],
  ],
  paths,
)

export const antiForgery = (viewer: Viewer): Html => token(look, viewer)
