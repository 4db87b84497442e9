import { describe, expect, test } from 'vitest'
import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import { endpoint } from '../../connectors/kit/define.ts'
import type { WriteSpec } from '../../connectors/kit/define.ts'
import {
  AppRefused,
  notFoundOn,
  refusedJson,
  refusedPage,
  refusedRedirect,
  refusedText,
} from '../../connectors/kit/refusals.ts'
import { entityPage } from '../../connectors/kit/before.ts'
import { renderInApp } from '../../connectors/runtime/exchange.ts'
import { select } from '../../connectors/kit/select.ts'
import { fields, text } from '../../connectors/kit/wire.ts'
import { bound, talk } from './local-app.ts'
import { json, led, page, webApp } from './web-app.ts'
import type { Said } from './web-app.ts'

type Spec = Partial<WriteSpec<TProperties, TProperties, 'POST /q/7/answer', never>>

const writing = (more: Spec) =>
  bound({
    answer: endpoint({
      summary: 'Answer.',
      label: 'Answer',
      brief: [],
      effect: 'adds',
      shownBy: [],
      access: 'write',
      request: 'POST /q/7/answer',
      input: {},
      output: {},
      encode: () => ({ form: { text: 'x' } }),
      decode: () => ({}),
      ...more,
    }),
  })('answer')

const rejected = (appCode: string, appMessage: string) => ({ kind: 'rejected', appCode, appMessage })
const ok = { kind: 'ok', output: {} }
const errors = page('<ul class=errorlist><li>Too short.<li>No links.</ul><form></form>')
const plain = (body: string, type = 'application/json'): Said => ({ headers: { 'content-type': type }, body })

describe('an endpoint says what its refusals look like, whatever their status', () => {
  const list = refusedPage('.errorlist li', 'invalid_form')
  const cases: [string, Spec, Said, object][] = [
    [
      'a form that is shown again',
      { answer: 'redirect', failure: list },
      errors,
      rejected('invalid_form', 'Too short.\nNo links.'),
    ],
    [
      'such elements that only a browser without scripts shows',
      { answer: 'page', failure: list },
      page('<noscript><ul class=errorlist><li>Switch scripts on.</ul></noscript>'),
      ok,
    ],
    [
      'such elements that are hidden, among others',
      { answer: 'page', failure: list },
      page('<ul class=errorlist hidden><li>Too long.</ul><ul class=errorlist><li>Too short.</ul>'),
      rejected('invalid_form', 'Too short.'),
    ],
    [
      'such elements that a class hides',
      { answer: 'page', failure: refusedPage('.error', 'no', { hiddenBy: '.d-none' }) },
      page('<div class=d-none><p class=error>No.</div>'),
      ok,
    ],
    ['a page without such elements', { answer: 'page', failure: list }, page('<ul class=errorlist><li></ul>'), ok],
    [
      'JSON with its own sign',
      { failure: refusedJson(({ success, why }) => (success === 0 ? { code: 'no', message: why } : undefined)) },
      json({ success: 0, why: 'Not yours.' }),
      rejected('no', 'Not yours.'),
    ],
    [
      'plain text labelled JSON',
      { failure: refusedText(/^Sorry, /) },
      plain('Sorry, no points left.'),
      rejected('refused', 'Sorry, no points left.'),
    ],
    [
      'another text',
      { failure: refusedText(/^Sorry, /) },
      plain('Hello'),
      { kind: 'changed', rule: 'json expected, 200 came with JSON that does not parse' },
    ],
    [
      'a redirect',
      { answer: 'redirect', failure: refusedRedirect(/^q\/\d+\/closed$/, 'closed', 'It is closed.') },
      led('/shop/q/7/closed'),
      rejected('closed', 'It is closed.'),
    ],
    [
      'no such thing',
      { failure: [list, notFoundOn(404, 410)] },
      page('gone', { status: 410 }),
      rejected('not_found', 'The app has no such thing.'),
    ],
    [
      'before the rules of the app',
      { failure: refusedRedirect('sign-in', 'no_points', 'Sign in as another.'), answer: 'redirect' },
      led('/shop/sign-in'),
      rejected('no_points', 'Sign in as another.'),
    ],
    ['and the app for the rest', { failure: list }, led('/shop/sign-in'), { kind: 'auth_expired' }],
  ]
  test.each(cases)('%s', async (_which, more, answer, outcome) => {
    await using app = await webApp(() => answer)
    expect(await talk(app.origin, writing(more), {})).toMatchObject({ outcome, sent: true })
    expect(app.asked).toHaveLength(1)
  })
})

describe('what a write is led to', () => {
  const more: Spec = { answer: 'redirect', after: 'location', failure: refusedPage('.error') }
  test.each([
    ['refuses, where the endpoint says so', page('<p class=error>Vote first.'), rejected('refused', 'Vote first.')],
    [
      'never looks as if nothing had happened otherwise',
      json({ problem: 'gone' }, { status: 404 }),
      { kind: 'changed', rule: 'after the action: rejected' },
    ],
    ['is read', page('<p>'), ok],
  ])('%s', async (_how, answer, outcome) => {
    await using app = await webApp(({ method }) => (method === 'POST' ? led('/shop/q/7') : answer))
    expect((await talk(app.origin, writing(more), {})).outcome).toEqual(outcome)
  })
})

