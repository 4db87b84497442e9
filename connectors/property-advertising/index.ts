import { connector } from '../kit/define.ts'
import { jsonToken } from '../kit/csrf.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as contacts from './contacts.ts'
import * as demands from './demands.ts'
import * as listings from './listings.ts'

function problem(body: Fields): Fields {
  return isFields(body['problem']) ? body['problem'] : {}
}

export const propertyAdvertising = connector({
  name: 'Property advertising',
  description:
    'Listings of homes for sale and to rent on a property portal, the people who ask about them, and what people look for.',
  role: 'private advertiser or agency user',
  origin: '{sandbox}/property-advertising/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'api/session',
    account: ({ advertiser }) => ({ id: fields(advertiser)['no'], label: fields(advertiser)['trade_name'] }),
  }),
  csrf: jsonToken({ page: '/api/session', field: 'token', header: 'x-casavia-token' }),
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('sign-in', 'auth_expired'),
    redirectTo('security/human', 'captcha'),
    redirectTo('security/code', 'mfa'),
    jsonSays((body) => problem(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => problem(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => problem(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: problem(body)['code'], message: problem(body)['text'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [listings, contacts, demands],
})
