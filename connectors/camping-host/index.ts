import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as bookings from './bookings.ts'
import * as listings from './listings.ts'
import * as payouts from './payouts.ts'
import * as talk from './talk.ts'
import { headerFern } from './words.ts'

function no(body: Fields): Fields {
  return isFields(body['no']) ? body['no'] : {}
}

export const campingHost = connector({
  name: 'Camping host',
  description:
    "A host's camping sites: listings, calendar and prices, bookings and requests, messages, reviews and payouts.",
  role: 'host account',
  origin: '{sandbox}/camping-host/',
  signIn: jsonSignIn({
    page: 'come-in',
    who: 'host/data/me',
    account: ({ host }) => ({ id: fields(host)['host_no'], label: fields(host)['label'] }),
  }),
  csrf: headerFern,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('come-in', 'auth_expired'),
    redirectTo('check/person', 'captcha'),
    redirectTo('check/code', 'mfa'),
    jsonSays((body) => no(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => no(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => no(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: no(body)['code'], message: no(body)['say'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [listings, bookings, talk, payouts],
})
