import { anyOf, given, jsonRefusal, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { refusedJson, refusedPage } from '../kit/refusals.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

/** The code of a `WP_Error` whose data repeat the answer's status. */
function codeAt({ code, data }: Fields, status: number): unknown {
  return isFields(data) && data['status'] === status ? code : undefined
}

const is = (code: string) => (body: Fields, status: number) => codeAt(body, status) === code

/** WordPress's REST API and its plugins. */
export const wordpress = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'redirect_to'),
    given(
      { status: 401 },
      jsonSays(is('rest_not_logged_in'), 'auth_expired'),
      jsonSays(is('two_factor_required'), 'mfa'),
    ),
    given(
      { status: 403 },
      jsonSays(is('jetpack_captcha_required'), 'captcha'),
      refusedJson((body, status) =>
        is('rest_cookie_invalid_nonce')(body, status) ? { code: tokenInvalid, message: body['message'] } : undefined,
      ),
      refusedPage('body > .wp-die-message', tokenInvalid, { says: /^The link you followed has expired\.$/ }),
    ),
    jsonRefusal((body, status) => ({ code: codeOf(codeAt(body, status), 'snake'), message: body['message'] })),
    pageRefusal({
      css: 'main > .notice.notice-error[role="alert"][data-wp-error]',
      code: (notice) => codeOf(notice.attribute('data-wp-error'), 'snake'),
    }),
  ])
