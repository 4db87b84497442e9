import { html } from '../html.ts'
import type { Dialect } from '../types.ts'
import { snake } from './codes.ts'

export const jsonapi: Dialect = {
  wall: 'awsWaf',
  away: { status: 303, back: 'back' },
  type: 'application/vnd.api+json; charset=utf-8',
  cases: {
    signedOut: { status: 401, says: 'Sign in to go on.', code: 'session_missing' },
    secondFactor: { status: 403, says: 'Confirm that it is you.', code: 'session_unconfirmed' },
    forged: { status: 403, says: 'The token is not that of this session.', code: 'token_mismatch' },
    tooFast: {
      status: 429,
      says: 'Too many requests.',
      code: 'throttled',
      headers: ({ seconds = 0 }) => ({ 'retry-after': new Date(Date.now() + seconds * 1000 + 999).toUTCString() }),
    },
    broken: { status: 500, says: 'Something went wrong on our side.', code: 'unexpected' },
  },
  refusal: ({ status, code, message, field, go }) => ({
    errors: [
      {
        status: String(status),
        code: snake(code),
        title: message,
        ...(field === undefined ? {} : { source: { pointer: `/data/attributes/${field}` } }),
        ...(go === undefined ? {} : { links: { about: go } }),
      },
    ],
  }),
  notice: ({ code, message, field }) =>
    html`<section class="errors" role="alert" aria-label="Errors">
      <p id="error-${snake(code)}" data-pointer="${field}">${message}</p>
    </section>`,
}