describe('decode may say that the app did nothing', () => {
  const again = writing({
    answer: 'redirect',
    before: {
      question: {
        request: 'GET /q/7',
        answer: 'page',
        take: (_fields, { page: source }) =>
          select(source)
            .any('.answer')
            .map((one) => one.attribute('id')),
      },
    },
    decode: (_fields, { location, before }) => {
      const id = /#?a=(\w+)$/.exec(location)?.[1]
      if ((before['question'] as string[]).includes(String(id)))
        throw new AppRefused('answered', 'You have answered this before.')
      return {}
    },
  })
  test.each([
    ['led to the answer that was there', 'a1', rejected('answered', 'You have answered this before.')],
    ['led to a new one', 'a2', ok],
  ])('%s', async (_which, id, outcome) => {
    await using app = await webApp(({ method }) =>
      method === 'POST' ? led(`/shop/q/7?a=${id}`) : page('<div class=answer id=a1></div>'),
    )
    expect(await talk(app.origin, again, {})).toMatchObject({ outcome, sent: true })
  })
})

describe('pages that are read before', () => {
  const spec: Spec = {
    input: { q: Type.String({ description: 'Which.' }) },
    before: {
      question: {
        request: 'GET /q/{q}',
        answer: 'page',
        take: (_fields, { page: source }) => ({ owner: select(source, '.owner').text() }),
      },
      user: { request: 'GET /users/{question.owner}' },
      found: {
        request: 'POST /search',
        harmless: true,
        encode: (input, { before }) => ({ form: { q: input['q'], by: fields(before['user'])['nr'] } }),
      },
    },
    encode: (_input, { before }) => ({
      json: { to: fields(before['user'])['nr'], in: fields(before['found'])['hit'] },
    }),
    decode: (_fields, { before }) => {
      text(fields(before['question'])['owner'])
      return {}
    },
  }
  const answers = (owner: string) => (asked: { path: string }) =>
    asked.path === '/shop/q/7' ? page(`<b class=owner>${owner}</b>`) : json({ nr: 'u1', hit: 9 })

  test('may use what those before them gave, and one request acts', async () => {
    await using app = await webApp(answers('jo'))
    expect(await talk(app.origin, writing(spec), { q: '7' })).toMatchObject({ outcome: ok, sent: true })
    expect(app.lines).toEqual(['GET /shop/q/7', 'GET /shop/users/jo', 'POST /shop/search', 'POST /shop/q/7/answer'])
    expect(app.asked.map(({ body }) => body)).toEqual(['', '', 'q=7&by=u1', '{"to":"u1","in":9}'])
  })

  test.each([
    ['lacks what is taken of it', answers('</b><b>'), 'no .owner'],
    ['says what cannot be part of an address', answers('../x'), 'UnsafePath'],
  ])('one that %s is an app that has changed, and nothing is sent', async (_how, answer, rule) => {
    await using app = await webApp(_how.startsWith('lacks') ? () => page('<p>') : answer)
    expect(await talk(app.origin, writing(spec), { q: '7' })).toMatchObject({
      outcome: { kind: 'changed', rule },
      sent: false,
    })
    expect(app.asked).toHaveLength(1)
  })

  const told = (origin: string) => ({
    ...{ origin, endpoint: entity, input: { q: '7' }, cursorKey: Buffer.alloc(32) },
    session: { cookies: [], user_agent: null },
  })
  const entity = writing({
    ...spec,
    before: { ...(spec.before as object), it: entityPage('GET /it/{q}', { '.shut': 'It is shut.' }) },
  })
  const ahead = async (it: Said) => {
    const app = await webApp((asked) => (asked.path === '/shop/it/7' ? it : answers('jo')(asked)))
    const made = await renderInApp(told(app.origin))
    return { app, outcome: made.outcome }
  }

  test.each([
    ['rules it out', page('<b class=shut>'), { kind: 'rejected', appCode: 'NOT_READY', appMessage: 'It is shut.' }],
    ['is signed out', { status: 302, headers: { location: '/shop/sign-in' } }, { kind: 'auth_expired' }],
    ['rules nothing out', page('<b>'), { kind: 'rendered' }],
    ['fails', { status: 500 }, { kind: 'rendered' }],
  ])('an entity page that %s is judged before anybody is asked', async (_how, it, outcome) => {
    const { app, outcome: found } = await ahead(it)
    await using _app = app
    expect(found).toMatchObject(outcome)
    expect(app.lines).toContain('GET /shop/it/7')
  })

  test('the send does not read an entity page', async () => {
    const { app, outcome } = await ahead(page('<b>'))
    await using _app = app
    if (outcome.kind !== 'rendered') throw new Error(outcome.kind)
    const before = app.lines.length
    const sent = await talk(app.origin, entity, { q: '7' }, { request: outcome.request })
    expect(sent).toMatchObject({ outcome: ok, sent: true })
    expect(app.lines.slice(before)).not.toContain('GET /shop/it/7')
    expect(app.lines.at(-1)).toBe('POST /shop/q/7/answer')
  })

  const one = { request: 'GET /x' } as const
  test.each<[string, NonNullable<Spec['before']>]>([
    ['reads more than 5 pages', { a: one, b: one, c: one, d: one, e: one, f: one }],
    ['reads a with POST, which is not declared harmless', { a: { request: 'POST /x' } }],
    ['names {b.x}', { a: { request: 'GET /{b.x}' }, b: one }],
    ['names {none}', { a: { request: 'GET /{none}' } }],
  ])('an endpoint that %s is refused', (problem, before) => {
    expect(() => writing({ before })).toThrow(problem)
  })
})
