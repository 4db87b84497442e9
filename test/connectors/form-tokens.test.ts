import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { formToken, headerToken } from '../../connectors/kit/csrf.ts'
import type { Csrf } from '../../connectors/kit/csrf.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import { bound, http, rawApp, talk } from './local-app.ts'

const html = { 'content-type': 'text/html; charset=utf-8' }

const reply = (form?: Readonly<Record<string, string>>, volatile: readonly Csrf[] = []) =>
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
      volatile,
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

test('further places are filled from their own pages, each encoded where it belongs, and each page is read once', async () => {
  const state = 'a+b/c=&ä'.repeat(1000)
  const page = `<form action="7/reply">${input('own')}<input type="hidden" name="state" value="${state.replaceAll('&', '&amp;')}"></form>`
  await using app = await rawApp(
    (request, socket) =>
      void socket.write(
        request.startsWith('GET /shop/nonce')
          ? http(200, '<meta name="nonce" content="n-1">', html)
          : request.startsWith('GET')
            ? http(200, page, html)
            : http(303, '', { location: '/shop/threads/7' }),
      ),
  )
  const volatile = [
    formToken({ page: '/threads/{thread}', field: 'state' }),
    headerToken({ page: '/nonce', meta: 'nonce', header: 'x-nonce' }),
  ]
  const { outcome } = await talk(app.origin, reply(undefined, volatile), { thread: '7' })
  expect(outcome).toEqual({ kind: 'ok', output: { thread: '7' } })
  const [, , post = ''] = app.requests
  expect(app.requests.map((request) => request.split(' ', 2).join(' '))).toEqual([
    'GET /shop/threads/7',
    'GET /shop/nonce',
    'POST /shop/threads/7/reply',
  ])
  expect(post).toContain('x-nonce: n-1\r\n')
  expect(post).toMatch(/\r\n\r\nt=own&state=a%2Bb%2Fc%3D%26%C3%A4/)
})

test('a place that is filled has an end', async () => {
  await using app = await rawApp((_request, socket) => void socket.write(http(200, input('x'.repeat(65_537)), html)))
  const { outcome, sent } = await talk(app.origin, reply(), { thread: '7' })
  expect([outcome, sent]).toEqual([{ kind: 'changed', rule: 'a token is too long' }, false])
})
