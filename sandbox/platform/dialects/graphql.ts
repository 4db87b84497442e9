import { html } from '../html.ts'
import type { Dialect } from '../types.ts'

const failed = (message: string, code: string, more: object = {}) => ({
  errors: [{ message, extensions: { code, ...more } }],
})

/** Whatever has to do with an operation is answered with 200. */
export const graphql: Dialect = {
  wall: 'awsWaf',
  away: { status: 302, back: 'continue' },
  cases: {
    signedOut: {
      status: 200,
      says: 'You must be logged in.',
      json: ({ says, go }) => failed(says, 'UNAUTHENTICATED', { loginUrl: go }),
    },
    secondFactor: {
      status: 200,
      says: 'Multi-factor authentication is required.',
      json: ({ says, go }) => failed(says, 'FORBIDDEN', { mfaUrl: go }),
    },
    forged: {
      status: 400,
      says: 'This operation has been blocked as a potential Cross-Site Request Forgery (CSRF).',
      code: 'CSRF_BLOCKED',
      json: ({ says }) => failed(says, 'BAD_REQUEST'),
    },
    tooFast: {
      status: 200,
      says: 'Throttled',
      json: ({ says, seconds }) => failed(says, 'THROTTLED', { retryAfter: seconds }),
      pageStatus: 429,
      page: ['Throttled', '<h1>429</h1><p class="throttled">Throttled</p>'],
    },
    broken: { status: 500, says: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' },
  },
  refusal: ({ code, message, field }) => failed(message, code, field === undefined ? {} : { argument: field }),
  notice: ({ code, message, field }) =>
    html`<div class="toast toast--error" role="alert" data-code="${code}" data-argument="${field}">${message}</div>`,
}
