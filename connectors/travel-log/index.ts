import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as comments from './comments.ts'
import * as steps from './steps.ts'
import * as trips from './trips.ts'
import { headerToken } from './words.ts'

function trouble(body: Fields): Fields {
  return isFields(body['trouble']) ? body['trouble'] : {}
}

/** What the app says, behind which of several steps it says it of. */
function told({ words, about }: Fields): unknown {
  const [, at] = (typeof about === 'string' && /^entries\.(\d+)\./.exec(about)) || []
  return at === undefined ? words : `steps.${at}: ${String(words)}`
}

export const travelLog = connector({
  name: 'Travel log',
  description: "A traveller's trips with steps, stories, photos and videos, and the comments that others leave there.",
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
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('come-in', 'auth_expired'),
    redirectTo('gate/person', 'captcha'),
    redirectTo('gate/digits', 'mfa'),
    jsonSays((body) => trouble(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => trouble(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => trouble(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: trouble(body)['code'], message: told(trouble(body)) })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [trips, steps, comments],
})
