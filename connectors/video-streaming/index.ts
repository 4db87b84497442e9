import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as analytics from './analytics.ts'
import * as collections from './collections.ts'
import * as community from './community.ts'
import * as coupons from './coupons.ts'
import * as live from './live.ts'
import { headerTicket } from './proof.ts'
import * as publishing from './publishing.ts'
import * as videos from './videos.ts'

function fault(body: Fields): Fields {
  return isFields(body['fault']) ? body['fault'] : {}
}

export const videoStreaming = connector({
  name: 'Video streaming',
  description:
    "A studio's videos, collections and live events for paying members, with its analytics, coupons and community channels.",
  role: 'admin',
  origin: '{sandbox}/video-streaming/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'api/whoami',
    account: ({ payload }) => ({ id: fields(payload)['studio'], label: fields(payload)['label'] }),
  }),
  csrf: headerTicket,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('sign-in', 'auth_expired'),
    redirectTo('checks/human', 'captcha'),
    redirectTo('checks/code', 'mfa'),
    jsonSays((body) => fault(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => fault(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => fault(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: fault(body)['code'], message: fault(body)['text'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [videos, publishing, collections, live, analytics, community, coupons],
})
