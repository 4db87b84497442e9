import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as availability from './availability.ts'
import * as bookings from './bookings.ts'
import * as products from './products.ts'
import * as talk from './talk.ts'
import { headerToken } from './words.ts'

function fault(body: Fields): Fields {
  return isFields(body['fault']) ? body['fault'] : {}
}

export const tourSupplier = connector({
  name: 'Tour supplier',
  description:
    "A tour supplier's portal on a marketplace: bookings, products, availability and prices, travelers' messages and reviews.",
  role: 'supplier portal account',
  origin: '{sandbox}/tour-supplier/',
  signIn: jsonSignIn({
    page: 'login',
    who: 'extranet/rest/session',
    account: ({ supplier }) => ({ id: fields(supplier)['code'], label: fields(supplier)['label'] }),
  }),
  csrf: headerToken,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('login', 'auth_expired'),
    redirectTo('challenge/human', 'captcha'),
    redirectTo('challenge/code', 'mfa'),
    jsonSays((body) => fault(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => fault(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => fault(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: fault(body)['code'], message: fault(body)['text'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [bookings, products, availability, talk],
})
