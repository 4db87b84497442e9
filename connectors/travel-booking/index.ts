import { connector } from '../kit/define.ts'
import { usualFailures } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
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
  failure: usualFailures({
    pages: { signIn: 'sign-in', captcha: 'check/human', mfa: 'check/code' },
    refusal({ sorry }) {
      const { code, words } = isFields(sorry) ? sorry : {}
      return { code, message: words }
    },
  }),
  endpoints: [trips, bookings, changes],
})
