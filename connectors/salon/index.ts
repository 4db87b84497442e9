import { jsonToken } from '../kit/csrf.ts'
import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as appointments from './appointments.ts'
import * as clients from './clients.ts'
import { attributes, tooLong } from './documents.ts'
import * as locations from './locations.ts'
import * as reviews from './reviews.ts'
import * as waitlist from './waitlist.ts'

/** The app tells one error at a time. */
function problem(body: Fields): Fields {
  const first: unknown = Array.isArray(body['errors']) ? body['errors'][0] : undefined
  return isFields(first) ? first : {}
}

export const salon = connector({
  name: 'Salon',
  description:
    "A salon business's calendar, services and waitlist at each of its locations, its chats with clients and its reviews.",
  role: 'business login; multi-location',
  origin: '{sandbox}/salon/',
  signIn: jsonSignIn({
    page: 'login',
    who: 'business/api/me',
    account: ({ data }) => ({ id: attributes(data)['shop_no'], label: attributes(data)['label'] }),
  }),
  csrf: jsonToken({ page: '/business/api/me', field: 'slip', header: 'x-tressario-slip' }),
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('login', 'auth_expired'),
    redirectTo('are-you-human', 'captcha'),
    redirectTo('second-step', 'mfa'),
    jsonSays((body) => problem(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => problem(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => problem(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: problem(body)['code'], message: problem(body)['title'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
    tooLong,
  ),
  endpoints: [locations, appointments, clients, waitlist, reviews],
})
