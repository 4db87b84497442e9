import { html } from '../html.ts'
import type { Dialect } from '../types.ts'

const rpcStatus: Record<number, string> = {
  ...{ 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND', 410: 'NOT_FOUND' },
  ...{ 405: 'UNIMPLEMENTED', 409: 'FAILED_PRECONDITION', 422: 'INVALID_ARGUMENT', 429: 'RESOURCE_EXHAUSTED' },
  500: 'INTERNAL',
}
const rpcTypes = 'type.googleapis.example/google.rpc.'

export const rpc: Dialect = {
  wall: 'human',
  away: { status: 302, back: 'continue', more: '&flowName=WebSignIn' },
  cases: {
    signedOut: {
      status: 401,
      says: 'Request is missing required authentication credential.',
      code: 'CREDENTIALS_MISSING',
    },
    secondFactor: { status: 403, says: 'A second step of verification is needed.', code: 'STEP_UP_NEEDED' },
    forged: { status: 403, says: 'The request token is not valid.', code: 'XSRF_TOKEN_INVALID' },
    tooFast: { status: 429, says: 'Quota exceeded.', code: 'RATE_LIMIT_EXCEEDED' },
    broken: { status: 500, says: 'Internal error encountered.', code: 'INTERNAL_ERROR' },
  },
  refusal: ({ status, code, message, field, go }, { app, seconds }) => ({
    error: {
      code: status,
      message,
      status: rpcStatus[status] ?? 'UNKNOWN',
      details: [
        {
          '@type': `${rpcTypes}ErrorInfo`,
          reason: code,
          domain: app.mailDomain,
          ...(go === undefined ? {} : { metadata: { uri: go } }),
        },
        ...(field === undefined
          ? []
          : [{ '@type': `${rpcTypes}BadRequest`, fieldViolations: [{ field, description: message }] }]),
        ...(seconds === undefined ? [] : [{ '@type': `${rpcTypes}RetryInfo`, retryDelay: `${seconds}s` }]),
      ],
    },
  }),
  notice: ({ code, message, field }) =>
    html`<div class="snackbar" role="alert" data-reason="${code}" data-for="${field}">
      <span class="snackbar-label">${message}</span>
    </div>`,
}
