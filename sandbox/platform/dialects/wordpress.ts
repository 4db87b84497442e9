import { html } from '../html.ts'
import type { Case, Dialect, Markup } from '../types.ts'
import { snake } from './codes.ts'

const wpError = (status: number, code: string, message: string, more: object = {}) => ({
  code,
  message,
  data: { status, ...more },
})
/** `wp_die`. */
const die = (says: string): Markup => ['WordPress › Error', `<div class="wp-die-message">${says}</div>`]
const critical = '<p>There has been a critical error on this website.</p>'

const led = (status: number, code: string, says: string): Case => ({
  status,
  says,
  json: ({ go }) => wpError(status, code, says, { url: go }),
})

export const wordpress: Dialect = {
  wall: 'wordfence',
  away: { status: 302, back: 'redirect_to', more: '&reauth=1' },
  cases: {
    signedOut: {
      status: 401,
      says: 'You are not currently logged in.',
      json: ({ says }) => wpError(401, 'rest_not_logged_in', says),
    },
    secondFactor: led(401, 'two_factor_required', 'Two-factor authentication is required.'),
    humanCheck: led(403, 'jetpack_captcha_required', 'Please prove your humanity.'),
    forged: {
      status: 403,
      says: 'Cookie check failed',
      json: ({ says }) => wpError(403, 'rest_cookie_invalid_nonce', says),
      page: die('The link you followed has expired.'),
    },
    tooFast: {
      status: 429,
      says: 'Too many requests.',
      json: ({ says, seconds }) => wpError(429, 'rest_rate_limited', says, { retry_after: seconds }),
      page: die('You are doing that too often.'),
    },
    broken: {
      status: 500,
      says: critical,
      json: ({ says }) => wpError(500, 'internal_server_error', says),
      page: die(critical),
    },
  },
  refusal: ({ status, code, message, field }) =>
    wpError(status, snake(code), message, field === undefined ? {} : { params: { [field]: message } }),
  notice: ({ code, message, field }) =>
    html`<div class="notice notice-error" role="alert" data-wp-error="${snake(code)}" data-param="${field}">
      <p>${message}</p>
    </div>`,
}
