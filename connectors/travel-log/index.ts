import { django } from '../failures/django.ts'
import { akamai } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import * as comments from './comments.ts'
import * as steps from './steps.ts'
import { things } from './things.ts'
import * as trips from './trips.ts'
import { headerToken } from './shared.ts'

/** The app's message, prefixed with the index of the step that it is about. */
function told(words: unknown, field: string): unknown {
  const [, at] = /^entries\.(\d+)\./.exec(field) ?? []
  return at === undefined ? words : `steps.${at}: ${String(words)}`
}

export const travelLog = connector({
  name: 'Travel log',
  description: "A traveller's trips with steps, stories, photos and videos, and the comments that others leave there.",
  topics:
    'travel diary journal trip journey step stop place story photos route countries kilometres followers comments vacation backpacking',
  role: 'own account',
  origin: '{sandbox}/travel-log/',
  signIn: jsonSignIn({
    page: 'come-in',
    who: 'v3/self',
    account: ({ traveller_no, called }) => ({ id: traveller_no, label: called }),
  }),
  csrf: headerToken,
  numbered: {
    trip: { code: 'JOURNEY_NOT_FOUND', message: 'You have no such journey.' },
    step: { code: 'ENTRY_NOT_FOUND', message: 'You have no such entry.' },
    comment: { code: 'REMARK_NOT_FOUND', message: 'You have no such remark.' },
  },
  things,
  failure: firstOf(akamai, django({ signIn: 'come-in', captcha: 'gate/person', mfa: 'gate/digits' }, told)),
  endpoints: [trips, steps, comments],
})
