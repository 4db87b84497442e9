import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { endpoint } from '../../connectors/kit/define.ts'
import type { ConnectorSpec } from '../../connectors/kit/define.ts'
import { session } from '../../connectors/kit/session-token.ts'
import { checkPlaces } from '../../connectors/runtime/check-places.ts'
import { render } from '../../connectors/runtime/rendered.ts'
import { renewInApp } from '../../connectors/runtime/renew.ts'
import { readAddress } from '../../connectors/runtime/typed-address.ts'
import { loadConfig } from '../../config.ts'
import { loadApps } from '../../connectors/registry.ts'
import { siteOf } from '../../core/accounts/site.ts'
import { forumConnector } from '../support/forum.ts'
import { listen } from '../support/listen.ts'
import { bound, read_item, talk, write_item } from './local-app.ts'

const rules = { httpHosts: ['127.0.0.1:8000', 'wiki.lan'], signInPage: '/account/sign-in/' }

test.each([
  ['https://ask.example.org/', 'https://ask.example.org/'],
  ['ask.example.org', 'https://ask.example.org/'],
  ['  ASK.example.org/forum ', 'https://ask.example.org/forum/'],
  ['https://ask.example.org/forum/account/sign-in/?next=/', 'https://ask.example.org/forum/'],
  ['https://ask.example.org/account/sign-in', 'https://ask.example.org/'],
  ['https://ask.example.org:8443/forum/index.php?x=1#y', 'https://ask.example.org:8443/forum/'],
  ['http://127.0.0.1:8000/forum', 'http://127.0.0.1:8000/forum/'],
  ['127.0.0.1:8000/forum/', 'http://127.0.0.1:8000/forum/'],
  ['https://wiki.lan', 'https://wiki.lan/'],
])('%s is the root %s', (typed, origin) => {
  expect(readAddress({ ask: 'Where?', selfHosted: true }, typed, rules)).toEqual({ origin })
})

test.each([
  [' ', 'Type the address first.'],
  ['http://ask.example.org/', 'must begin with https://'],
  ['https://ask@example.org/', 'Leave user name and password out'],
  ['ftp://example.org/', 'no such address'],
  ['javascript:alert(1)', 'no such address'],
  ['https://example.org:22/', 'Ports are'],
  ['https://example.org/a%2fb/', 'no such address'],
  ['two words', 'no such address'],
  ['https://', 'no such address'],
])('%s is no address: %s', (typed, problem) => {
  expect(readAddress({ ask: 'Where?', selfHosted: true }, typed, rules)).toEqual({
    problem: expect.stringContaining(problem.replace('no such address', 'This is not such an address')) as string,
  })
})

const pattern = { ask: 'Which shop?', pattern: 'https://{shop}.example.com/admin/' }

test.each([
  ['acme', 'https://acme.example.com/admin/'],
  ['Acme.example.com', 'https://acme.example.com/admin/'],
  ['https://acme.example.com/login?x=1', 'https://acme.example.com/admin/'],
  ['https://acme.example.org/', undefined],
  ['https://a.b.example.com/', undefined],
  ['https://example.com/', undefined],
  ['evil.org/.example.com', undefined],
  ['https://acme.example.com:8443/', undefined],
  ['-acme', undefined],
])('of a shop, %s is %s', (typed, origin) => {
  const read = readAddress(pattern, typed, rules)
  expect('origin' in read ? read.origin : undefined).toBe(origin)
})

test.each([
  ['a pattern of more than a label', { origin: { ask: '', pattern: 'https://{shop}/' } }],
  ['a pattern of a part of a label', { origin: { ask: '', pattern: 'https://x{shop}.example.com/' } }],
  ['a pattern that ends in no slash', { origin: { ask: '', pattern: 'https://{shop}.example.com/x' } }],
  ['a host that is no root', { hosts: { api: 'https://api.example.com' } }],
  ['a token that is not kept', { authorize: [session.token('other')] }],
  ['a token in the cookie header', { authorize: [session.token('access', { header: 'cookie' })] }],
  ['a renewal with a token that is not kept', { renew: { request: 'POST /x', gives: { other: 'a' } } }],
] satisfies [string, Partial<ConnectorSpec>][])('a connector with %s is refused', (_what, wrong) => {
  expect(() => checkPlaces(forumConnector)).not.toThrow()
  expect(() => checkPlaces({ ...forumConnector, ...wrong })).toThrow()
})

interface Seen {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server on a host of its own, and what came there. */
async function server(status = 200, answer: object = { nr: '7', cost: 3 }, headers = {}) {
  const seen: Seen[] = []
  const app = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ url: request.url ?? '', headers: request.headers, body })
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
    })
  })
  const port = await listen(app)
  onTestFinished(() => {
    app.closeAllConnections()
    app.close()
  })
  return { seen, port, origin: `http://127.0.0.1:${port}/forum/` }
}

const cookie = (name: string, path: string, domain = '127.0.0.1') => ({ name, value: '1', domain, path })

test('an app below a path gets its cookies, and may set others there', async () => {
  const app = await server(200, undefined, { 'set-cookie': 'new=2; Path=/forum/' })
  const cookies = [cookie('sid', '/forum'), cookie('other', '/shop')]
  const { outcome, session: after } = await talk(
    app.origin,
    bound({ read_item })('read_item'),
    { item_id: '7' },
    {
      session: { cookies, user_agent: null },
    },
  )
  expect(outcome.kind).toBe('ok')
  expect(app.seen).toMatchObject([{ url: '/forum/items/7', headers: { cookie: 'sid=1' } }])
  expect(after?.cookies.map(({ name, path }) => [name, path])).toContainEqual(['new', '/forum/'])
})

