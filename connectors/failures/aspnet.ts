import { anyOf, given, jsonRefusal, jsonSays, pageHas, pageRefusal, rejected } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import type { Fields } from '../kit/wire.ts'
import { codeOf, firstItem, firstMember, ledAway, tokenInvalid } from './shared.ts'
import type { Pages } from './shared.ts'

const problem = { 'content-type': /^application\/problem\+json\b/ }
const wait = { 'retry-after': /./ }

/** RFC 9457. Field errors share one `title`; the message is under the field's name in `errors`. */
function refusal(
  { type, title, errors, status: said }: Fields,
  status: number,
): { readonly code: unknown; readonly message: unknown } {
  const [, code] = (typeof type === 'string' && /^https:\/\/[^/]+\/problems\/([^/?#]+)$/.exec(type)) || []
  return {
    code: said === status ? codeOf(code, 'kebab') : undefined,
    message: firstItem(firstMember(errors)?.[1]) ?? title,
  }
}

/** Scripts get an empty 401 with the sign-in page in `Location`. */
const signedOut =
  ({ signIn }: Pages): FailureRule =>
  ({ headers, text }) => {
    const path = URL.parse(headers['location'] ?? '', 'https://app.invalid')?.pathname ?? ''
    return text === '' && path.endsWith(`/${signIn}`) ? { kind: 'auth_expired' } : undefined
  }

/** A wrong CSRF token gets an empty 400. */
const forged: FailureRule = ({ text }) =>
  text === '' ? rejected(tokenInvalid, 'The app did not take the token of the form.') : undefined

/** Apps on ASP.NET Core with Identity. Their rate limiter answers 503. */
export const aspnet = (pages: Pages): FailureRule =>
  anyOf([
    ledAway(pages, 'ReturnUrl'),
    given({ status: 401 }, signedOut(pages)),
    given(
      { status: 403, headers: problem },
      jsonSays((body) => body['requiresTwoFactor'] === true, 'mfa'),
    ),
    given(
      { status: 503, headers: { ...problem, ...wait } },
      jsonSays(({ title }) => title === 'Too many requests', 'rate_limited'),
    ),
    given({ status: 503, headers: wait }, pageHas('body > h2', 'rate_limited', { says: /^Too many requests$/ })),
    given({ status: 400, headers: { 'content-type': /^text\/plain\b/, location: null } }, forged),
    given({ headers: problem }, jsonRefusal(refusal)),
    pageRefusal({
      css: 'main > .validation-summary-errors[role="alert"] > ul > li[data-problem]',
      code: (item) => codeOf(item.attribute('data-problem'), 'kebab'),
    }),
  ])
