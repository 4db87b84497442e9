import { anyOf, given, jsonRefusal, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { refusedJson, refusedPage } from '../kit/refusals.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, firstItem, firstMember, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

/** A field's message is in `errors`, its code in `details`. */
function refusal({ errors, details }: Fields): { readonly code: unknown; readonly message: unknown } {
  const [field, messages] = firstMember(errors) ?? []
  const first = field !== undefined && isFields(details) ? firstItem(details[field]) : undefined
  return { code: isFields(first) ? codeOf(first['error'], 'snake') : undefined, message: firstItem(messages) }
}

const forged = 'ActionController::InvalidAuthenticityToken'

/** Apps on Ruby on Rails with Devise, which answers 401 for the second factor too. */
export const rails = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'return_to'),
    given(
      { status: 401 },
      jsonSays((body) => typeof body['error'] === 'string' && typeof body['otp_path'] === 'string', 'mfa'),
      jsonSays(
        ({ error, otp_path }) =>
          error === 'You need to sign in or sign up before continuing.' && otp_path === undefined,
        'auth_expired',
      ),
    ),
    given(
      { status: 422 },
      refusedJson(({ exception, error }) =>
        exception === forged ? { code: tokenInvalid, message: error } : undefined,
      ),
      refusedPage('body > .dialog h1', tokenInvalid, { says: /^The change you wanted was rejected\.$/ }),
    ),
    jsonRefusal(refusal),
    pageRefusal({
      css: 'main > #error_explanation[role="alert"] > ul > li[data-error]',
      code: (item) => codeOf(item.attribute('data-error'), 'snake'),
    }),
  ])
