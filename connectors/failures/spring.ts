import { anyOf, given, jsonRefusal, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { refusedJson, refusedPage } from '../kit/refusals.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, firstItem, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

/** For a field, the last of its codes is the one without the field's name. */
function refusal(body: Fields, status: number): { readonly code: unknown; readonly message: unknown } {
  if (body['status'] !== status) return { code: undefined, message: undefined }
  const error = firstItem(body['errors'])
  if (!isFields(error)) return { code: codeOf(body['reason'], 'dotted'), message: body['message'] }
  const { codes, defaultMessage } = error
  return { code: codeOf(Array.isArray(codes) ? codes.at(-1) : undefined, 'dotted'), message: defaultMessage }
}

/** Apps on Spring Boot with Spring Security. */
export const spring = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'service'),
    given(
      { status: 401, headers: { 'www-authenticate': /^FormBased$/ } },
      jsonSays(({ message }) => message === 'Full authentication is required to access this resource', 'auth_expired'),
    ),
    given(
      { status: 403, headers: { 'www-authenticate': /\berror="insufficient_user_authentication"/ } },
      jsonSays(({ message }) => message === 'Missing authority FACTOR_OTT', 'mfa'),
    ),
    given(
      { status: 403 },
      refusedJson(({ message }) =>
        message === 'Invalid CSRF token found' ? { code: tokenInvalid, message } : undefined,
      ),
      refusedPage('body > h1 + div', tokenInvalid, { says: /\(type=Forbidden, status=403\)\.$/ }),
    ),
    jsonRefusal(refusal),
    pageRefusal({
      css: 'main > .error[role="alert"][th-errors]',
      code: (said) => codeOf(said.attribute('th-errors'), 'dotted'),
    }),
  ])
