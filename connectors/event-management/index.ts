import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import * as attendees from './attendees.ts'
import * as events from './events.ts'
import * as mailings from './mailings.ts'
import * as sessions from './sessions.ts'
import { headerStamp } from './stamp.ts'

export const eventManagement = connector({
  name: 'Event management',
  description:
    "An organizer's events with their attendees, registrations, agenda, speakers, mailings and post-event reports.",
  role: 'organizer',
  origin: '{sandbox}/event-management/',
  signIn: jsonSignIn({
    page: 'enter',
    who: 'organizer/v1/me',
    account: ({ organizer_no, house }) => ({ id: organizer_no, label: house }),
  }),
  csrf: headerStamp,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('enter', 'auth_expired'),
    redirectTo('gate/human', 'captcha'),
    redirectTo('gate/code', 'mfa'),
    jsonSays(({ code }) => code === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays(({ code }) => code === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays(({ code }) => code === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal(({ code, error_detail }) => ({ code, message: error_detail })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [events, attendees, sessions, mailings],
})
