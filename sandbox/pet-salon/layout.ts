import { html, type Html } from '../platform/html.ts'
import { shell, type Look } from '../platform/shell.ts'

export const root = '/pet-salon'
export const brand = 'Zottelo'
export const paths = {
  home: '/cloud/day',
  signIn: '/cloud/login',
  signOut: '/cloud/logout',
  captcha: '/cloud/check/human',
  code: '/cloud/check/code',
}

export const look: Look = {
  brand,
  root,
  field: 'chk',
  ink: '#7a3b69',
  paper: '#fbf6f3',
  css: '.VOI,.NSH{color:#8a8088}.INN,.RDY{font-weight:bold}',
}

export const layout = shell(
  look,
  [
    ['/cloud/day', 'Day'],
    ['/cloud/book', 'Book'],
    ['/cloud/waits', 'Waiting list'],
    ['/cloud/clients', 'Clients'],
    ['/cloud/vaxalerts', 'Vaccinations'],
    ['/cloud/rpts', 'Reports'],
    ['/cloud/msgs', 'Messages'],
  ],
  paths,
)

export const field = (name: string, label: string, hint = '', value = ''): Html =>
  html`<label>${label} <input name="${name}" value="${value}" placeholder="${hint}" dir="auto" /></label>`

export const choice = (
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen = '',
): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${options.map(([value, text]) => html`<option value="${value}" ${value === chosen && 'selected'}>${text}</option>`)}
    </select></label
  >`

/** `42.50 GBP`, for people. */
export const money = (pence: number, cur: string): string => `${(pence / 100).toFixed(2)} ${cur}`
