import { rpc } from '../failures/rpc.ts'
import { human } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { jsonToken } from '../kit/csrf.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as contacts from './contacts.ts'
import * as demands from './demands.ts'
import * as inbox from './inbox.ts'
import * as listingChanges from './listing-changes.ts'
import * as listings from './listings.ts'
import { things } from './things.ts'

export const propertyAdvertising = connector({
  name: 'Property advertising',
  description:
    'Listings of homes for sale and to rent on a property portal, the people who ask about them, and what people look for.',
  topics:
    'real estate agent property portal listing ad flat apartment house home rent sale buyer tenant viewing inquiry lead demand',
  role: 'private advertiser or agency user',
  origin: '{sandbox}/property-advertising/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'api/session',
    account: ({ advertiser }) => ({ id: fields(advertiser)['no'], label: fields(advertiser)['trade_name'] }),
  }),
  csrf: jsonToken({ page: '/api/session', field: 'token', header: 'x-casavia-token' }),
  things,
  failure: firstOf(human, rpc({ signIn: 'sign-in', captcha: 'security/human', mfa: 'security/code' })),
  endpoints: [listings, listingChanges, contacts, inbox, demands],
})
