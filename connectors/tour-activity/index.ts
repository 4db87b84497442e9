import { errno } from '../failures/errno.ts'
import { cloudflare } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as activities from './activities.ts'
import * as bookings from './bookings.ts'
import * as messages from './messages.ts'
import * as money from './money.ts'
import { headerSeal } from './proof.ts'
import * as sales from './sales.ts'
import { things } from './things.ts'

export const tourActivity = connector({
  name: 'Tour activity',
  description:
    "A provider's tours and activities on a booking portal: bookings, calendar and quotas, messages, reviews and settlements.",
  topics:
    'tour activity excursion guide walk kayak boat city tour traveller provider departure day quota places booking settlement commission',
  role: 'provider panel account',
  origin: '{sandbox}/tour-activity/',
  signIn: jsonSignIn({
    page: 'entrar',
    who: 'panel/me',
    account: ({ provider }) => ({ id: fields(provider)['id'], label: fields(provider)['label'] }),
  }),
  csrf: headerSeal,
  things,
  failure: firstOf(cloudflare, errno({ signIn: 'entrar', captcha: 'control/humano', mfa: 'control/codigo' })),
  endpoints: [activities, bookings, sales, messages, money],
})
