import { connector } from '../kit/define.ts'
import { firstOf, header, jsonRefusal, jsonSays, pageRefusal, redirectTo } from '../kit/failures.ts'
import { jsonSignIn } from '../kit/sign-in.ts'
import { fields, isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import * as answers from './answers.ts'
import * as questions from './questions.ts'
import { headerSeal } from './seal.ts'
import * as spaces from './spaces.ts'
import * as submissions from './submissions.ts'

function trouble(body: Fields): Fields {
  return isFields(body['trouble']) ? body['trouble'] : {}
}

export const questionAnswer = connector({
  name: 'Question and answer',
  description: 'Questions and answers of a community, with its spaces, their posts and submissions, and their stats.',
  role: 'member; stats and submissions need space owner, admin or moderator',
  origin: '{sandbox}/question-answer/',
  signIn: jsonSignIn({
    page: 'enter',
    who: 'api/self',
    account: ({ self }) => ({ id: fields(self)['handle'], label: fields(self)['circle'] }),
  }),
  csrf: headerSeal,
  failure: firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    redirectTo('enter', 'auth_expired'),
    redirectTo('doorkeeper/puzzle', 'captcha'),
    redirectTo('doorkeeper/code', 'mfa'),
    jsonSays((body) => trouble(body)['code'] === 'SIGN_IN_REQUIRED', 'auth_expired'),
    jsonSays((body) => trouble(body)['code'] === 'HUMAN_CHECK_REQUIRED', 'captcha'),
    jsonSays((body) => trouble(body)['code'] === 'SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal((body) => ({ code: trouble(body)['code'], message: trouble(body)['says'] })),
    pageRefusal({ tag: 'p', class: 'problem', code: 'data-code' }),
  ),
  endpoints: [questions, answers, spaces, submissions],
})
