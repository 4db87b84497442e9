import { html } from '../html.ts'
import type { Dialect } from '../types.ts'
import { kebab } from './codes.ts'

const rfc = 'https://tools.ietf.org/html/rfc9110#section-'
const problem = (section: string, title: string, status: number, instance: string) => ({
  ...{ type: `${rfc}${section}`, title, status, instance },
})

export const aspnet: Dialect = {
  wall: 'imperva',
  away: { status: 302, back: 'ReturnUrl' },
  type: 'application/problem+json; charset=utf-8',
  cases: {
    // The cookie handler tells scripts where to sign in by a header, and nothing else.
    signedOut: { status: 401, says: '', headers: ({ go = '' }) => ({ location: go }), text: '' },
    secondFactor: {
      status: 403,
      says: 'Forbidden',
      headers: ({ go = '' }) => ({ location: go }),
      json: ({ says, go, path }) => ({
        ...problem('15.5.4', says, 403, path),
        requiresTwoFactor: true,
        verifyUrl: go,
      }),
    },
    forged: { status: 400, says: '', text: '' },
    // The rate limiter's preset status.
    tooFast: {
      status: 503,
      says: 'Too many requests',
      json: ({ says, path }) => problem('15.6.4', says, 503, path),
      page: ['Service Unavailable', '<h2>Too many requests</h2><p>HTTP Error 503. The service is unavailable.</p>'],
    },
    broken: {
      status: 500,
      says: 'An error occurred while processing your request.',
      json: ({ says, path }) => problem('15.6.1', says, 500, path),
      page: ['Error', '<h1 class="text-danger">Error.</h1>'],
    },
  },
  refusal: ({ status, code, message, field }, { app, path }) => ({
    type: `https://docs.${app.mailDomain}/problems/${kebab(code)}`,
    title: field === undefined ? message : 'One or more validation errors occurred.',
    status,
    instance: path,
    ...(field === undefined ? {} : { errors: { [field]: [message] } }),
  }),
  notice: ({ code, message, field }) =>
    html`<div class="validation-summary-errors text-danger" role="alert" data-valmsg-summary="true">
      <ul>
        <li data-valmsg-for="${field}" data-problem="${kebab(code)}">${message}</li>
      </ul>
    </div>`,
}
