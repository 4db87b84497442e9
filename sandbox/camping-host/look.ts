import { html, type Html, type Part } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { shell, token, type Look } from '../platform/shell.ts'
import type { Reply, SignedIn, Viewer } from '../platform/types.ts'
import { isoDay } from './clock.ts'

export const root = '/camping-host'
export const brand = 'Pitchfern'
export const paths = {
  home: '/host/home',
  signIn: '/come-in',
  signOut: '/leave',
  captcha: '/check/person',
  code: '/check/code',
}

export const look: Look = {
  brand,
  root,
  field: 'fern',
  ink: '#2f5d3a',
  paper: '#f6f4ea',
  css: '.SHUT{background:#e8d9d2}.STAY{background:#d5e6d2}.fresh{font-weight:bold}',
}

export const layout = shell(
  look,
  [
    ['/host/home', 'Asks'],
    ['/host/lands', 'Lands'],
    ['/host/stays', 'Stays'],
    ['/host/chats', 'Chats'],
    ['/host/reviews', 'Reviews'],
    ['/host/paydays', 'Paydays'],
    ['/host/sent', 'Sent'],
  ],
  paths,
)

/** A page of somebody who signed in. */
export const pageOf = ({ viewer }: SignedIn, title: string, body: Html): Reply =>
  page(
    layout({
      title,
      viewer,
      body: html`<h1 dir="auto">${title}</h1>
        ${body}`,
    }),
  )

/** `2026.12.31`. */
export const dotted = (day: number): string => isoDay(day).replaceAll('-', '.')

/** A form with one button. */
export const form = (viewer: Viewer, path: string, button: string, fields: Part = ''): Html =>
  html`<form class="card" method="post" action="${root}${path}">
    ${token(look, viewer)}${fields}<button>${button}</button>
  </form>`

export const words = (required = true): Html =>
  html`<label>Words <textarea name="words" dir="auto" ${required ? html`required` : ''}></textarea></label>`
