import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../connectors/kit/define.ts'
import type { AnswerKind, EndpointDefinition } from '../../connectors/kit/define.ts'
import {
  InputRejected,
  firstOf,
  header,
  jsonRefusal,
  jsonSays,
  redirectTo,
  rejected,
} from '../../connectors/kit/failures.ts'
import type { Failure, FailureRule } from '../../connectors/kit/failures.ts'
import { ledTo } from '../../connectors/kit/location.ts'
import {
  AppRefused,
  notFound,
  notFoundOn,
  refusedJson,
  refusedPage,
  refusedRedirect,
  refusedText,
} from '../../connectors/kit/refusals.ts'
import { select } from '../../connectors/kit/select.ts'
import { text as words } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { bound, http, rawApp, talk } from './local-app.ts'
import { json, led, page, webApp } from './web-app.ts'
import type { Said } from './web-app.ts'

type Spec = Parameters<typeof endpoint>[0]
interface More {
  readonly answer?: AnswerKind
  readonly failure?: FailureRule | readonly FailureRule[]
  readonly decode?: (fields: Fields, context: { readonly page: string; readonly location: string }) => object
  readonly [name: string]: unknown
}

/** A write that needs nothing of its answer. */
const needsNothing = (answer: AnswerKind, more: More = {}): EndpointDefinition =>
  endpoint({
    ...{ summary: 'Post.', label: 'Post', brief: [], effect: 'adds', shownBy: [] },
    ...{ access: 'write', request: 'POST /posts', input: {}, output: {}, answer, decode: () => ({}) },
    ...more,
  } as unknown as Spec)

/** One whose answer has to show what it made. */
const needsId: Readonly<Record<'json' | 'page' | 'redirect', EndpointDefinition>> = {
  json: needsNothing('json', { output: { id: Type.String() }, decode: ({ id }) => ({ id }) }),
  page: needsNothing('page', {
    output: { id: Type.String() },
    decode: (_, { page: source }) => ({ id: select(source, '.post').attribute('data-id') }),
  }),
  redirect: needsNothing('redirect', {
    output: { id: Type.String() },
    decode: (_, { location }) => ({ id: ledTo(location, /^posts\/(?<id>[\w-]+)$/).part['id'] }),
  }),
}

async function cameTo(definition: EndpointDefinition, said: Said, rule: FailureRule) {
  await using app = await webApp(() => said)
  const failure = firstOf(rule)
  return await talk(app.origin, bound({ post: definition }, { failure })('post'), {})
}

const unknown = { outcome: { kind: 'changed' }, sent: true }
const html = (body: string) => page(`<!doctype html><title>Blog</title>${body}`)

/** As people write them who think of walls only. */
const everywhere = (pattern: RegExp, kind: 'blocked' | 'captcha' | 'mfa' | 'auth_expired'): FailureRule => {
  return ({ text }) => (pattern.test(text) ? { kind } : undefined)
}
const careless: readonly [string, FailureRule][] = [
  ['captcha', everywhere(/captcha/i, 'captcha')],
  ['access denied', everywhere(/access denied/i, 'blocked')],
  ['sign in', everywhere(/sign in/i, 'auth_expired')],
  ['security code', everywhere(/security code/i, 'mfa')],
  ['not found', ({ text }) => (/not found/i.test(text) ? notFound() : undefined)],
  ['too many', ({ text }) => (/too many/i.test(text) ? { kind: 'rate_limited', retryAfterMs: 1 } : undefined)],
  ['was refused', ({ text }) => (text.includes('was refused') ? rejected('refused', text) : undefined)],
]
const saying = (what: string): readonly [string, AnswerKind, Said][] => [
  ['JSON', 'json', json({ id: 'p1', title: `Why ${what}?` })],
  ['a page', 'page', html(`<article class=post data-id=p1><h1>Why ${what}?</h1></article>`)],
  [
    'a redirect',
    'redirect',
    page(`Go to <a href="/shop/posts/p1">Why ${what}?</a>`, { status: 303, headers: { location: '/shop/posts/p1' } }),
  ],
  ['a text', 'text', { headers: { 'content-type': 'text/plain' }, body: `Saved: Why ${what}?` }],
  ['anything', 'any', json({ id: 'p1', title: `Why ${what}?` }, { status: 201 })],
  ['another page than was declared', 'json', html(`<h1>Saved: Why ${what}?</h1>`)],
  ['another page than a redirect', 'redirect', html(`<h1>Saved: Why ${what}?</h1>`)],
  ['JSON with another status than was declared', 'empty', json({ title: `Why ${what}?` }, { status: 202 })],
  ['JSON that ends in its middle', 'json', { headers: { 'content-type': 'application/json' }, body: `{"t":"${what}` }],
]

