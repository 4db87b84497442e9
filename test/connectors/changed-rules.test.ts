import { expect, test } from 'vitest'
import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import { endpoint } from '../../connectors/kit/define.ts'
import type { EndpointSpec } from '../../connectors/kit/define.ts'
import { elements } from '../../connectors/kit/html.ts'
import { closed } from '../../connectors/kit/inputs.ts'
import { UnknownShape, fields, number, rows, text, word } from '../../connectors/kit/wire.ts'
import { bound, http, rawApp, talk } from './local-app.ts'

const secret = 'jo.secret@example.org'
const item = closed({ title: Type.String(), price: Type.Number() })
const output = { items: Type.Array(item) }
type Decode = NonNullable<EndpointSpec<TProperties, typeof output, 'GET /items', never>['decode']>

function reading(decode: Decode, answer: 'json' | 'page' = 'json') {
  const read = endpoint({
    summary: 'Read.',
    label: 'Read',
    brief: [],
    access: 'read',
    request: 'GET /items',
    input: {},
    output,
    answer,
    decode,
  })
  return bound({ read })('read')
}

const each: Decode = ({ rows: all }) => ({
  items: rows(all).map(({ title, cost }) => ({ title: text(title), price: number(cost) })),
})

const cases: [string, Decode, unknown, string][] = [
  [
    'a field that is gone',
    each,
    {
      rows: [
        { title: secret, cost: 1 },
        { name: secret, cost: 2 },
      ],
    },
    'not a text at $.rows[1].title: missing',
  ],
  [
    'a field of another kind',
    each,
    { rows: [{ title: secret, cost: secret }] },
    'not a number at $.rows[0].cost: a text',
  ],
  ['a list that became an object', each, { rows: { [secret]: 1 } }, 'not a list at $.rows: an object'],
  ['an item that became a text', each, { rows: [secret] }, 'not an object at $.rows[0]: a text'],
  [
    'a word that is new',
    ({ state }) => ({ items: [word({ a: 'b' }, state)] }),
    { state: secret },
    'not a known word at $.state: a text',
  ],
  [
    'a connector that stumbles',
    ({ owner }) => ({ items: [text(fields(owner)['name']).split(' ')[3]!.trim()] }),
    { owner: { name: secret } },
    'TypeError after $.owner.name: a text',
  ],
  [
    'data in place of a name',
    ({ by }) => ({ items: Object.values(fields(by)).map((one) => text(one)) }),
    { by: { [secret]: 7 } },
    'not a text at $.by.*: a number',
  ],
  [
    'data in place of a name that could be one',
    ({ by }) => ({ items: Object.values(fields(by)).map((one) => text(one)) }),
    { by: { Secret: 7 } },
    'not a text at $.by.*: a number',
  ],
  [
    'JSON within JSON',
    ({ inner }) => ({ items: JSON.parse(text(inner)) as unknown }),
    { inner: secret },
    'SyntaxError after $.inner: a text',
  ],
  [
    'a field that is missing in what is made of it',
    ({ rows: all }) => ({ items: all }),
    { rows: [{ title: 'x', price: 1 }, { price: 1 }] },
    'field `title` missing at $.items[1]',
  ],
  [
    'one of another kind there',
    ({ rows: all }) => ({ items: all }),
    { rows: [{ title: 'x', price: secret }] },
    '$.items[0].price is not number',
  ],
  [
    'one too many there',
    ({ rows: all }) => ({ items: all }),
    { rows: [{ title: 'x', price: 1, [secret]: 1 }] },
    'a field too many at $.items[0]',
  ],
]

test.each(cases)(
  '%s is told by its place and kind, and by nothing that the app said',
  async (_what, decode, body, rule) => {
    await using app = await rawApp((_request, socket) => void socket.write(http(200, JSON.stringify(body))))
    const { outcome } = await talk(app.origin, reading(decode), {})
    expect(outcome).toEqual({ kind: 'changed', rule })
  },
)

test('an element that is gone from a page is told by its name', async () => {
  const decode: Decode = (_fields, { page }) => {
    if (elements(page, 'h1').length === 0) throw new UnknownShape('no .question-answers-count')
    return { items: [] }
  }
  const headers = { 'content-type': 'text/html' }
  await using app = await rawApp((_request, socket) => void socket.write(http(200, `<p>${secret}`, headers)))
  const { outcome } = await talk(app.origin, reading(decode, 'page'), {})
  expect(outcome).toEqual({ kind: 'changed', rule: 'no .question-answers-count' })
})
