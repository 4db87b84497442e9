import { describe, expect, test } from 'vitest'
import { Type } from 'typebox'
import type { ConnectorSpec, DecodeContext, EndpointDefinition } from '../../connectors/kit/define.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import { notFoundOn } from '../../connectors/kit/refusals.ts'
import { UnknownShape } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { bound, talk } from './local-app.ts'
import { json, page, webApp } from './web-app.ts'
import type { Said } from './web-app.ts'

interface More {
  readonly decode?: (fields: Fields, context: DecodeContext<object>) => object
  readonly [name: string]: unknown
}
type Spec = Parameters<typeof endpoint>[0]

/** A write that needs nothing of its answer, unless `more` says otherwise. */
const write = (more: More = {}): EndpointDefinition =>
  endpoint({
    summary: 'Archive.',
    label: 'Archive',
    brief: [],
    effect: 'changes',
    shownBy: [],
    access: 'write',
    request: 'POST /archive',
    input: {},
    output: {},
    ...more,
  } as unknown as Spec)

const read = (more: More = {}): EndpointDefinition =>
  endpoint({
    summary: 'List.',
    label: 'List',
    brief: [],
    access: 'read',
    request: 'GET /list',
    input: {},
    output: {},
    ...more,
  } as unknown as Spec)

async function cameTo(definition: EndpointDefinition, said: Said, more: Partial<ConnectorSpec> = {}) {
  await using app = await webApp(({ path }) => (path === '/shop/after' ? json({ id: 'a1' }) : said))
  return (await talk(app.origin, bound({ one: definition }, more)('one'), {})).outcome
}

const as = (type: string | undefined, body: string, status = 200): Said => ({
  status,
  headers: type === undefined ? {} : { 'content-type': type },
  body,
})
const done = { kind: 'ok', output: {} }
const changed = (rule: string) => ({ kind: 'changed', rule })

describe('a write that needs nothing of its answer is done', () => {
  test.each([
    ['200 without a body', as(undefined, '')],
    ['200 with an empty page', as('text/html', '')],
    ['200 with no JSON', as('application/json', '')],
    ['200 with a line break', as('text/plain', '\r\n')],
    ['201', as(undefined, '', 201)],
    ['202', as(undefined, '', 202)],
    ['204', as(undefined, '', 204)],
    ['null', as('application/json', 'null')],
    ['true', as('application/json', 'true')],
  ])('by %s', async (_what, said) => {
    expect(await cameTo(write(), said)).toEqual(done)
  })

  test.each([
    ['false', as('application/json', 'false'), 'not an object'],
    ['0', as('application/json', '0'), 'not an object'],
    ['a word as JSON', as('application/json', '"no"'), 'not an object'],
    ['a word', as('text/plain', 'OK'), 'json expected, 200 came with text/plain'],
    ['a page', as('text/html', '<p>Sign in'), 'json expected, 200 came with text/html'],
    ['an empty 404', as(undefined, '', 404), 'json expected, 404 came with nothing'],
  ])('but not by %s', async (_what, said, rule) => {
    expect(await cameTo(write(), said)).toMatchObject({
      kind: 'changed',
      rule: expect.stringContaining(rule) as string,
    })
  })

  test('and one that needs something is not done by an empty answer', async () => {
    const outcome = await cameTo(
      write({ output: { id: Type.String() }, decode: ({ id }) => ({ id }) }),
      as(undefined, ''),
    )
    expect(outcome).toEqual(changed('field `id` missing at $'))
  })

  test('a read is not: an empty answer is no empty list', async () => {
    expect(await cameTo(read(), as('application/json', ''))).toEqual(changed('json expected, 200 came with nothing'))
  })
})