describe.each(careless)('a rule that finds "%s" anywhere does not undo a write that says it in', (what, rule) => {
  test.each(saying(what))('%s', async (_which, kind, said) => {
    expect(await cameTo(needsNothing(kind), said, rule)).toMatchObject(unknown)
    if (kind === 'json' || kind === 'page' || kind === 'redirect') {
      expect(await cameTo(needsId[kind], said, rule)).toMatchObject(unknown)
      const own = await cameTo({ ...needsId[kind], failure: rule }, said, () => undefined)
      // An endpoint's own words count, but not in an answer that it reads as success.
      expect(own.outcome.kind === 'changed' || !_which.match(/^(?:JSON|a page|a redirect)$/)).toBe(true)
    }
  })

  test('a page of an app that failed on its way', async () => {
    const said = page(`<h1>Error</h1><pre>${what}</pre>`, { status: 502 })
    expect(await cameTo(needsNothing('json'), said, rule)).toMatchObject({
      outcome: { kind: 'app_error', status: 502 },
      sent: true,
    })
  })

  test('but a refusal by its status stands', async () => {
    const { outcome } = await cameTo(needsNothing('json'), page(`<h1>${what}</h1>`, { status: 403 }), rule)
    expect(outcome).toEqual(rule({ ...blank, text: `<h1>${what}</h1>` })?.kind === outcome.kind ? outcome : undefined)
  })
})

const blank = { status: 200, headers: {}, text: '', json: undefined, location: null, elsewhere: null }
const blocked: Failure = { kind: 'blocked' }

/** One of whose answer nobody can tell what it means. */
const untold = needsNothing('any', {
  decode: undefined,
  verify: { read: 'list', same: { id: 'id' }, proof: { words: 'id', before: { state: ['new'] }, output: {} } },
} as unknown as More)

test.each<[string, EndpointDefinition, Said, FailureRule]>([
  ['a banner on an answer that only verify tells of', untold, html('<p class=alert>Soon!'), refusedPage('.alert')],
  [
    'a sign-in form beside what was made',
    needsId.page,
    html('<p class=post data-id=p1><form id=login></form>'),
    form(),
  ],
  [
    'a sign-in form on a page that is all that is expected',
    needsNothing('page'),
    html('<form id=login></form>'),
    form(),
  ],
  [
    'a banner beside what was made',
    needsId.page,
    html('<p class=alert>Soon!<p class=post data-id=p1>'),
    refusedPage('.alert'),
  ],
  [
    'a banner on a page that is all that is expected',
    needsNothing('page'),
    html('<p class=alert>Soon!'),
    refusedPage('.alert'),
  ],
  [
    'a redirect to what is called like the sign-in page',
    needsId.redirect,
    led('/shop/posts/login-tips'),
    leads(/login/),
  ],
  [
    'a field that means something else',
    needsId.json,
    json({ id: 'p1', state: 'blocked' }),
    jsonSays(({ state }) => state === 'blocked', 'blocked'),
  ],
  [
    'a code that means something else',
    needsId.json,
    json({ id: 'p1', code: 'SPRING' }),
    refusedJson(({ code }) => ({ code, message: '' })),
  ],
  [
    'a header of a wall that let it through',
    needsId.json,
    json({ id: 'p1' }, { headers: { 'x-wall': 'seen' } }),
    header('x-wall', /./, 'blocked'),
  ],
  [
    'a limit that is used up by it',
    needsNothing('json'),
    json({}, { headers: { 'x-left': '0' } }),
    ({ headers }) => (headers['x-left'] === '0' ? { kind: 'rate_limited', retryAfterMs: 1 } : undefined),
  ],
  [
    'an answer that says when to come back',
    needsNothing('json'),
    json({}, { status: 202, headers: { 'retry-after': '5' } }),
    ({ headers }) => (headers['retry-after'] ? { kind: 'rate_limited', retryAfterMs: 5 } : undefined),
  ],
  [
    'all that is not known to the rule',
    needsNothing('json'),
    html('<h1>Thank you!</h1>'),
    ({ text }) => (text === 'ok' ? undefined : rejected('refused', '')),
  ],
  [
    'a page without what the rule looks for',
    needsNothing('page'),
    html('<h1>Thank you!</h1>'),
    ({ text }) => (text.includes('user-nav') ? undefined : { kind: 'auth_expired' }),
  ],
  ['whatever came', { ...needsNothing('json'), failure: () => rejected('refused', '') }, json({}), () => undefined],
])('a rule that takes %s for a refusal proves nothing', async (_which, definition, said, rule) => {
  expect(await cameTo(definition, said, rule)).toMatchObject(unknown)
})

