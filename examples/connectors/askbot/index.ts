import { connector, cookieToken, firstOf, notFoundOn, select } from '@callgate/kit'
import * as answers from './answers.ts'
import * as comments from './comments.ts'
import * as people from './people.ts'
import * as questions from './questions.ts'
import { me, signedOut } from './shared.ts'
import * as tags from './tags.ts'
import { things } from './things.ts'
import * as votes from './votes.ts'

/** askbot 0.13 in English, with its usual settings. Its pages can be read without signing in: each says who is signed in. */
export default connector({
  name: 'askbot',
  description: 'Questions and answers of a forum that runs askbot, with comments, votes and tags.',
  role: 'member; what a member may do grows with their karma',
  origin: { ask: 'Address of the forum', selfHosted: true },
  signIn: { page: 'account/signin/', who: { page: 'help/', account: me } },
  csrf: cookieToken({ page: '/help/', cookie: '_csrf', header: 'X-CSRFToken' }),
  things,
  version: (page) =>
    select(page)
      .optional('.footer-row a[href="http://askbot.com"]')
      ?.text()
      .match(/version (\S+)/)?.[1] ?? null,
  failure: firstOf(signedOut, notFoundOn(404)),
  endpoints: [questions, answers, comments, votes, tags, people],
})
