import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createKey, revokeKey } from '../../core/keys/rows.ts'
import { isApiPath } from '../../core/http/api.ts'
import { createApi } from '../../core/http/api.ts'
import { createToolsets } from '../../api/mcp/toolsets.ts'
import { createAdminApp } from '../../server/admin.ts'
import { createApp } from '../../server/server.ts'
import { exampleOf } from '../../connectors/examples.ts'
import { Agent } from '../mcp/agent.ts'
import { madeUpKey } from './http/made-up-key.ts'
import { startGateway } from './http/gateway.ts'
import type { Gateway } from './http/gateway.ts'
import { apiRules, operatorPageRules, operatorRequests, toolRules } from './ownership/api.ts'
import type { Request } from './ownership/api.ts'
import { mountedRoutes } from './ownership/mounted.ts'
import type { Mounted } from './ownership/mounted.ts'
import { app, idsOf, madeUp, makePerson, rowsOf } from './ownership/things.ts'
import type { Person, Things } from './ownership/things.ts'
import { Visitor } from '../web/visitor.ts'

let gateway: Gateway
let owner: Person
let stranger: Person
/** Of the stranger; so many that no limit is in the way. */
let keys: readonly string[]
beforeAll(async () => {
  gateway = await startGateway({ TRUST_PROXY: '1' })
  const { ctx } = gateway
  owner = await makePerson(ctx, 'olivia')
  stranger = await makePerson(ctx, 'steven')
  const made = Array.from({ length: 60 }, (_, i) =>
    createKey(ctx, { owner: stranger.owner, name: `Agent ${i}`, apps: null }),
  )
  keys = (await Promise.all(made)).map(({ key }) => key)
  // Accounts are looked at only when calls can be started.
  ctx.engine.up = true
})
afterAll(() => gateway.stop())

