import { jsonToken } from '../kit/csrf.ts'
import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as appointments from './appointments.ts'
import * as clients from './clients.ts'
import * as money from './money.ts'
import * as services from './services.ts'
import * as team from './team.ts'

/** The app tells one error at a time. */
function problem(body: Fields): Fields {
  const first: unknown = Array.isArray(body['errors']) ? body['errors'][0] : undefined
  return isFields(first) ? first : {}
}

export const salonBooking = connector({
  name: 'Salon booking',
  description: "A salon's calendar of appointments, its clients, services and team, its takings and its payouts.",
  role: 'owner, or team member whose permissions cover calendar, clients, reports, wallet',
  origin: '{sandbox}/salon-booking/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'api/v2/me',
    account: ({ who, salon }) => ({ id: fields(who)['account'], label: fields(salon)['title'] }),
  }),
  csrf: jsonToken({ page: '/api/v2/me', field: 'csrf', header: 'x-lustra-csrf' }),
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('sign-in', 'auth_expired'),
    redirectTo('checkpoint/human', 'captcha'),
    redirectTo('checkpoint/code', 'mfa'),
    jsonSays((body) => problem(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => problem(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => problem(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: problem(body)['code'], message: problem(body)['detail'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [appointments, clients, services, team, money],
})
