/** The sources of a new connector. They compile as they stand; `connector add` refuses them until what is '' is filled in. */

export const appFile = (
  origin: string,
): string => `import { connector, firstOf, formToken, notFoundOn, redirectTo, select } from '@callgate/kit'
import * as items from './items.ts'

export default connector({
  name: '', // as people call it
  description: '', // in a sentence: what it is for
  role: '', // whose account it is, such as: somebody who sells there
  origin: '${origin}',
  signIn: {
    page: 'login', // where a person signs in, below the address
    who: {
      page: 'account', // a page that says who is signed in
      account: (page) => {
        // Nobody has signed in while it is not there.
        const user = select(page).optional('.current-user')
        return user && { id: user.text(), label: user.text() }
      },
    },
  },
  csrf: formToken({ page: '/login', field: 'csrf_token' }), // a page with such a hidden input; leave it out where forms have none
  things: {
    item: { label: 'item', toldBy: [{ read: 'list_items', at: 'items', id: 'item_id' }], title: ['name'], facts: [] },
  },
  failure: firstOf(
    redirectTo('login', 'auth_expired'), // where it leads to once the session is over
    notFoundOn(404),
  ),
  endpoints: [items],
})
`

export const itemsFile = `import { Type, closed, cursor, endpoint, labelled, nextCursor, refTo, refusedPage, select } from '@callgate/kit'

const name = labelled('Name', Type.String({ minLength: 1, maxLength: 200, description: 'What it is called.' }))

export const list_items = endpoint({
  summary: '', // for an agent: List the items of the account, the newest first.
  label: '', // for a person, as on a button: List items
  brief: [], // the inputs that say most of a call
  access: 'read',
  request: 'GET /items', // the page that shows them
  input: { cursor },
  output: {
    items: Type.Array(closed({ item_id: refTo('item'), name: Type.String() })),
    next_cursor: nextCursor,
  },
  answer: 'page',
  encode: (_input, { anchor }) => ({ query: { page: anchor } }),
  decode: (_fields, { page, cursor }) => {
    const at = select(page)
    return {
      items: at.all('.item', { emptyWhen: '.no-items' }).map((one) => ({
        item_id: one.attribute('data-id'),
        name: one.select('.name').text(),
      })),
      next_cursor: cursor(at.optional('a[rel=next]')?.attribute('data-page') ?? null),
    }
  },
})

export const add_item = endpoint({
  summary: '', // Add an item.
  label: '', // Add an item
  brief: ['name'],
  effect: 'adds', // 'changes' where something is different afterwards, 'removes' where something is gone
  shownBy: [{ read: 'list_items' }], // the reads that show afterwards whether it happened
  access: 'write',
  request: 'POST /items/new', // where the form is posted to
  input: { name },
  output: { name: Type.String() },
  form: {
    page: 'GET /items/new', // the page with the form
    selector: 'form#new-item',
    set: ({ name }) => ({ name }), // the fields that get another value; all others are sent as they are
  },
  failure: refusedPage('form#new-item .error'), // what the form looks like when it is shown again with what is wrong
  answer: 'redirect', // where it leads to when it did as told
  decode: (_fields, { input }) => ({ name: input.name }),
})
`
