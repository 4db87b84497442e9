import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { formToken } from '../../connectors/kit/csrf.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import type { EndpointDefinition } from '../../connectors/kit/define.ts'
import { notFoundOn } from '../../connectors/kit/refusals.ts'
import { id } from '../../connectors/kit/inputs.ts'
import { select } from '../../connectors/kit/select.ts'
import { bound, talk } from './local-app.ts'
import { led, page, webApp } from './web-app.ts'
import type { Said } from './web-app.ts'

const read = (
  more: Partial<{ answer: 'page' | 'redirect'; request: 'POST /q/{q}' | 'GET /q/{q}' }> = {},
): EndpointDefinition =>
  endpoint({
    summary: 'Read.',
    label: 'Read',
    brief: [],
    access: 'read',
    request: 'GET /q/{q}',
    answer: 'page',
    failure: notFoundOn(404),
    input: { q: id('question', 'Which.') },
    output: { title: Type.String(), at: Type.String() },
    decode: (_fields, { page: source, location }) => ({
      title: source === '' ? '' : select(source, 'h1').text(),
      at: location,
    }),
    ...more,
  })

const reply = endpoint({
  summary: 'Reply.',
  label: 'Reply',
  brief: [],
  effect: 'adds',
  shownBy: [],
  access: 'write',
  request: 'POST /q/{q}/reply',
  input: { q: id('question', 'Which.') },
  output: { said: Type.String() },
  answer: 'redirect',
  after: 'location',
  csrf: formToken({ page: '/q/{q}', field: 't' }),
  encode: () => ({ form: { text: 'x' } }),
  decode: (_fields, { page: source }) => ({ said: select(source, 'h1').text() }),
})

const endpoints = bound({
  read: read(),
  read_post: read({ request: 'POST /q/{q}' }),
  where: read({ answer: 'redirect' }),
  reply,
})
const title = page('<h1>Seven</h1>')
const changed = (rule: string) => ({ kind: 'changed', rule })
const ok = (at: string) => ({ kind: 'ok', output: { title: 'Seven', at } })
const expired = { kind: 'auth_expired' }

const cases: [string, string, Readonly<Record<string, Said>>, object, number][] = [
  ['none', 'read', { '/shop/q/7': title }, ok(''), 1],
  [
    'to the canonical address',
    'read',
    { '/shop/q/7': led('7/seven', 301), '/shop/q/7/seven': led('/shop/q/7/seven/', 308), '/shop/q/7/seven/': title },
    ok('q/7/seven/'),
    3,
  ],
  [
    'to the sign-in page',
    'read',
    { '/shop/q/7': led('/shop/go'), '/shop/go': led('/shop/sign-in?next=x') },
    expired,
    2,
  ],
  [
    'to where people sign in to many apps',
    'read',
    { '/shop/q/7': led('/shop/go'), '/shop/go': led('https://login.example.org/realms/shop') },
    expired,
    2,
  ],
  [
    'out of the app',
    'read',
    { '/shop/q/7': led('/shop/go'), '/shop/go': led('/other/') },
    changed('page expected, 302 came with a redirect out of the app'),
    2,
  ],
  [
    'round and round',
    'read',
    { '/shop/q/7': led('/shop/q/7') },
    changed('page expected, more than 5 redirects came'),
    6,
  ],
  [
    'to what is not there',
    'read',
    { '/shop/q/7': led('/shop/go'), '/shop/go': { status: 404 } },
    { kind: 'rejected', appCode: 'not_found', appMessage: 'The app has no such thing.' },
    2,
  ],
  [
    'of a POST',
    'read_post',
    { '/shop/q/7': led('/shop/go'), '/shop/go': title },
    changed('page expected, 302 came with a redirect within the app'),
    1,
  ],
  [
    'that is the answer',
    'where',
    { '/shop/q/7': led('/shop/go?a=1'), '/shop/go?a=1': title },
    { kind: 'ok', output: { title: '', at: 'go?a=1' } },
    1,
  ],
]

test.each(cases)('a redirect of a read: %s', async (_which, name, pages, outcome, count) => {
  await using app = await webApp(({ path }) => pages[path] ?? { status: 500 })
  expect((await talk(app.origin, endpoints(name), { q: '7' })).outcome).toEqual(outcome)
  expect(app.asked).toHaveLength(count)
})

test('cookies are taken on the way', async () => {
  await using app = await webApp(({ path, headers }) =>
    path === '/shop/q/7' ? led('/shop/go', 302, 'seen=1; Path=/shop') : page(`<h1>${headers.cookie ?? ''}</h1>`),
  )
  const { outcome, session } = await talk(app.origin, endpoints('read'), { q: '7' })
  expect(outcome).toEqual({ kind: 'ok', output: { title: 'seen=1', at: 'go' } })
  expect(session?.cookies).toMatchObject([{ name: 'seen', value: '1' }])
})

const form = page('<form action="/shop/q/7/reply" method=post><input type=hidden name=t value=tok></form>')

test('what a write is led to is read, and its token page may be elsewhere by now; the write itself is sent once', async () => {
  await using app = await webApp(({ path, method }) => {
    if (method === 'POST') return led('/shop/q/7/#a9', 303)
    if (path === '/shop/q/7') return led('/shop/q/7/form')
    return path === '/shop/q/7/form' ? form : path === '/shop/q/7/' ? led('/shop/q/7/seven') : title
  })
  expect((await talk(app.origin, endpoints('reply'), { q: '7' })).outcome).toEqual({
    kind: 'ok',
    output: { said: 'Seven' },
  })
  expect(app.lines).toEqual([
    'GET /shop/q/7',
    'GET /shop/q/7/form',
    'POST /shop/q/7/reply',
    'GET /shop/q/7/',
    'GET /shop/q/7/seven',
  ])
})

test('a write that waits for a page and is redirected is not understood', async () => {
  const waits = bound({ reply: { ...reply, answer: 'page', after: null, csrf: null } })('reply')
  await using app = await webApp(() => led('/shop/q/7'))
  expect(await talk(app.origin, waits, { q: '7' })).toMatchObject({
    outcome: changed('page expected, 302 came with a redirect within the app'),
    sent: true,
  })
  expect(app.asked).toHaveLength(1)
})
