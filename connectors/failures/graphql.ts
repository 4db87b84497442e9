import { anyOf, given, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { operationRefusal } from '../kit/graphql.ts'
import { refusedJson } from '../kit/refusals.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, firstItem, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

/** `extensions` of a single error without data; with data, something was done. */
function extensions({ errors, data }: Fields): Fields {
  const first = firstItem(errors)
  const isAlone = Array.isArray(errors) && errors.length === 1 && data === undefined
  return isAlone && isFields(first) && isFields(first['extensions']) ? first['extensions'] : {}
}

function forged(body: Fields): { readonly code: unknown; readonly message: unknown } | undefined {
  const first = firstItem(body['errors'])
  if (extensions(body)['code'] !== 'BAD_REQUEST' || !isFields(first)) return undefined
  return { code: tokenInvalid, message: first['message'] }
}

/** GraphQL servers, which refuse with 200; their HTML pages use statuses. */
export const graphql = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'continue'),
    given(
      { status: 200 },
      jsonSays((body) => {
        const { code, loginUrl } = extensions(body)
        return code === 'UNAUTHENTICATED' && typeof loginUrl === 'string'
      }, 'auth_expired'),
      jsonSays((body) => {
        const { code, mfaUrl } = extensions(body)
        return code === 'FORBIDDEN' && typeof mfaUrl === 'string'
      }, 'mfa'),
    ),
    given(
      { status: 200, headers: { 'retry-after': /./ } },
      jsonSays((body) => extensions(body)['code'] === 'THROTTLED', 'rate_limited'),
    ),
    given({ status: 400 }, refusedJson(forged)),
    operationRefusal,
    pageRefusal({
      css: 'main > .toast.toast--error[role="alert"][data-code]',
      code(toast) {
        const code = toast.attribute('data-code')
        return code === 'CSRF_BLOCKED' ? tokenInvalid : codeOf(code, 'screaming')
      },
    }),
  ])
