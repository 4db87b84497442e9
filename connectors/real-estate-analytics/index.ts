import { spring } from '../failures/spring.ts'
import { imperva } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import * as alerts from './alerts.ts'
import * as analysis from './analysis.ts'
import * as markets from './markets.ts'
import * as presets from './presets.ts'
import * as properties from './properties.ts'
import * as saved from './saved.ts'
import { things } from './things.ts'
import { headerKey } from './shared.ts'

export const realEstateAnalytics = connector({
  name: 'Real-estate analytics',
  description:
    'Homes for sale ranked by what they would earn as rentals, with analyses, comparables, markets, filter presets, saved homes and alerts.',
  topics:
    'real estate investing investor rental returns airbnb vacation rental cash flow cap rate market neighborhood comps analysis house for sale alert preset',
  role: 'investor account',
  origin: '{sandbox}/real-estate-analytics/',
  signIn: jsonSignIn({
    page: 'login',
    who: 'api/desk',
    account: ({ desk_no, label }) => ({ id: desk_no, label }),
  }),
  csrf: headerKey,
  things,
  failure: firstOf(imperva, spring({ signIn: 'login', captcha: 'verify/person', mfa: 'verify/code' })),
  endpoints: [properties, analysis, markets, presets, saved, alerts],
})