let turn = 0
let addresses = 0
const nextKey = (): string => keys[turn++ % keys.length] ?? ''
/** Nobody is held up by the limits of an address. */
const nextAddress = (): Record<string, string> => ({ 'X-Forwarded-For': `10.2.${++addresses >> 8}.${addresses & 255}` })

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function send(request: Request, headers: Record<string, string>, url = gateway.publicUrl): Promise<Got> {
  const { method, path, body } = request
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...json, ...nextAddress(), ...request.headers, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const codeOf = ({ status, text }: Got): readonly unknown[] => [
  status,
  (JSON.parse(text === '' ? '{}' : text) as { error?: unknown }).error,
]
/** An answer without the ids asked for and its own. */
const told = ({ status, headers, text }: Got, things: Things): string =>
  [...idsOf(things), headers.get('X-Request-Id') ?? '']
    .filter((id) => id !== '')
    .reduce((rest, id) => rest.replaceAll(id, 'ID'), `${status} ${text}`)
const secrets = (): readonly string[] => [...idsOf(owner.things), owner.owner, owner.email, 'olivia']
const showsNothing = (text: string, where: string): void => {
  for (const secret of secrets()) expect(text.includes(secret), `${where}: ${secret}`).toBe(false)
}

describe('the API', () => {
  it('has a rule here for each route', () => {
    const served = new Set(
      mountedRoutes(createApp(gateway.ctx))
        .map(({ path }) => path)
        .filter((path) => isApiPath(path)),
    )
    const known = Object.keys(apiRules)
    const where = 'test/api/ownership/api.ts'
    expect(
      [...served].filter((path) => !known.includes(path)),
      `add each to apiRules in ${where}`,
    ).toEqual([])
    expect(
      known.filter((path) => !served.has(path)),
      `take these out of apiRules in ${where}`,
    ).toEqual([])
  })

  it.each(Object.entries(apiRules).filter(([, { at }]) => at !== undefined))(
    '%s is for the owner only: others get what they would get for what there is not',
    async (_, { at, refused }) => {
      const before = await rowsOf(gateway.ctx, owner)
      const none = madeUp()
      const theirs = at?.(owner.things) ?? []
      for (const [i, made] of (at?.(none) ?? []).entries()) {
        const request = theirs[i]
        if (request === undefined) throw new Error('the rule names fewer things')
        const foreign = await send(request, { Authorization: `Bearer ${nextKey()}` })
        const nothing = await send(made, { Authorization: `Bearer ${nextKey()}` })
        expect(told(foreign, owner.things), request.path).toBe(told(nothing, none))
        expect(codeOf(foreign), request.path).toEqual(refused)
        const name = (header: string): string => header.toLowerCase()
        const kept = (got: Got): unknown[] => [...got.headers.keys()].map(name).sort()
        expect(kept(foreign), 'the same headers').toEqual(kept(nothing))
      }
      expect(await rowsOf(gateway.ctx, owner), 'nothing of the owner’s has changed').toEqual(before)
    },
  )

  it('lists nothing of another owner', async () => {
    for (const path of [
      '/api/v1/calls',
      '/api/v1/calls?limit=100',
      '/api/v1/connections',
      '/api/v1/usage',
      '/api/v1/usage?format=csv',
    ]) {
      const got = await send({ method: 'GET', path }, { 'X-API-Key': stranger.secret })
      expect(got.status, path).toBe(200)
      showsNothing(got.text, path)
      const own = await send({ method: 'GET', path }, { 'X-API-Key': owner.secret })
      expect(own.text.includes('olivia') || own.text.includes(owner.things.waiting), path).toBe(true)
    }
  })

  it('takes no cursor that another owner was given', async () => {
    const first = await send({ method: 'GET', path: '/api/v1/calls?limit=1' }, { 'X-API-Key': owner.secret })
    const { next_cursor: cursor } = JSON.parse(first.text) as { next_cursor: string }
    const path = `/api/v1/calls?cursor=${encodeURIComponent(cursor)}`
    expect((await send({ method: 'GET', path }, { 'X-API-Key': owner.secret })).status).toBe(200)
    expect(codeOf(await send({ method: 'GET', path }, { 'X-API-Key': stranger.secret }))).toEqual([
      400,
      'invalid_input',
    ])
  })
})

/** The operations that take a key: all endpoints of these apps, and Callgate's own routes. */
function operations(slugs?: readonly string[]): readonly Request[] {
  const all = gateway.ctx.apps.all.filter(({ slug }) => slugs?.includes(slug) ?? true)
  const wrong = { body: '[', headers: { 'Content-Type': 'application/json' } }
  const endpoints = all.flatMap(({ slug, endpoints: of }) =>
    [...of.values()].flatMap(({ name, access }) => [
      { method: 'POST', path: `/api/v1/${slug}/${name}`, ...wrong },
      ...(access === 'read' ? [{ method: 'GET', path: `/api/v1/${slug}/${name}?_=1` }] : []),
    ]),
  )
  const own = ['/calls', `/calls/${owner.things.waiting}`, '/connections', '/usage'].map((path) => ({
    method: 'GET',
    path: `/api/v1${path}?_=1`,
  }))
  return [
    ...own,
    { method: 'DELETE', path: `/api/v1/calls/${owner.things.waiting}?_=1` },
    ...['/mcp', `/mcp/${app}`].map((path) => ({ method: 'POST', path, ...wrong })),
    ...endpoints,
  ]
}

/** Requests of many at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 16 }, lane))
}

describe('every operation that takes a key', () => {
  let revoked: string
  let expired: string
  let cookie: string
  beforeAll(async () => {
    const { ctx } = gateway
    const made = await createKey(ctx, { owner: owner.owner, name: 'old', apps: null })
    await revokeKey(ctx, owner.owner, made.id)
    revoked = made.key
    const past = new Date(Date.now() - 1_000)
    expired = (await createKey(ctx, { owner: owner.owner, name: 'over', apps: null, expiresAt: past })).key
    const visitor = new Visitor({ url: gateway.publicUrl })
    await visitor.signIn(owner)
    cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  })

  const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` })
  const refusals: readonly [string, string, () => Record<string, string>][] = [
    ['with a browser’s session instead', 'api_key_required', () => ({ Cookie: cookie })],
    ['with another kind of authorization', 'api_key_required', () => ({ Authorization: 'Basic eDp5' })],
    ['with an empty key', 'api_key_required', () => ({ 'X-API-Key': '' })],
    ['with what is no key', 'api_key_invalid', () => bearer('nonsense')],
    ['with a key and a typo', 'api_key_invalid', () => bearer(`${nextKey().slice(0, -1)}-`)],
    ['with a key that nobody has', 'api_key_invalid', () => bearer(madeUpKey())],
    ['with a revoked key in X-API-Key', 'api_key_invalid', () => ({ 'X-API-Key': revoked })],
    ['with an expired key', 'api_key_invalid', () => bearer(expired)],
    ['with two different keys', 'api_key_invalid', () => ({ ...bearer(nextKey()), 'X-API-Key': nextKey() })],
  ]
  const refuses = (some: readonly Request[], code: string, headers: () => Record<string, string>): Promise<void> =>
    forEach(some, async (operation) => {
      const got = await send(operation, headers())
      const where = `${operation.method} ${operation.path}`
      // An MCP client is told where its person can sign in.
      expect([where, ...codeOf(got)]).toEqual([where, operation.path.startsWith('/mcp') ? 401 : 403, code])
      expect(got.headers.get('RateLimit'), where).toBeNull()
      showsNothing(got.text, where)
    })

  it('is refused without a key: api_key_required', () => refuses(operations(), 'api_key_required', () => ({})))

  it('is refused with a revoked key: api_key_invalid', () =>
    refuses(operations(), 'api_key_invalid', () => bearer(revoked)))

  // All run through the same code as these.
  const some = (): readonly Request[] => operations([app])

  it.each(refusals)('is refused %s: %s', (_, code, headers) => refuses(some(), code, headers))

  const takes = (operation: readonly Request[], headers: () => Record<string, string>): Promise<void> =>
    forEach(operation, async (one) => {
      const got = await send(one, headers())
      const where = `${one.method} ${one.path}`
      // What is wrong now is the request itself, which was wrong on purpose.
      expect([where, got.status]).toEqual([where, 400])
      expect(got.headers.get('RateLimit-Policy'), where).toMatch(/^"(calls|call-records|mcp-messages)"/)
    })

  it('takes a valid key as a bearer token', () => takes(operations(), () => bearer(nextKey())))

  it.each<[string, (key: string) => Record<string, string>]>([
    ['as a bearer token, however it is written', (key) => ({ authorization: `bEARER   ${key}` })],
    ['in X-API-Key', (key) => ({ 'x-api-key': key })],
    ['in both', (key) => ({ ...bearer(key), 'X-API-Key': key })],
  ])('takes a valid key %s', (_, headers) => takes(some(), () => headers(nextKey())))

  it('of an app takes no key without access to it, nor for another’s account or a made-up one', async () => {
    const before = await rowsOf(gateway.ctx, owner)
    const narrow = await Promise.all(
      Array.from({ length: 8 }, (_, i) => createKey(gateway.ctx, { owner: stranger.owner, name: `n${i}`, apps: [] })),
    )
    const none = madeUp().account
    let n = 0
    const endpoints = gateway.ctx.apps.all.flatMap(({ slug, endpoints: of }) =>
      [...of.values()].map(({ name }) => [slug, name] as const),
    )
    await forEach(endpoints, async ([slug, name]) => {
      const path = `/api/v1/${slug}/${name}`
      const request = { method: 'POST', path, body: exampleOf(slug, name, new Date())?.input ?? {} }
      const refused = await send(request, bearer(narrow[n++ % narrow.length]?.key ?? ''))
      expect([path, ...codeOf(refused)]).toEqual([path, 403, 'access_not_granted'])
      const foreign = await send(request, { ...bearer(nextKey()), 'X-Callgate-Account': owner.things.account })
      const made = await send(request, { ...bearer(nextKey()), 'X-Callgate-Account': none })
      expect([path, ...codeOf(foreign)]).toEqual([path, 404, 'unknown_account'])
      expect(told(foreign, owner.things)).toBe(told(made, { ...madeUp(), account: none }))
    })
    expect(await rowsOf(gateway.ctx, owner)).toEqual(before)
  })
})

describe('MCP', () => {
  it('has a rule here for each tool', () => {
    const tools = createToolsets(gateway.ctx.apps).general.definitions.map(({ name }) => name)
    expect(tools.toSorted(), 'keep toolRules in test/api/ownership/api.ts').toEqual(Object.keys(toolRules).toSorted())
  })

  it.each(['2025', '2026'] as const)('tells and changes nothing of another owner, in the %s era', async (era) => {
    const before = await rowsOf(gateway.ctx, owner)
    const agent = await Agent.connect(gateway.publicUrl, stranger.secret, { era })
    try {
      const none = madeUp()
      for (const [tool, args] of Object.entries(toolRules)) {
        const theirs = args(owner.things)
        for (const [i, made] of args(none).entries()) {
          const foreign = await agent.use(tool, theirs[i])
          const nothing = await agent.use(tool, made)
          const same = ({ isError, body }: typeof foreign, things: Things): string => {
            const text = JSON.stringify([isError, body]).replaceAll(/req_\w+/g, 'REQUEST')
            return idsOf(things).reduce((left, id) => left.replaceAll(id, 'ID'), text)
          }
          expect(same(foreign, owner.things), tool).toBe(same(nothing, none))
          expect(foreign.isError, tool).toBe(true)
        }
      }
      for (const tool of ['list_calls', 'list_connections'])
        showsNothing(JSON.stringify((await agent.use(tool)).body), tool)
    } finally {
      await agent.close()
    }
    expect(await rowsOf(gateway.ctx, owner)).toEqual(before)
  })
})

describe('the live browser for sign-ins', () => {
  /** The status that the offer to talk was refused with. */
  async function refusedWith(path: string, headers: Record<string, string>): Promise<number | undefined> {
    const socket = new WebSocket(`${gateway.publicUrl.replace('http', 'ws')}${path}`, { headers })
    socket.on('error', () => undefined)
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }]
    socket.terminate()
    return response.statusCode
  }

  it('is opened by nobody but the signed-in person, from a page of ours', async () => {
    const { ctx, publicUrl } = gateway
    const visitor = new Visitor({ url: publicUrl })
    await visitor.signIn(owner)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const path = `/connect/${app}/live`
    expect(await refusedWith(path, { Origin: publicUrl })).toBe(403)
    expect(await refusedWith(path, { Origin: publicUrl, Authorization: `Bearer ${owner.secret}` })).toBe(403)
    expect(await refusedWith(path, { Origin: 'https://elsewhere.example', Cookie: cookie })).toBe(403)
    expect(await refusedWith(path, { Cookie: cookie }), 'no page at all').toBe(403)
    expect(await refusedWith('/connect/no-such-app/live', { Origin: publicUrl, Cookie: cookie })).toBe(404)
    await ctx.db.query(`UPDATE web_sessions SET expires_at = now() - interval '1 second' WHERE owner = $1`, [
      owner.owner,
    ])
    expect(await refusedWith(path, { Origin: publicUrl, Cookie: cookie })).toBe(403)
  })
})