describe('JSON is read whatever its label or guard', () => {
  const id = write({ output: { id: Type.String() } })
  const body = '{"id":"ü7"}'
  test.each([
    'application/json',
    'application/vnd.api+json',
    'application/x-json',
    'text/json',
    'text/x-json; charset=utf-8',
    'text/plain',
    'text/javascript; charset=utf-8',
    'application/javascript',
    'text/html',
    'text/html; charset=UTF-8',
    'application/octet-stream',
    undefined,
  ])('%s', async (type) => {
    expect(await cameTo(id, as(type, body))).toEqual({ kind: 'ok', output: { id: 'ü7' } })
  })

  test.each([
    ")]}'\n",
    ")]}',\n",
    ')]}\n',
    'for(;;);',
    'for (;;);',
    'while(1);',
    'throw 1; <dont be evil>\n',
    '{} && ',
    '\ufeff',
    '\n ',
  ])('after %j', async (guard) => {
    for (const type of ['application/json', 'text/javascript', 'text/html'])
      expect(await cameTo(id, as(type, guard + body))).toEqual({ kind: 'ok', output: { id: 'ü7' } })
  })

  test('a page that only begins like it stays a page', async () => {
    const title = read({ answer: 'page', output: { all: Type.String() }, decode: (_, { page: all }) => ({ all }) })
    expect(await cameTo(title, as('text/html; charset=utf-8', '[1] <b>x</b>'))).toEqual({
      kind: 'ok',
      output: { all: '[1] <b>x</b>' },
    })
  })
})

describe('an answer is judged as its endpoint declares it', () => {
  const said = (more: More): EndpointDefinition =>
    write({ output: { text: Type.String() }, decode: (_, { text }) => ({ text }), ...more })
  test.each<[string, EndpointDefinition, Said, unknown]>([
    ['a word', said({ answer: 'text' }), as('text/plain', 'OK'), 'OK'],
    ['a word as JSON', said({ answer: 'text' }), as('application/json', '"ok"'), '"ok"'],
    [
      'XML',
      said({ answer: 'text' }),
      as('text/xml; charset=UTF-8', "<?xml version='1.0'?><r/>"),
      "<?xml version='1.0'?><r/>",
    ],
    ['a table', said({ answer: 'text' }), as('text/csv', 'a;b\n1;2'), 'a;b\n1;2'],
    ['a word without a type', said({ answer: 'text' }), as(undefined, '17'), '17'],
    ['anything', said({ answer: 'any' }), as('text/html', '<p>Saved'), '<p>Saved'],
  ])('%s', async (_what, definition, answer, text) => {
    expect(await cameTo(definition, answer)).toEqual({ kind: 'ok', output: { text } })
  })

  test.each<[string, EndpointDefinition, Said, string]>([
    [
      'a page where text is expected',
      said({ answer: 'text' }),
      page('<p>Sign in'),
      'text expected, 200 came with text/html',
    ],
    [
      'a page without a type',
      said({ answer: 'text' }),
      as(undefined, '<!DOCTYPE html><p>x'),
      'text expected, 200 came with no type',
    ],
    [
      'a body where none is expected',
      write({ answer: 'empty' }),
      as('text/plain', 'x'),
      'empty expected, 200 came with text/plain',
    ],
    [
      'a failure where anything is expected',
      said({ answer: 'any' }),
      as('text/plain', 'x', 404),
      'any expected, 404 came with text/plain',
    ],
    ['another status', write({ statuses: [201] }), json({}), 'json expected, 200 came with application/json'],
  ])('but not %s', async (_what, definition, answer, rule) => {
    expect(await cameTo(definition, answer)).toEqual(changed(rule))
  })

  test.each<[string, EndpointDefinition, Said]>([
    ['nothing', write({ answer: 'empty' }), as(undefined, '', 204)],
    [
      'a 409 that says it was so before',
      write({ statuses: [200, 409] }),
      json({ problem: 'done before' }, { status: 409 }),
    ],
    ['a 404 of what is gone', write({ statuses: [204, 404], answer: 'empty' }), as(undefined, '', 404)],
    ['a 500 of an app that always says so', write({ statuses: [500], answer: 'text' }), as('text/plain', 'x', 500)],
    ['a redirect with JSON', write({ statuses: [303] }), json({}, { status: 303, headers: { location: '/shop/x' } })],
    [
      'a redirect where anything is expected',
      write({ answer: 'any', decode: () => ({}) }),
      { status: 302, headers: { location: '/shop/x' } },
    ],
  ])('%s', async (_what, definition, answer) => {
    expect(await cameTo(definition, answer)).toEqual(done)
  })

  test("a declared 404 is still refused by the endpoint's own rules", async () => {
    const outcome = await cameTo(write({ statuses: [404], failure: notFoundOn(404) }), json({}, { status: 404 }))
    expect(outcome).toMatchObject({ kind: 'rejected', appCode: 'not_found' })
  })

  test('the page after it decides, whatever the answer was', async () => {
    const definition = write({ answer: 'any', after: 'GET /after', output: { id: Type.String() } })
    for (const answer of [as('text/xml', '<r/>'), as(undefined, ''), page('<p>x'), json(false)])
      expect(await cameTo(definition, answer)).toEqual({ kind: 'ok', output: { id: 'a1' } })
  })

  test('an answer of any kind proves nothing of itself', async () => {
    const verify = { read: 'list', same: { id: 'id' } }
    expect(() => write({ answer: 'any' })).toThrow('takes any answer')
    expect(() => write({ answer: 'any', verify })).toThrow('takes any answer')
    const proof = { words: 'id', before: { state: ['new'] }, output: {} }
    const definition = write({ answer: 'any', verify: { ...verify, proof } })
    expect(await cameTo(definition, json({}))).toMatchObject({ kind: 'changed' })
    const own = write({
      answer: 'any',
      decode: (_, { text }) => {
        if (text !== 'saved') throw new UnknownShape('not saved')
        return {}
      },
    })
    expect([await cameTo(own, as('text/x', 'saved')), await cameTo(own, as('text/x', 'no'))]).toEqual([
      done,
      changed('not saved'),
    ])
  })

  test.each<[string, More, string]>([
    ['no list', { statuses: [] }, 'no list of numbers'],
    ['an interim one', { statuses: [102] }, 'no answer ends with'],
    ['one that asks for the request elsewhere', { statuses: [200, 308] }, 'takes a 307 or 308'],
    [
      'a page after it that nothing is expected of',
      { after: 'GET /after', afterAnswer: 'any' },
      'nothing is expected of',
    ],
  ])('statuses with %s are refused', (_what, more, problem) => {
    expect(() => bound({ one: write(more) })).toThrow(problem)
  })
})

