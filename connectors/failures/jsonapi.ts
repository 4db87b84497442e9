import { anyOf, given, jsonRefusal, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, firstItem, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

/** The first error, if it repeats the answer's status. */
function only({ errors }: Fields, status: number): Fields {
  const first = firstItem(errors)
  return isFields(first) && first['status'] === String(status) ? first : {}
}

function named(code: unknown): string | undefined {
  return code === 'token_mismatch' ? tokenInvalid : codeOf(code, 'snake')
}

/** Errors of https://jsonapi.org, only under its own media type. */
export const jsonapi = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'back'),
    given(
      { headers: { 'content-type': /^application\/vnd\.api\+json\b/ } },
      jsonSays((body, status) => status === 401 && only(body, status)['code'] === 'session_missing', 'auth_expired'),
      jsonSays((body, status) => status === 403 && only(body, status)['code'] === 'session_unconfirmed', 'mfa'),
      jsonRefusal((body, status) => {
        const { code, title } = only(body, status)
        return { code: named(code), message: title }
      }),
    ),
    pageRefusal({
      css: 'main > section.errors[role="alert"] > p[id^="error-"]',
      code: (said) => named(said.attribute('id').slice('error-'.length)),
    }),
  ])
