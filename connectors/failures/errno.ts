import { anyOf, given, jsonRefusal, jsonSays, pageRefusal } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { refusedJson } from '../kit/refusals.ts'
import { isFields } from '../kit/wire.ts'
import { codeOf, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

const signedOut = 40_101
const verificationNeeded = 40_317
const formTokenWrong = 40_303

/** `{ errno, errmsg, data }`: `errno` is the platform's code, `data.key` the app's. */
export const errno = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'from'),
    given(
      { status: 401 },
      jsonSays((body) => body['errno'] === signedOut, 'auth_expired'),
    ),
    given(
      { status: 403 },
      jsonSays((body) => body['errno'] === verificationNeeded, 'mfa'),
      refusedJson((body) =>
        body['errno'] === formTokenWrong ? { code: tokenInvalid, message: body['errmsg'] } : undefined,
      ),
    ),
    jsonRefusal(({ errno: number, errmsg, data }, status) => ({
      code: number === 100 * status && isFields(data) ? codeOf(data['key'], 'snake') : undefined,
      message: errmsg,
    })),
    pageRefusal({
      css: 'main > .weui-toptips.weui-toptips_warn[role="alert"][data-key]',
      code(tip) {
        const key = tip.attribute('data-key')
        return key === String(formTokenWrong) ? tokenInvalid : codeOf(key, 'snake')
      },
    }),
  ])
