import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as alerts from './alerts.ts'
import * as analysis from './analysis.ts'
import * as markets from './markets.ts'
import * as presets from './presets.ts'
import * as properties from './properties.ts'
import * as saved from './saved.ts'
import { headerKey } from './words.ts'

function err(body: Fields): Fields {
  return isFields(body['err']) ? body['err'] : {}
}

export const realEstateAnalytics = connector({
  name: 'Real-estate analytics',
  description:
    'Homes for sale ranked by what they would earn as rentals, with analyses, comparables, markets, filter presets, saved homes and alerts.',
  role: 'investor account',
  origin: '{sandbox}/real-estate-analytics/',
  signIn: jsonSignIn({
    page: 'login',
    who: 'api/desk',
    account: ({ desk_no, label }) => ({ id: desk_no, label }),
  }),
  csrf: headerKey,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('login', 'auth_expired'),
    redirectTo('verify/person', 'captcha'),
    redirectTo('verify/code', 'mfa'),
    jsonSays((body) => err(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => err(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => err(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: err(body)['code'], message: err(body)['why'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [properties, analysis, markets, presets, saved, alerts],
})
