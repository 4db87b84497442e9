import { html, type Html } from '../platform/html.ts'
import { shell, type Look } from '../platform/shell.ts'

export const root = '/tour-activity'
export const brand = 'Caminera'
export const paths = {
  home: '/desk/tours',
  signIn: '/entrar',
  signOut: '/salir',
  captcha: '/control/humano',
  code: '/control/codigo',
}

export const look: Look = {
  brand,
  root,
  field: 'seal',
  ink: '#0b5d57',
  paper: '#f5f8f4',
  css: '.shut{color:#a02b1d}.fresh{font-weight:bold}',
}

export const layout = shell(
  look,
  [
    ['/desk/tours', 'Tours'],
    ['/desk/bookings', 'Bookings'],
    ['/desk/inbox', 'Inbox'],
    ['/desk/sent', 'Sent'],
    ['/desk/reviews', 'Reviews'],
    ['/desk/money', 'Money'],
  ],
  paths,
)

export const field = (name: string, label: string, rest = '', value = ''): Html =>
  html`<label>${label} <input name="${name}" value="${value}" placeholder="${rest}" dir="auto" /></label>`