describe('the admin port', () => {
  const strangers = (): readonly Record<string, string>[] => [
    {},
    { Authorization: 'Bearer wrong' },
    { Authorization: `Bearer ${owner.secret}` },
    { 'X-API-Key': owner.secret },
    { Cookie: `callgate=${'a'.repeat(43)}; callgate-operator=${'a'.repeat(43)}` },
  ]

  const routes = (): readonly Mounted[] => mountedRoutes(createAdminApp(createApi(gateway.ctx)))
  const isForPrograms = (path: string): boolean =>
    path.startsWith('/operator/') || ['/metrics', '/healthz', '/readyz'].includes(path)

  it('has a request here for each route', () => {
    const requests = operatorRequests(owner.things)
    const paths = [...new Set(routes().map(({ path }) => path))]
    const asked = paths.filter((path) => path.startsWith('/operator/') && !path.endsWith('/*rest'))
    const missing = asked.filter((path) => {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
      return !requests.some((one) => pattern.test(one.path))
    })
    expect([asked.length, missing], 'add each to operatorRequests in test/api/ownership/api.ts').toEqual([
      requests.length,
      [],
    ])
    expect(
      paths.filter((path) => !isForPrograms(path)).toSorted(),
      'keep operatorPageRules in test/api/ownership/api.ts',
    ).toEqual(Object.keys(operatorPageRules).toSorted())
  })

  it('answers nobody without the operator token', async () => {
    const before = await rowsOf(gateway.ctx, owner)
    for (const request of [...operatorRequests(owner.things), { method: 'GET', path: '/operator/nothing' }])
      for (const headers of strangers()) {
        // Who guesses tokens is slowed down; here are more requests than that.
        await gateway.ctx.db.query(`DELETE FROM rate_limits`)
        const got = await send(request, headers, gateway.adminUrl)
        expect([request.path, ...codeOf(got)]).toEqual([request.path, 403, 'api_key_invalid'])
        showsNothing(got.text, request.path)
      }
    expect(await rowsOf(gateway.ctx, owner)).toEqual(before)
  })

  it('shows its pages to nobody but an operator who has signed in', async () => {
    const before = await rowsOf(gateway.ctx, owner)
    for (const [pattern, { open, at }] of Object.entries(operatorPageRules)) {
      const path = at?.(owner.things) ?? pattern
      const methods = routes()
        .filter((route) => route.path === pattern)
        .flatMap((route) => route.methods)
      for (const headers of strangers()) {
        if (methods.includes('GET')) {
          const got = await send({ method: 'GET', path }, headers, gateway.adminUrl)
          if (!open)
            expect([path, got.status, got.headers.get('Location')]).toEqual([
              path,
              303,
              `/login?return_to=${encodeURIComponent(path)}`,
            ])
          showsNothing(got.text.replaceAll(path, '').replaceAll(encodeURIComponent(path), ''), path)
        }
        if (methods.includes('POST')) {
          const form = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }
          const body = 'action=pause&csrf=made+up&token=made+up'
          const got = await send({ method: 'POST', path, body, headers: form }, form, gateway.adminUrl)
          expect([path, got.status >= 400 && got.status < 500]).toEqual([path, true])
        }
      }
    }
    expect(await rowsOf(gateway.ctx, owner)).toEqual(before)
  })

  it('tells of health and figures without naming anybody', async () => {
    for (const path of ['/metrics', '/healthz', '/readyz'])
      showsNothing((await send({ method: 'GET', path }, {}, gateway.adminUrl)).text, path)
  })
})
