import { rails } from '../failures/rails.ts'
import { dataDome } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as bookings from './bookings.ts'
import * as changes from './changes.ts'
import { things } from './things.ts'
import * as trips from './trips.ts'
import { headerSeal } from './shared.ts'

export const travelBooking = connector({
  name: 'Travel booking',
  description: 'Trains, buses, flights and ferries: search and book them, get tickets, change departures and cancel.',
  topics:
    'train bus flight ferry plane ticket fare passenger departure connection journey seat refund flex station airport',
  role: 'own account',
  origin: '{sandbox}/travel-booking/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'trips/x/me',
    account: ({ traveller }) => ({ id: fields(traveller)['accountCode'], label: fields(traveller)['household'] }),
  }),
  csrf: headerSeal,
  things,
  failure: firstOf(dataDome, rails({ signIn: 'sign-in', captcha: 'check/human', mfa: 'check/code' })),
  endpoints: [trips, bookings, changes],
})
