import { jsonapi } from '../failures/jsonapi.ts'
import { awsWaf } from '../failures/walls.ts'
import { jsonToken } from '../kit/csrf.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import * as appointments from './appointments.ts'
import * as clients from './clients.ts'
import { attributes, tooLong } from './documents.ts'
import * as locations from './locations.ts'
import * as reviews from './reviews.ts'
import { things } from './things.ts'
import * as waitlist from './waitlist.ts'

export const salon = connector({
  name: 'Salon',
  description:
    "A salon business's calendar, services and waitlist at each of its locations, its chats with clients and its reviews.",
  topics:
    'salon beauty hair barber stylist haircut color facial massage nails spa provider location branch appointment waitlist chat review client',
  role: 'business login; multi-location',
  origin: '{sandbox}/salon/',
  signIn: jsonSignIn({
    page: 'login',
    who: 'business/api/me',
    account: ({ data }) => ({ id: attributes(data)['shop_no'], label: attributes(data)['label'] }),
  }),
  csrf: jsonToken({ page: '/business/api/me', field: 'slip', header: 'x-tressario-slip' }),
  things,
  failure: firstOf(awsWaf, jsonapi({ signIn: 'login', captcha: 'are-you-human', mfa: 'second-step' }), tooLong),
  endpoints: [locations, appointments, clients, waitlist, reviews],
})