describe('decode sees', () => {
  const made = (more: More = {}): EndpointDefinition =>
    write({
      output: { status: Type.Integer(), location: Type.String(), headers: Type.Array(Type.String()) },
      decode: (_, { status, location, headers }) => ({ status, location, headers: Object.keys(headers).toSorted() }),
      ...more,
    })

  test('status, location and headers, but for those that sign in', async () => {
    const headers = {
      location: '/shop/orders/17?new=1',
      etag: '"3"',
      'x-next-page': '2',
      'x-continuation-token': 'c',
      'x-author': 'ann',
      'set-cookie': 'a=b',
      'x-csrf-token': 's',
      'x-auth-token': 's',
      'access-token': 's',
      'www-authenticate': 'Bearer',
      'x-api-key': 's',
      'x-session-id': 's',
      date: 'x',
      connection: 'close',
      'content-length': '0',
    }
    expect(await cameTo(made(), { status: 201, headers })).toEqual({
      kind: 'ok',
      output: {
        status: 201,
        location: 'orders/17?new=1',
        headers: [
          'connection',
          'content-length',
          'date',
          'etag',
          'location',
          'x-author',
          'x-continuation-token',
          'x-next-page',
        ],
      },
    })
  })

  test('no location of what was made elsewhere', async () => {
    const outcome = await cameTo(made(), { status: 201, headers: { location: 'https://other.example/orders/17' } })
    expect(outcome).toMatchObject({ output: { location: '' } })
  })

  test('what was made, where it is read after it', async () => {
    const definition = write({ after: 'location', afterAnswer: 'json', output: { id: Type.String() } })
    expect(await cameTo(definition, { status: 201, headers: { location: '/shop/after' } })).toEqual({
      kind: 'ok',
      output: { id: 'a1' },
    })
    expect(await cameTo(definition, { status: 201 })).toEqual(
      changed('it led nowhere, where the page after it was to be read'),
    )
  })
})
