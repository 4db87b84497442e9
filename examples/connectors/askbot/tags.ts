import {
  Type,
  UnknownShape,
  closed,
  cursor,
  defaulted,
  endpoint,
  labelled,
  nextCursor,
  oneOf,
  select,
} from '@callgate/kit'
import { pagesOf } from './shared.ts'

export const list_tags = endpoint({
  summary: 'List the tags of the forum, with how often each is used.',
  label: 'List tags',
  brief: ['query'],
  access: 'read',
  request: 'GET /tags/',
  input: {
    query: Type.Optional(
      labelled(
        'Name',
        Type.String({ minLength: 1, maxLength: 50, description: 'Only those with this in their name.' }),
      ),
    ),
    sort: defaulted(labelled('Order', oneOf(['name', 'used'], 'used: those that are used most first.')), 'used'),
    cursor,
  },
  output: {
    tags: Type.Array(
      closed({ tag: Type.String(), questions: Type.Integer({ description: 'How many questions have it.' }) }),
      { description: 'A page of them; empty when there are none.' },
    ),
    next_cursor: nextCursor,
  },
  answer: 'page',
  encode: ({ query, sort }, { anchor }) => ({ query: { query, sort, page: anchor } }),
  decode: (_fields, { page, cursor: next }) => {
    const at = select(page)
    const found = at.select('main').all('.js-tag', { emptyWhen: '.empty-content-box' })
    return {
      tags: found.map((one) => ({
        tag: one.select('.js-tag-name').attribute('data-tag-name'),
        questions: timesIn(one.select('.used-count').text()),
      })),
      next_cursor: next(pagesOf(at).next),
    }
  },
})

/** `×40`. */
function timesIn(text: string): number {
  const found = /^×(\d+)$/.exec(text)?.[1]
  if (found === undefined) throw new UnknownShape('not how often')
  return Number(found)
}
