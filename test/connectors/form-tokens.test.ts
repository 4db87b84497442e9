import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { formToken } from '../../connectors/kit/csrf.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import { bound, http, rawApp, talk } from './local-app.ts'

const html = { 'content-type': 'text/html; charset=utf-8' }

const reply = (form?: Readonly<Record<string, string>>) =>
  bound({
    reply: endpoint({
      summary: 'Reply.',
      label: 'Reply',
      brief: [],
      effect: 'adds',
      shownBy: [],
      access: 'write',
      request: 'POST /threads/{thread}/reply',
      input: { thread: Type.String({ description: 'Which thread.' }) },
      output: { thread: Type.String() },
      answer: 'redirect',
      csrf: formToken({ page: '/threads/{thread}', field: 't', ...(form && { form }) }),
      encode: () => ({ form: {} }),
      decode: (_fields, { input }) => ({ thread: input.thread }),
    }),
  })('reply')

const input = (token: string, more = '') => `<input type="hidden" name="t" value="${token}"${more}>`
const search = `<form action="/shop/search">${input('search')}</form>`
const leave = `<form id="leave" class="danger form" method="post" action="/shop/logout">${input('leave')}</form>`

const pages: [
  string,
  string,
  { token?: string; form?: Readonly<Record<string, string>> | undefined; rule?: string | undefined },
][] = [
  [
    'goes to the same path',
    `${search}<form method=post action="/shop/threads/7/reply?x=1#y">${input('own')}</form>${leave}`,
    { token: 'own' },
  ],
  ['goes there from the page', `${search}<form action="7/reply">${input('own')}</form>`, { token: 'own' }],
  [
    'goes there from the base',
    `<base href="/shop/threads/7/">${search}<form action="reply">${input('own')}</form>`,
    { token: 'own' },
  ],
  [
    'is named by the input',
    `<form id="r" action="/shop/threads/7/reply"></form>${search}${input('own', ' form="r"')}`,
    { token: 'own' },
  ],
  [
    'goes there, among forms that go there with the same token',
    `${`<form action="7/reply">${input('own')}</form>`.repeat(2)}${leave}`,
    { token: 'own' },
  ],
  ['is the only one', leave, { token: 'leave' }],
  ['is declared by its id', `${search}${leave}`, { token: 'leave', form: { id: 'leave' } }],
  ['is declared by a word of its class', `${search}${leave}`, { token: 'leave', form: { class: 'form' } }],
  [
    'is on the same path of another host',
    `${search}<form action="http://elsewhere.example/shop/threads/7/reply">${input('own')}</form>`,
    { rule: 'more than one hidden input "t"' },
  ],
  ['cannot be told', `${search}${leave}`, { rule: 'more than one hidden input "t"' }],
  ['is declared and not there', search, { form: { id: 'leave' }, rule: 'no hidden input "t"' }],
]

test.each(pages)('a token is that of the form which %s', async (_which, page, { token, form, rule }) => {
  await using app = await rawApp(
    (request, socket) =>
      void socket.write(
        request.startsWith('GET') ? http(200, page, html) : http(303, '', { location: '/shop/threads/7' }),
      ),
  )
  const { outcome, sent } = await talk(app.origin, reply(form), { thread: '7' })
  if (rule !== undefined) return expect([outcome, sent]).toEqual([{ kind: 'changed', rule }, false])
  expect(outcome).toEqual({ kind: 'ok', output: { thread: '7' } })
  expect(app.requests[1]).toMatch(new RegExp(`\r\n\r\nt=${token}$`))
})
