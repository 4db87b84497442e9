import { html } from '../html.ts'
import type { Asked, Case, Dialect } from '../types.ts'
import { dotted } from './codes.ts'

const names: Record<number, string> = {
  ...{ 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed' },
  ...{ 409: 'Conflict', 410: 'Gone', 422: 'Unprocessable Content', 429: 'Too Many Requests' },
  500: 'Internal Server Error',
}
const body = (status: number, message: string, path: string, more: object = {}) => ({
  ...{ timestamp: new Date().toISOString(), status, error: names[status] ?? 'Error', message, path },
  ...more,
})
const whitelabel = (status: number, says: string, headers?: (asked: Asked) => Record<string, string>): Case => ({
  status,
  says,
  ...(headers ? { headers } : {}),
  json: ({ path }) => body(status, says, path),
  page: [
    'Error',
    `<h1>Whitelabel Error Page</h1><div>There was an unexpected error (type=${names[status]}, status=${status}).</div>`,
  ],
})

export const spring: Dialect = {
  wall: 'imperva',
  away: { status: 302, back: 'service' },
  cases: {
    signedOut: whitelabel(401, 'Full authentication is required to access this resource', () => ({
      'www-authenticate': 'FormBased',
    })),
    secondFactor: whitelabel(403, 'Missing authority FACTOR_OTT', () => ({
      'www-authenticate': 'Bearer error="insufficient_user_authentication"',
    })),
    forged: whitelabel(403, 'Invalid CSRF token found'),
    tooFast: whitelabel(429, 'You have exhausted your API request quota', ({ seconds = 0 }) => ({
      'x-rate-limit-remaining': '0',
      'x-rate-limit-retry-after-seconds': String(seconds),
    })),
    broken: whitelabel(500, 'No message available'),
  },
  refusal: ({ status, code, message, field }, { path }) => {
    const codes = [`${dotted(code)}.${field}`, dotted(code)]
    const more =
      field === undefined ? { reason: dotted(code) } : { errors: [{ field, codes, defaultMessage: message }] }
    return body(status, message, path, more)
  },
  notice: ({ code, message, field }) =>
    html`<div class="error" role="alert" th-errors="${dotted(code)}" th-field="${field}">${message}</div>`,
}
