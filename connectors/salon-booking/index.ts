import { rails } from '../failures/rails.ts'
import { dataDome } from '../failures/walls.ts'
import { jsonToken } from '../kit/csrf.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as appointments from './appointments.ts'
import * as clients from './clients.ts'
import * as money from './money.ts'
import * as services from './services.ts'
import * as team from './team.ts'
import { things } from './things.ts'

export const salonBooking = connector({
  name: 'Salon booking',
  description: "A salon's calendar of appointments, its clients, services and team, its takings and its payouts.",
  topics:
    'salon beauty hair hairdresser stylist haircut color manicure nails spa massage appointment client calendar takings payout lunch break',
  role: 'owner, or team member whose permissions cover calendar, clients, reports, wallet',
  origin: '{sandbox}/salon-booking/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'api/v2/me',
    account: ({ who, salon }) => ({ id: fields(who)['account'], label: fields(salon)['title'] }),
  }),
  csrf: jsonToken({ page: '/api/v2/me', field: 'csrf', header: 'x-lustra-csrf' }),
  things,
  failure: firstOf(dataDome, rails({ signIn: 'sign-in', captcha: 'checkpoint/human', mfa: 'checkpoint/code' })),
  endpoints: [appointments, clients, services, team, money],
})