function form(): FailureRule {
  return ({ text }) => (select(text).any('#login').length > 0 ? { kind: 'auth_expired' } : undefined)
}
function leads(pattern: RegExp): FailureRule {
  return ({ location }) => (location !== null && pattern.test(location) ? { kind: 'auth_expired' } : undefined)
}

const plain = (body: string): Said => ({ headers: { 'content-type': 'text/plain' }, body })
const no = rejected('no', 'No.')
test.each<[string, EndpointDefinition, Said, FailureRule, Failure | undefined]>([
  [
    'a redirect to the sign-in page',
    needsId.redirect,
    led('/shop/login?next=/'),
    redirectTo('login', 'auth_expired'),
    { kind: 'auth_expired' },
  ],
  [
    'the same where any redirect is done',
    needsNothing('redirect'),
    led('/shop/login'),
    redirectTo('login', 'auth_expired'),
    { kind: 'auth_expired' },
  ],
  [
    "a wall's header",
    needsNothing('page'),
    page('', { headers: { 'x-wall': 'denied' } }),
    header('x-wall', /^denied/, 'blocked'),
    blocked,
  ],
  [
    "a wall's header at 503",
    needsNothing('page'),
    page('', { status: 503, headers: { 'x-wall': 'denied' } }),
    header('x-wall', /^denied/, 'blocked'),
    blocked,
  ],
  [
    "a wall's page of its status",
    needsNothing('page'),
    page('Just a moment', { status: 503 }),
    ({ status, text }) => (status === 503 && text === 'Just a moment' ? blocked : undefined),
    blocked,
  ],
  [
    "a wall's page in place of JSON",
    needsId.json,
    html('<div id=wall></div>'),
    ({ text }) => (select(text).any('#wall').length > 0 ? blocked : undefined),
    blocked,
  ],
  ['the sign-in form in place of JSON', needsId.json, html('<form id=login></form>'), form(), { kind: 'auth_expired' }],
  [
    'the sign-in form in place of what was made',
    needsId.page,
    html('<form id=login></form>'),
    form(),
    { kind: 'auth_expired' },
  ],
  [
    'JSON that says so at 200',
    needsId.json,
    json({ error: 'not_authed' }),
    jsonSays(({ error }) => error === 'not_authed', 'auth_expired'),
    { kind: 'auth_expired' },
  ],
  [
    'JSON that refuses at 200',
    needsNothing('json'),
    json({ success: 0, why: 'No.' }),
    refusedJson(({ success, why }) => (success === 0 ? { code: 'no', message: why } : undefined)),
    no,
  ],
  [
    'a text, all of which refuses',
    needsNothing('text'),
    plain('You cannot vote.'),
    refusedText(/^You cannot/, 'no'),
    rejected('no', 'You cannot vote.'),
  ],
  ['a form that is shown again', needsId.page, html('<p class=error>No.'), refusedPage('.error', 'no'), no],
  [
    'a form that is shown again in place of a redirect',
    needsNothing('redirect'),
    html('<p class=error>No.'),
    refusedPage('.error', 'no'),
    no,
  ],
  [
    'a redirect that only refusals lead to',
    needsNothing('redirect'),
    led('/shop/closed'),
    refusedRedirect('closed', 'no', 'No.'),
    no,
  ],
  [
    'a refusal by its status',
    needsNothing('json'),
    json({ code: 'no', why: 'No.' }, { status: 409 }),
    jsonRefusal(({ code, why }) => ({ code, message: why })),
    no,
  ],
  [
    'a limit by its status',
    needsNothing('json'),
    json({}, { status: 429, headers: { 'retry-after': '1' } }),
    () => undefined,
    { kind: 'rate_limited', retryAfterMs: 1000 },
  ],
])('%s proves that nothing was done', async (_which, definition, said, rule, outcome) => {
  expect((await cameTo(definition, said, rule)).outcome).toEqual(outcome)
})

