import { html } from '../html.ts'
import type { Dialect } from '../types.ts'
import { snake } from './codes.ts'

/** Numbers for what every app has in common; a refusal of the app's own has 100 times its status and a key. */
const errnoBody = (errno: number, errmsg: string, data: object | null = null) => ({ errno, errmsg, data })

export const errno: Dialect = {
  wall: 'cloudflare',
  away: { status: 302, back: 'from' },
  cases: {
    signedOut: { status: 401, says: 'Not logged in', json: ({ go }) => errnoBody(40101, 'Not logged in', { url: go }) },
    secondFactor: {
      status: 403,
      says: 'Verify',
      json: ({ go }) => errnoBody(40317, 'Verification needed', { url: go }),
    },
    forged: { status: 403, says: 'Form token wrong', code: '40303', json: () => errnoBody(40303, 'Form token wrong') },
    tooFast: {
      status: 429,
      says: 'Too frequent',
      code: '42900',
      json: ({ seconds }) => errnoBody(42900, 'Too frequent', { wait: seconds }),
    },
    broken: { status: 500, says: 'System busy', code: '50000', json: () => errnoBody(50000, 'System busy') },
  },
  refusal: ({ status, code, message, field }) =>
    errnoBody(status * 100, message, { key: snake(code), ...(field === undefined ? {} : { field }) }),
  notice: ({ code, message, field }) =>
    html`<div class="weui-toptips weui-toptips_warn" role="alert" data-key="${snake(code)}" data-field="${field}">
      ${message}
    </div>`,
}
