import { html } from '../html.ts'
import type { Dialect, Markup } from '../types.ts'
import { studly } from './codes.ts'

const bare = ({ says }: { says: string }) => ({ message: says })
const page = (status: number, says: string): Markup => [
  says,
  `<div class="code">${status}</div><div class="message">${says}</div>`,
]
const limits = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' }

export const laravel: Dialect = {
  wall: 'cloudflare',
  away: { status: 302, back: 'intended' },
  cases: {
    signedOut: { status: 401, says: 'Unauthenticated.', json: bare },
    secondFactor: {
      status: 423,
      says: 'Two factor authentication required.',
      json: ({ says, go }) => ({ message: says, two_factor: true, redirect: go }),
    },
    forged: { status: 419, says: 'CSRF token mismatch.', json: bare, page: page(419, 'Page Expired') },
    tooFast: {
      status: 429,
      says: 'Too Many Attempts.',
      headers: () => limits,
      json: bare,
      page: page(429, 'Too Many Requests'),
    },
    broken: { status: 500, says: 'Server Error', json: bare, page: page(500, 'Server Error') },
  },
  // A rule that a field failed, or an exception of the app's.
  refusal: ({ code, message, field }) =>
    field === undefined
      ? { message, exception: `App\\Exceptions\\${studly(code)}` }
      : { message, errors: { [field]: [message] }, failed: { [field]: { [studly(code)]: [] } } },
  notice: ({ code, message, field }) =>
    html`<div class="alert alert-danger" role="alert">
      <ul>
        <li data-rule="${studly(code)}" data-field="${field}">${message}</li>
      </ul>
    </div>`,
}
