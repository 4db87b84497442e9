import { wordpress } from '../failures/wordpress.ts'
import { wordfence } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as bookings from './bookings.ts'
import * as listings from './listings.ts'
import * as payouts from './payouts.ts'
import * as talk from './talk.ts'
import { things } from './things.ts'
import { headerFern } from './shared.ts'

export const campingHost = connector({
  name: 'Camping host',
  description:
    "A host's camping sites: listings, calendar and prices, bookings and requests, messages, reviews and payouts.",
  topics:
    'camping campsite campground pitch tent caravan van motorhome rv camper meadow farm land glamping nights stay host guests arrival',
  role: 'host account',
  origin: '{sandbox}/camping-host/',
  signIn: jsonSignIn({
    page: 'come-in',
    who: 'host/data/me',
    account: ({ host }) => ({ id: fields(host)['host_no'], label: fields(host)['label'] }),
  }),
  csrf: headerFern,
  things,
  failure: firstOf(wordfence, wordpress({ signIn: 'come-in', captcha: 'check/person', mfa: 'check/code' })),
  endpoints: [listings, bookings, talk, payouts],
})
