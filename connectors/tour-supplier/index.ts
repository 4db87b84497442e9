import { rpc } from '../failures/rpc.ts'
import { human } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as availability from './availability.ts'
import * as bookings from './bookings.ts'
import * as products from './products.ts'
import * as talk from './talk.ts'
import { things } from './things.ts'
import { headerToken } from './shared.ts'

export const tourSupplier = connector({
  name: 'Tour supplier',
  description:
    "A tour supplier's portal on a marketplace: bookings, products, availability and prices, travelers' messages and reviews.",
  topics:
    'tour supplier marketplace traveler guide walk kayak boat departure option seats capacity retail price booking review message',
  role: 'supplier portal account',
  origin: '{sandbox}/tour-supplier/',
  signIn: jsonSignIn({
    page: 'login',
    who: 'extranet/rest/session',
    account: ({ supplier }) => ({ id: fields(supplier)['code'], label: fields(supplier)['label'] }),
  }),
  csrf: headerToken,
  things,
  failure: firstOf(human, rpc({ signIn: 'login', captcha: 'challenge/human', mfa: 'challenge/code' })),
  endpoints: [bookings, products, availability, talk],
})
