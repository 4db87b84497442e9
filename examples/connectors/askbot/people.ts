import { NullableText, Type, UnknownShape, closed, endpoint, id, labelled, refTo, select } from '@callgate/kit'
import { At, momentIn, numberIn } from './shared.ts'

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
    tags: Type.Array(closed({ tag: Type.String() }), { description: 'The tags that they are at home in.' }),
    about: NullableText,
  },
  answer: 'page',
  decode: (_fields, { page, location }) => {
    const at = select(page)
    const info = at.select('.user-info-table')
    const about = at.select('.user-info-about-text').text()
    const times = info.all('.js-timeago')
    const since = times[0]
    if (since === undefined) throw new UnknownShape('no .js-timeago')
    return {
      user_id: numberIn(location, 'users'),
      name: at.first('.user-info-avatar-block .js-avatar, .user-profile-info .js-avatar').attribute('title'),
      member_since: momentIn(since),
      questions: Number(at.select('#questions h2 .count').text()),
      tags: at.any('#tags .js-tag-name').map((tag) => ({ tag: tag.attribute('data-tag-name') })),
      about: about === '' ? null : about,
    }
  },
})