const own = (failure: FailureRule, kind: AnswerKind = 'page') => needsNothing(kind, { failure })
test.each<[string, EndpointDefinition, Said, Failure | undefined]>([
  ['an element', own(refusedPage('.error', 'no')), html('<p class=error>No.'), no],
  [
    'a field',
    own(
      refusedJson(({ ok }) => (ok ? undefined : { code: 'no', message: 'No.' })),
      'json',
    ),
    json({ ok: false }),
    no,
  ],
  ['a status', own(({ status }) => (status === 200 ? no : undefined), 'redirect'), html('<form>'), no],
  [
    'words in place of what is expected',
    own(({ text }) => (text.includes('cannot') ? no : undefined), 'redirect'),
    html('<p>You cannot.'),
    no,
  ],
])('an endpoint knows its own refusals by %s', async (_which, definition, said, outcome) => {
  expect((await cameTo(definition, said, () => undefined)).outcome).toEqual(outcome)
})

const thrown = (error: unknown) => () => {
  throw error
}
const errors = [
  new TypeError('x'),
  new InputRejected('NO', 'No.'),
  new AppRefused('no', 'No.'),
  'a text',
  undefined,
  Object.assign(new Error('x'), { outcome: { kind: 'rejected' } }),
]
test.each(errors)('a rule that throws %s proves nothing', async (error) => {
  const rule = thrown(error) as FailureRule
  expect(await cameTo(needsNothing('json'), json({}), rule)).toMatchObject(unknown)
  expect(await cameTo(own(rule, 'json'), json({}), () => undefined)).toMatchObject(unknown)
})

test.each(errors.filter((error) => !(error instanceof AppRefused)))(
  'decode that throws %s proves nothing',
  async (error) => {
    expect(await cameTo(needsNothing('json', { decode: thrown(error) }), json({}), () => undefined)).toMatchObject(
      unknown,
    )
  },
)

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a list', []],
  ['a word', 'no'],
  ['a number too large', { id: 10n }],
  ['a circle', Object.assign({}, { self: [] as unknown[] })],
  ['what was promised', Promise.resolve({ id: 'p1' })],
])('decode that gives %s proves nothing', async (_which, given) => {
  if (_which === 'a circle') (given as { self: unknown[] }).self.push(given)
  const definition = needsNothing('json', { output: { id: Type.String() }, decode: () => given as object })
  expect(await cameTo(definition, json({}), () => undefined)).toMatchObject(unknown)
})

test.each([
  ['before it', ''],
  ['in its head', 'HTTP/1.1 200 OK\r\ncontent-ty'],
  ['after its head', 'HTTP/1.1 403 Forbidden\r\ncontent-length: 99\r\n\r\n'],
  [
    'in its body',
    'HTTP/1.1 403 Forbidden\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\n<h1>Access denied</h1>',
  ],
  ['in a chunk', 'HTTP/1.1 302 Found\r\nlocation: /shop/login\r\ntransfer-encoding: chunked\r\n\r\n9\r\n<p>'],
])('an answer that is cut %s is lost, whatever it began to say', async (_where, bytes) => {
  await using app = await rawApp((_request, socket) => void socket.end(bytes))
  const failure = firstOf(redirectTo('login', 'auth_expired'), everywhere(/denied/, 'blocked'))
  const { outcome, sent } = await talk(app.origin, bound({ post: needsNothing('json') }, { failure })('post'), {})
  expect([outcome.kind, sent]).toEqual(['lost', true])
})

test('the page after a write that is gone, as it should be, does not undo it', async () => {
  const failure = [notFoundOn(404), refusedPage('.error')]
  const remove = needsNothing('redirect', { after: 'location', failure })
  const after = async (said: Said) => {
    await using app = await webApp(({ method }) => (method === 'POST' ? led('/shop/posts/1') : said))
    return (await talk(app.origin, bound({ remove })('remove'), {})).outcome
  }
  expect(await after(page('gone', { status: 404 }))).toEqual({ kind: 'changed', rule: 'after the action: rejected' })
  expect(await after(page('<p class=error>No.'))).toEqual(rejected('refused', 'No.'))
})

test('words that say nothing of a read stand', async () => {
  await using app = await rawApp((_request, socket) => void socket.write(http(200, '{"t":"captcha"}')))
  const definition = endpoint({
    ...{ summary: 'Read.', label: 'Read', brief: [], access: 'read', request: 'GET /t', input: {} },
    ...{ output: { t: Type.String() }, decode: ({ t }: Fields) => ({ t: words(t) }) },
  } as unknown as Spec)
  const failure = everywhere(/captcha/, 'captcha')
  expect((await talk(app.origin, bound({ read: definition }, { failure })('read'), {})).outcome).toEqual({
    kind: 'captcha',
  })
})
