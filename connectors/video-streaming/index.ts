import { django } from '../failures/django.ts'
import { akamai } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as analytics from './analytics.ts'
import * as collections from './collections.ts'
import * as community from './community.ts'
import * as coupons from './coupons.ts'
import * as live from './live.ts'
import { headerTicket } from './proof.ts'
import * as publishing from './publishing.ts'
import { things } from './things.ts'
import * as videos from './videos.ts'

export const videoStreaming = connector({
  name: 'Video streaming',
  description:
    "A studio's videos, collections and live events for paying members, with its analytics, coupons and community channels.",
  topics:
    'video film studio streaming members subscribers series episode playlist collection live stream broadcast analytics community channel upload',
  role: 'admin',
  origin: '{sandbox}/video-streaming/',
  signIn: jsonSignIn({
    page: 'sign-in',
    who: 'api/whoami',
    account: ({ payload }) => ({ id: fields(payload)['studio'], label: fields(payload)['label'] }),
  }),
  csrf: headerTicket,
  things,
  failure: firstOf(akamai, django({ signIn: 'sign-in', captcha: 'checks/human', mfa: 'checks/code' })),
  endpoints: [videos, publishing, collections, live, analytics, community, coupons],
})
