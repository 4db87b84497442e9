import { html } from '../html.ts'
import type { Dialect } from '../types.ts'
import { snake } from './codes.ts'

const detail = ({ says }: { says: string }) => ({ detail: says })
const forbidden = '<h1>Forbidden <span>(403)</span></h1><p>CSRF verification failed. Request aborted.</p>'

export const django: Dialect = {
  wall: 'akamai',
  away: { status: 302, back: 'next' },
  cases: {
    // Session authentication has no challenge of its own, so it is 403.
    signedOut: { status: 403, says: 'Authentication credentials were not provided.', json: detail },
    secondFactor: {
      status: 403,
      says: 'A verified one-time password is required.',
      json: ({ says, go }) => ({ detail: says, otp_url: go }),
    },
    forged: {
      status: 403,
      says: 'CSRF Failed: CSRF token missing.',
      json: detail,
      page: ['403 Forbidden', `<div id="summary">${forbidden}</div>`],
    },
    tooFast: {
      status: 429,
      says: 'Request was throttled.',
      json: ({ says, seconds }) => ({ detail: `${says} Expected available in ${seconds} seconds.` }),
      page: ['429 Too Many Requests', '<h1>Too Many Requests</h1>'],
    },
    broken: { status: 500, says: '', json: 'page', page: ['Server Error (500)', '<h1>Server Error (500)</h1>'] },
  },
  refusal: ({ code, message, field }) =>
    field === undefined ? { detail: message, code: snake(code) } : { [field]: [{ message, code: snake(code) }] },
  notice: ({ code, message, field }) =>
    html`<ul class="errorlist" id="id_${field ?? 'non_field'}_error" role="alert">
      <li class="${snake(code)}">${message}</li>
    </ul>`,
}
