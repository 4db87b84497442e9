import { django } from '../failures/django.ts'
import { akamai } from '../failures/walls.ts'
import { connector } from '../kit/define.ts'
import { firstOf } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields } from '../kit/wire.ts'
import * as answers from './answers.ts'
import * as questions from './questions.ts'
import { headerSeal } from './seal.ts'
import * as spaces from './spaces.ts'
import * as submissions from './submissions.ts'
import { things } from './things.ts'

export const questionAnswer = connector({
  name: 'Question and answer',
  description: 'Questions and answers of a community, with its spaces, their posts and submissions, and their stats.',
  topics: 'questions answers community q&a forum space topic followers upvotes opinion expert submission post group',
  role: 'member; stats and submissions need space owner, admin or moderator',
  origin: '{sandbox}/question-answer/',
  signIn: jsonSignIn({
    page: 'enter',
    who: 'api/self',
    account: ({ self }) => ({ id: fields(self)['handle'], label: fields(self)['circle'] }),
  }),
  csrf: headerSeal,
  things,
  failure: firstOf(akamai, django({ signIn: 'enter', captcha: 'doorkeeper/puzzle', mfa: 'doorkeeper/code' })),
  endpoints: [questions, answers, spaces, submissions],
})
