import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as activities from './activities.ts'
import * as bookings from './bookings.ts'
import * as messages from './messages.ts'
import * as money from './money.ts'
import { headerSeal } from './proof.ts'
import * as sales from './sales.ts'

export const tourActivity = connector({
  name: 'Tour activity',
  description:
    "A provider's tours and activities on a booking portal: bookings, calendar and quotas, messages, reviews and settlements.",
  role: 'provider panel account',
  origin: '{sandbox}/tour-activity/',
  signIn: jsonSignIn({
    page: 'entrar',
    who: 'panel/me',
    account: ({ provider }) => ({ id: fields(provider)['id'], label: fields(provider)['label'] }),
  }),
  csrf: headerSeal,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('entrar', 'auth_expired'),
    redirectTo('control/humano', 'captcha'),
    redirectTo('control/codigo', 'mfa'),
    jsonSays(({ code }) => code === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays(({ code }) => code === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays(({ code }) => code === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal(({ code, msg }) => ({ code, message: msg })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [activities, bookings, sales, messages, money],
})
