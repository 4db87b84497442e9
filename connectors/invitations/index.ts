import { wordpress } from '../failures/wordpress.ts'
import { wordfence } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as contacts from './contacts.ts'
import * as events from './events.ts'
import * as guests from './guests.ts'
import * as messages from './messages.ts'
import { things } from './things.ts'
import { headerKey } from './shared.ts'

export const invitations = connector({
  name: 'Invitations',
  description:
    'Invitation cards and flyers for events, their guest lists with replies, messages to the guests, and an address book.',
  topics:
    'party birthday wedding shower dinner invitation card flyer guest list rsvp reply host cohost family friends aunt cousin address book',
  role: 'host or co-host of the event',
  origin: '{sandbox}/invitations/',
  signIn: jsonSignIn({
    page: 'hello',
    who: 'api/whoami',
    account: ({ member }) => ({ id: fields(member)['memberCode'], label: fields(member)['household'] }),
  }),
  numbered: {
    event: { code: 'PARTY_NOT_FOUND', message: 'You have no party with this number.' },
    guest: { code: 'GUEST_NOT_FOUND', message: 'Nobody on the guest list has this number.' },
  },
  csrf: headerKey,
  failure: firstOf(wordfence, wordpress({ signIn: 'hello', captcha: 'door/human', mfa: 'door/code' })),
  things,
  endpoints: [events, guests, messages, contacts],
})
