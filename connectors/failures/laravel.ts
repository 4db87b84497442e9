import { anyOf, given, jsonRefusal, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { refusedJson, refusedPage } from '../kit/refusals.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, firstMember, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

/** Code: for a field the failed rule, else the exception's class. */
function refusal({ message, exception, failed }: Fields): { readonly code: unknown; readonly message: unknown } {
  const rule = firstMember(firstMember(failed)?.[1])?.[0]
  const thrown = typeof exception === 'string' ? /^App\\Exceptions\\(\w+)$/.exec(exception)?.[1] : undefined
  return { code: codeOf(rule ?? thrown, 'studly'), message }
}

/** Apps on Laravel, with Fortify's second factor. */
export const laravel = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'intended'),
    given(
      { status: 401 },
      jsonSays(({ message }) => message === 'Unauthenticated.', 'auth_expired'),
    ),
    given(
      { status: 423 },
      jsonSays((body) => body['two_factor'] === true, 'mfa'),
    ),
    given(
      { status: 419 },
      refusedJson(({ message }) => (message === 'CSRF token mismatch.' ? { code: tokenInvalid, message } : undefined)),
      refusedPage('body > .code + .message', tokenInvalid, { says: /^Page Expired$/ }),
    ),
    jsonRefusal(refusal),
    pageRefusal({
      css: 'main > .alert.alert-danger[role="alert"] > ul > li[data-rule]',
      code: (item) => codeOf(item.attribute('data-rule'), 'studly'),
    }),
  ])