test('an endpoint of another host is asked there, with the cookies of that host, as from the app', async () => {
  const [app, other] = [await server(), await server()]
  const api = `http://localhost:${other.port}/v1/`
  const at = endpoint({
    ...{ summary: 'Change.', label: 'Change', brief: [], effect: 'changes', shownBy: [], access: 'write' },
    host: 'api',
    request: 'POST /items',
    input: { price: Type.Number() },
    output: { item_id: Type.String() },
    decode: ({ nr }) => ({ item_id: nr }),
  })
  const { outcome } = await talk(
    app.origin,
    bound({ at }, { hosts: { api } })('at'),
    { price: 4 },
    {
      session: { cookies: [cookie('sid', '/'), cookie('api', '/', 'localhost')], user_agent: null },
    },
  )
  expect(outcome).toEqual({ kind: 'ok', output: { item_id: '7' } })
  expect(app.seen).toEqual([])
  const origin = new URL(app.origin).origin
  expect(other.seen).toMatchObject([{ url: '/v1/items', headers: { cookie: 'api=1', origin }, body: '{"price":4}' }])
})

test('a host that the connector does not name is refused', () => {
  expect(() => bound({ read_item: { ...read_item, host: 'api' } })).toThrow('which the connector does not name')
})

const kept = { signIn: { page: 'in', who: { page: 'me', account: () => null }, storage: ['access'] } }
const shop = bound({ read_item, write_item }, { ...kept, authorize: [session.token('access')] })
const of = (tokens: Record<string, string>) => ({ session: { cookies: [], user_agent: null, tokens } })

test('a token of the session is a named place of what is approved, and filled when it is sent', async () => {
  const app = await server()
  const write = shop('write_item')
  const input = { item_id: '7', price: 4 }
  const request = render(write, input, { origin: app.origin, anchor: null, now: new Date(), before: {}, page: null })
  expect(request.fills).toEqual([{ header: 'authorization', token: 'access', scheme: 'Bearer' }])
  expect(request.headers).not.toHaveProperty('authorization')
  await talk(app.origin, write, input, { ...of({ access: 's3cret' }), request })
  expect(app.seen).toMatchObject([{ headers: { authorization: 'Bearer s3cret' } }])
  const other = bound({ write_item })('write_item')
  expect((await talk(app.origin, other, input, { ...of({ access: 's3cret' }), request })).outcome.kind).toBe('changed')
  expect(app.seen).toHaveLength(1)
})

test('a session without the token is over, and nothing is sent', async () => {
  const app = await server()
  const lacking = await talk(app.origin, shop('read_item'), { item_id: '7' }, of({}))
  expect([lacking.outcome, lacking.sent]).toEqual([{ kind: 'auth_expired' }, false])
  expect(app.seen).toEqual([])
})

const renew = {
  request: 'POST /oauth/refresh',
  json: { grant_type: 'refresh_token', refresh_token: { token: 'refresh' } },
  gives: { access: 'data.access_token' },
} as const
const before = { cookies: [], user_agent: null, tokens: { access: 'a', refresh: 'r' } }

test('new tokens take the place of the old ones, and those that are not given stay', async () => {
  const app = await server(200, { data: { access_token: 'b' } })
  expect(await renewInApp(renew, { origin: app.origin }, before)).toEqual({
    kind: 'renewed',
    session: { ...before, tokens: { access: 'b', refresh: 'r' }, renewed: 1 },
  })
  expect(app.seen).toMatchObject([
    { url: '/forum/oauth/refresh', body: '{"grant_type":"refresh_token","refresh_token":"r"}' },
  ])
})

test.each([
  [400, {}, 'over'],
  [200, { data: {} }, 'over'],
  [200, { data: { access_token: 'two words' } }, 'over'],
  [500, {}, 'over'],
  [503, {}, 'later'],
  [429, {}, 'later'],
])('a renewal that is answered with %i %j is %s', async (status, answer, kind) => {
  const app = await server(status, answer)
  expect((await renewInApp(renew, { origin: app.origin }, before)).kind).toBe(kind)
})

test('an address that somebody typed is connected to as it was judged, or not at all', async () => {
  const app = await server()
  const host = new URL(app.origin).host
  const forumApp = loadApps({ sandboxUrl: '', connectors: { forum: { spec: forumConnector } } }).get('forum')!
  const at = (APP_ALLOW: string, origin = app.origin) => {
    const needed = { DATABASE_URL: 'postgres://db', TEMPORAL_ADDRESS: 'engine:7233' }
    const config = loadConfig({ ...needed, APP_ALLOW, APP_HTTP_HOSTS: `${host},localhost:${app.port}` })
    return siteOf({ config }, forumApp, origin)
  }
  const ask = async (site: ReturnType<typeof siteOf>, write: boolean) => {
    const name = write ? 'write_item' : 'read_item'
    const input = { item_id: '7', ...(write && { price: 4 }) }
    const one = bound({ read_item, write_item })(name)
    return (await talk(site!.origin, one, input, { ...site, account: `acct_${Math.random()}` })).outcome.kind
  }
  for (const write of [true, false]) {
    expect(await ask(at(''), write)).toBe('refused')
    expect(await ask(at('', app.origin.replace('127.0.0.1', 'localhost')), write)).toBe('refused')
    expect(app.seen).toEqual([])
    expect(await ask(at('127.0.0.0/8'), write)).toBe('ok')
    app.seen.length = 0
  }
  expect(at('127.0.0.0/8', 'http://127.0.0.1:9/forum/')).toBeUndefined()
  expect(at('', '')).toBeUndefined()
})
