import { connector } from '../kit/define.ts'
import { usualFailures } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as contacts from './contacts.ts'
import * as events from './events.ts'
import * as guests from './guests.ts'
import * as messages from './messages.ts'
import { things } from './things.ts'
import { headerKey } from './shared.ts'

function trouble(body: Fields): Fields {
  return isFields(body['trouble']) ? body['trouble'] : {}
}

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
  failure: usualFailures({
    pages: { signIn: 'hello', captcha: 'door/human', mfa: 'door/code' },
    refusal: (body) => ({ code: trouble(body)['code'], message: trouble(body)['text'] }),
  }),
  things,
  endpoints: [events, guests, messages, contacts],
})
