import { Type, UnknownShape, endpoint, id, labelled, refTo, select } from '@callgate/kit'
import { At, momentIn, numberIn, whole } from './shared.ts'

export const get_user = endpoint({
  summary: "Read a member's profile.",
  label: 'Show a member',
  brief: ['user_id'],
  access: 'read',
  request: 'GET /users/{user_id}/-/',
  input: { user_id: labelled('Member', id('user', 'Which member: author_id of a question, an answer or a comment.')) },
  output: {
    user_id: refTo('user'),
    name: Type.String({ description: 'The name that the forum shows.' }),
    member_since: At,
    questions: Type.Integer({ description: 'How many questions they have asked.' }),
    last_seen: At,
  },
  answer: 'page',
  decode: (_fields, { page, location }) => {
    const at = select(page)
    const [since, seen, ...others] = at.select('.user-info-table').all('.js-timeago')
    if (since === undefined || seen === undefined || others.length > 0) throw new UnknownShape('not two .js-timeago')
    return {
      user_id: numberIn(location, 'users'),
      name: at.first('.user-info-avatar-block .js-avatar').attribute('title'),
      member_since: momentIn(since),
      last_seen: momentIn(seen),
      questions: whole(at.select('#questions h2 .count').text()),
    }
  },
})
