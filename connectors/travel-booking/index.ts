import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as bookings from './bookings.ts'
import * as changes from './changes.ts'
import * as trips from './trips.ts'
import { headerSeal } from './words.ts'

function sorry(body: Fields): Fields {
  return isFields(body['sorry']) ? body['sorry'] : {}
}

export const travelBooking = connector({
  name: 'Travel booking',
  description: 'Trains, buses, flights and ferries: search and book them, get tickets, change departures and cancel.',
  role: 'own account',
  origin: '{sandbox}/travel-booking/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'trips/x/me',
    account: ({ traveller }) => ({ id: fields(traveller)['accountCode'], label: fields(traveller)['household'] }),
  }),
  csrf: headerSeal,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('sign-in', 'auth_expired'),
    redirectTo('check/human', 'captcha'),
    redirectTo('check/code', 'mfa'),
    jsonSays((body) => sorry(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => sorry(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => sorry(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: sorry(body)['code'], message: sorry(body)['words'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [trips, bookings, changes],
})
