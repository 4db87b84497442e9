import { spring } from '../failures/spring.ts'
import { imperva } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import * as attendees from './attendees.ts'
import * as events from './events.ts'
import * as mailings from './mailings.ts'
import * as sessions from './sessions.ts'
import { headerStamp } from './stamp.ts'
import { things } from './things.ts'

export const eventManagement = connector({
  name: 'Event management',
  description:
    "An organizer's events with their attendees, registrations, agenda, speakers, mailings and post-event reports.",
  topics:
    'event organizer conference summit congress trade fair keynote session talk agenda program track speaker stage attendee delegate registration ticket badge venue mailing',
  role: 'organizer',
  origin: '{sandbox}/event-management/',
  signIn: jsonSignIn({
    page: 'enter',
    who: 'organizer/v1/me',
    account: ({ organizer_no, house }) => ({ id: organizer_no, label: house }),
  }),
  csrf: headerStamp,
  things,
  failure: firstOf(imperva, spring({ signIn: 'enter', captcha: 'gate/human', mfa: 'gate/code' })),
  endpoints: [events, attendees, sessions, mailings],
})
