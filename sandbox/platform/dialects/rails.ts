import { html } from '../html.ts'
import type { Dialect, Markup } from '../types.ts'
import { snake } from './codes.ts'

const page = (title: string, status: number): Markup => [
  `${title} (${status})`,
  `<div class="dialog"><h1>${title}</h1></div>`,
]
const rejected = 'The change you wanted was rejected.'
const forged = { status: 422, error: 'Unprocessable Content', exception: 'ActionController::InvalidAuthenticityToken' }

export const rails: Dialect = {
  wall: 'datadome',
  away: { status: 302, back: 'return_to' },
  cases: {
    signedOut: {
      status: 401,
      says: 'You need to sign in or sign up before continuing.',
      json: ({ says }) => ({ error: says }),
    },
    secondFactor: {
      status: 401,
      says: 'Enter your two-factor authentication code to continue.',
      json: ({ says, go }) => ({ error: says, otp_path: go }),
    },
    forged: { status: 422, says: rejected, json: () => forged, page: page(rejected, 422) },
    tooFast: { status: 429, says: 'Retry later', text: 'Retry later\n' },
    broken: {
      status: 500,
      says: 'Internal Server Error',
      json: ({ says }) => ({ status: 500, error: says }),
      page: page("We're sorry, but something went wrong.", 500),
    },
  },
  refusal: ({ code, message, field = 'base' }) => ({
    errors: { [field]: [message] },
    details: { [field]: [{ error: snake(code) }] },
  }),
  notice: ({ code, message, field = 'base' }) =>
    html`<div id="error_explanation" class="alert alert-danger" role="alert">
      <ul>
        <li data-attribute="${field}" data-error="${snake(code)}">${message}</li>
      </ul>
    </div>`,
}
