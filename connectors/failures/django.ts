import { anyOf, given, jsonRefusal, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { refusedJson, refusedPage } from '../kit/refusals.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, firstItem, firstMember, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

/** Turns the app's message about a field into the text that agents read. */
export type ToldOf = (message: unknown, field: string) => unknown

/** `{ detail, code }`, or a field's name with its errors. */
function refusal(body: Fields, told: ToldOf): { readonly code: unknown; readonly message: unknown } {
  const [field, problems] = firstMember(body) ?? []
  const first = firstItem(problems)
  if (field === undefined || !isFields(first)) return { code: codeOf(body['code'], 'snake'), message: body['detail'] }
  return { code: codeOf(first['code'], 'snake'), message: told(first['message'], field) }
}

/** Apps on Django REST framework, which answers 403 when signed out. */
export const django = (pages: Pages, told: ToldOf = (message) => message): FailureRule =>
  anyOf([
    ledAway(pages, 'next'),
    given(
      { status: 403 },
      jsonSays(
        ({ detail, code }) => detail === 'Authentication credentials were not provided.' && code === undefined,
        'auth_expired',
      ),
      jsonSays(
        ({ detail, otp_url }) => detail === 'A verified one-time password is required.' && typeof otp_url === 'string',
        'mfa',
      ),
      refusedJson(({ detail, code }) =>
        typeof detail === 'string' && detail.startsWith('CSRF Failed: ') && code === undefined
          ? { code: tokenInvalid, message: detail }
          : undefined,
      ),
      refusedPage('body > #summary > p', tokenInvalid, { says: /^CSRF verification failed\./ }),
    ),
    jsonRefusal((body) => refusal(body, told)),
    pageRefusal({
      css: 'main > ul.errorlist[role="alert"] > li[class]',
      code: (item) => codeOf(item.attribute('class'), 'snake'),
    }),
  ])
