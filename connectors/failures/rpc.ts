import { anyOf, given, jsonRefusal, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, firstItem, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

interface Said {
  readonly status: unknown
  readonly reason: unknown
  readonly message: unknown
}

/** `google.rpc.Status` whose first detail is an `ErrorInfo` and whose code is the HTTP status. */
function said({ error }: Fields, status: number): Said | undefined {
  if (!isFields(error) || error['code'] !== status) return undefined
  const info = firstItem(error['details'])
  if (!isFields(info) || typeof info['@type'] !== 'string' || !info['@type'].endsWith('/google.rpc.ErrorInfo'))
    return undefined
  return { status: error['status'], reason: info['reason'], message: error['message'] }
}

function named(reason: unknown): string | undefined {
  return reason === 'XSRF_TOKEN_INVALID' ? tokenInvalid : codeOf(reason, 'screaming')
}

const saysReason = (status: string, reason: string) => (body: Fields, http: number) => {
  const it = said(body, http)
  return it?.status === status && it.reason === reason
}

/** The errors of Google's APIs (https://google.aip.dev/193). */
export const rpc = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'continue'),
    given({ status: 401 }, jsonSays(saysReason('UNAUTHENTICATED', 'CREDENTIALS_MISSING'), 'auth_expired')),
    given({ status: 403 }, jsonSays(saysReason('PERMISSION_DENIED', 'STEP_UP_NEEDED'), 'mfa')),
    jsonRefusal((body, status) => {
      const it = said(body, status)
      return { code: named(it?.reason), message: it?.message }
    }),
    pageRefusal({
      css: 'main > .snackbar[role="alert"][data-reason]',
      code: (bar) => named(bar.attribute('data-reason')),
    }),
  ])
