import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, startGateway } from './gateway.ts'
import type { Gateway, Got } from './gateway.ts'
import { newOwner } from './owners.ts'

const app = 'property-advertising'
let gateway: Gateway
let key: string
beforeAll(async () => {
  gateway = await startGateway()
})
beforeEach(async () => {
  key = (await gateway.newKey()).key
  await gateway.ctx.db.query('DELETE FROM rate_limits')
})
afterAll(() => gateway.stop())

const endpointOf = (access: 'read' | 'write'): string =>
  [...(gateway.ctx.apps.get(app)?.endpoints.values() ?? [])].find((endpoint) => endpoint.access === access)?.name ?? ''
const codeOf = ({ status, body }: Got) => [status, body['error']]

describe('every response under /api/v1', () => {
  it('carries the headers of the contract, errors too', async () => {
    for (const path of ['/apps', `/${app}`, '/no-such-app', '/a/b/c/d', '/calls', `/${app}/${endpointOf('write')}`]) {
      const { headers, body, status } = await ask(`${gateway.url}${path}`)
      expect(headers.get('X-Request-Id'), path).toMatch(/^req_[0-9A-Z]{26}$/)
      expect(headers.get('X-Credits-Used'), path).toBe('0')
      expect(headers.get('Link'), path).toMatch(/^<http:\/\/[^>]+\/docs(\/property-advertising)?>; rel="describedby"$/)
      expect(headers.get('Content-Type'), path).toBe('application/json; charset=utf-8')
      expect(headers.get('Access-Control-Allow-Origin'), path).toBeNull()
      if (status !== 200) expect(body['request_id'], path).toBe(headers.get('X-Request-Id'))
    }
  })

  it('points to the documentation of the app that its address names, also when the key or the path is wrong', async () => {
    const write = `/${app}/${endpointOf('write')}`
    const named = [write, `/${app}`, `/${app}/no_such`, `/${app}/endpoints/no_such`, `/${app}/endpoints/a/b`]
    for (const path of named) {
      const { headers } = await ask(`${gateway.url}${path}`)
      expect(headers.get('Link'), path).toBe(`<${gateway.publicUrl}/docs/${app}>; rel="describedby"`)
    }
    for (const path of ['/apps', '/calls', '/no-such-app/no_such', '/constructor/x']) {
      const { headers } = await ask(`${gateway.url}${path}`)
      expect(headers.get('Link'), path).toBe(`<${gateway.publicUrl}/docs>; rel="describedby"`)
    }
  })

  it.each(['h2c', 'websocket', 'TLS/1.0, HTTP/3'])(
    'is given to clients that offer to speak %s instead',
    async (other) => {
      const { hostname, port } = new URL(gateway.url)
      const socket = connect(Number(port), hostname)
      socket.write(
        `GET /api/v1/apps HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: ${other}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
      )
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*"endpoint_count"/)
    },
  )

  it('counts as discovery where there is nothing, at the root of it too', async () => {
    for (const path of ['', '/', '/a/b/c/d']) {
      const got = await ask(`${gateway.url}${path}`)
      expect([path, ...codeOf(got)]).toEqual([path, 404, 'not_found'])
      expect(got.headers.get('RateLimit'), path).toMatch(/^"discovery";/)
    }
  })

  it('outside of it is a page', async () => {
    const response = await fetch(`${gateway.publicUrl}/no-such-page`)
    expect(response.status).toBe(404)
    expect(response.headers.get('Content-Type')).toContain('text/html')
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
  })
})

describe('discovery', () => {
  it('shows apps, an app, its endpoints and each of them without a key', async () => {
    const apps = (await ask(`${gateway.url}/apps`)).body['apps'] as Record<string, unknown>[]
    expect(apps.map(({ slug }) => slug)).toContain(app)
    const shown = (await ask(`${gateway.url}/${app}`)).body
    expect(Object.keys(shown)).toEqual([
      'slug',
      'name',
      'description',
      'role',
      'connection',
      'endpoint_count',
      'endpoints',
      'x-callgate-things',
      'links',
    ])
    const { endpoints } = (await ask(`${gateway.url}/${app}/endpoints`)).body as { endpoints: { name: string }[] }
    expect(endpoints).toEqual(shown['endpoints'])
    expect(endpoints).toHaveLength(Number(shown['endpoint_count']))
    const { body } = await ask(`${gateway.url}/${app}/endpoints/${endpoints[0]?.name}`)
    expect(body).toMatchObject({ app, name: endpoints[0]?.name, input_schema: { additionalProperties: false } })
  })

  it('names what there is when it is asked for what there is not', async () => {
    const noApp = await ask(`${gateway.url}/property-adverts`)
    expect(codeOf(noApp)).toEqual([404, 'unknown_app'])
    expect(noApp.body['valid_names']).toContain(app)
    const noEndpoint = await ask(`${gateway.url}/${app}/endpoints/no_such`)
    expect(codeOf(noEndpoint)).toEqual([404, 'unknown_endpoint'])
    expect(noEndpoint.body['valid_names']).toContain(endpointOf('write'))
    expect(noEndpoint.body['message']).toContain(endpointOf('write'))
    expect(codeOf(await ask(`${gateway.url}/openapi.json/no`))).toEqual([403, 'api_key_required'])
    expect(codeOf(await ask(`${gateway.url}/mcp`))).toEqual([404, 'not_found'])
    expect(codeOf(await ask(`${gateway.url}/constructor`))).toEqual([404, 'unknown_app'])
    expect(codeOf(await ask(`${gateway.url}/%00`))).toEqual([404, 'unknown_app'])
  })

  it('answers HEAD without a body, 304 to whom has it already, and 405 to everything else', async () => {
    const head = await fetch(`${gateway.url}/apps`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const etag = head.headers.get('ETag') ?? ''
    // `cache` keeps fetch from adding `Cache-Control: no-cache`, which asks for a fresh answer.
    const again = await fetch(`${gateway.url}/apps`, { headers: { 'If-None-Match': etag }, cache: 'force-cache' })
    expect(again.status).toBe(304)
    const post = await ask(`${gateway.url}/apps`, { json: {} })
    expect([...codeOf(post), post.headers.get('Allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD'])
  })
})

describe('the order of checks', () => {
  it('is key, route, method, body, input, access', async () => {
    const write = `${gateway.url}/${app}/${endpointOf('write')}`
    const narrow = (await gateway.newKey(['crm'])).key
    expect(codeOf(await ask(`${gateway.url}/no-such-app/x`, { method: 'PUT' }))).toEqual([403, 'api_key_required'])
    expect(codeOf(await ask(`${gateway.url}/no-such-app/x`, { method: 'PUT', key }))).toEqual([404, 'unknown_app'])
    expect(codeOf(await ask(`${gateway.url}/${app}/x`, { method: 'PUT', key }))).toEqual([404, 'unknown_endpoint'])
    const put = await ask(write, { method: 'PUT', body: 'no json', key })
    expect([...codeOf(put), put.headers.get('Allow')]).toEqual([405, 'method_not_allowed', 'POST'])
    const wrongType = { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } }
    expect(codeOf(await ask(write, { ...wrongType, key: narrow }))).toEqual([415, 'unsupported_media_type'])
    expect(codeOf(await ask(write, { json: [], key: narrow }))).toEqual([400, 'invalid_json'])
    const unknownField = await ask(write, { json: { misspelled: 1 }, key: narrow })
    expect(codeOf(unknownField)).toEqual([400, 'invalid_input'])
    expect(unknownField.body['details']).toContainEqual(expect.objectContaining({ path: 'misspelled' }))
  })

  it('refuses a key without access before anything is accepted, and says where to ask for it', async () => {
    const narrow = await gateway.newKey(['crm'])
    const refused = await ask(`${gateway.url}/${app}/list_listings`, { json: {}, key: narrow.key })
    expect(codeOf(refused)).toEqual([403, 'access_not_granted'])
    expect(refused.body['request_access_url']).toBe(`${gateway.publicUrl}/access/${app}?key=${narrow.id}`)
    expect(refused.body['docs_url']).toBe(`${gateway.publicUrl}/docs/${app}`)
  })

  it('ends with 503 while the engine is known to be away, and nothing is written', async () => {
    const answer = await ask(`${gateway.url}/${app}/list_listings`, { json: {}, key })
    expect(codeOf(answer)).toEqual([503, 'unavailable'])
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(answer.headers.get('RateLimit')).toBe('"calls";r=59;t=60')
    expect((await gateway.ctx.db.query('SELECT FROM calls')).rowCount).toBe(0)
    expect((await gateway.ctx.db.query('SELECT FROM ledger')).rowCount).toBe(0)
  })
})

describe('an endpoint', () => {
  it('is never run by HEAD, and a write never by GET', async () => {
    const read = await fetch(`${gateway.url}/${app}/list_listings`, { method: 'HEAD', headers: { 'X-API-Key': key } })
    expect([read.status, read.headers.get('Allow')]).toEqual([405, 'GET, POST'])
    const write = await ask(`${gateway.url}/${app}/${endpointOf('write')}`, { key })
    expect([...codeOf(write), write.headers.get('Allow')]).toEqual([405, 'method_not_allowed', 'POST'])
  })

  it.each([
    ['', 400],
    ['k'.repeat(256), 400],
    ['k'.repeat(255), 503],
  ])('takes an Idempotency-Key of 1 to 255 characters only', async (value, status) => {
    const headers = { 'Idempotency-Key': value }
    const answer = await ask(`${gateway.url}/${app}/list_listings`, { json: {}, key, headers })
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(answer.body['details']).toContainEqual(expect.objectContaining({ path: 'Idempotency-Key' }))
  })

  it.each([
    ['as one piece', () => Buffer.alloc(2 * 1024 * 1024, ' ')],
    ['in chunks, without a length', () => new Blob([Buffer.alloc(2 * 1024 * 1024, ' ')]).stream()],
  ])('refuses 2 MiB %s with an answer that arrives', async (_, body) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: body(), duplex: 'half', key } as const
    expect(codeOf(await ask(`${gateway.url}/${app}/list_listings`, init))).toEqual([413, 'payload_too_large'])
  })

  it.each([
    ['application/json; charset=utf-8', 503],
    ['Application/JSON', 503],
    ['application/json; charset=latin1', 415],
    ['application/x-www-form-urlencoded', 415],
    ['', 415],
  ])('takes a body of type %j with %i', async (type, status) => {
    const headers = { 'Content-Type': type }
    const body = Buffer.from('{}')
    const answer = await ask(`${gateway.url}/${app}/list_listings`, { method: 'POST', headers, body, key })
    expect(answer.status).toBe(status)
  })

  it.each([
    ['a type that is none', { 'Content-Type': 'text/plain' }, 'as Content-Type: application/json'],
    ['another charset', { 'Content-Type': 'application/json; charset=latin1' }, 'in UTF-8'],
    ['a packed body', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, 'without Content-Encoding'],
  ])('says of %s what is wrong with it', async (_, headers, said) => {
    const body = Buffer.from('{}')
    const answer = await ask(`${gateway.url}/${app}/list_listings`, { method: 'POST', headers, body, key })
    expect(codeOf(answer)).toEqual([415, 'unsupported_media_type'])
    expect(answer.body['message']).toContain(said)
  })

  it('takes no input in the query of a POST, and names what stands there', async () => {
    const read = `${gateway.url}/${app}/list_listings`
    const write = `${gateway.url}/${app}/${endpointOf('write')}`
    for (const url of [read, write]) {
      const answer = await ask(`${url}?limit=1&dry_run=true&limit=2`, { json: {}, key })
      expect(codeOf(answer)).toEqual([400, 'invalid_input'])
      expect(answer.body['details']).toEqual([
        { path: 'limit', message: expect.stringContaining('JSON body') },
        { path: 'dry_run', message: expect.stringContaining('JSON body') },
      ])
      expect(answer.body['message']).toContain('dry_run is in the query')
    }
    expect(codeOf(await ask(`${read}?limit=1`, { method: 'POST', key }))).toEqual([400, 'invalid_input'])
    // Passed on to the engine, which is away here.
    for (const url of [`${read}?`, `${read}?limit=1`]) expect((await ask(url, { key })).status).toBe(503)
    expect((await ask(`${read}?`, { json: {}, key })).status).toBe(503)
  })

  it('takes no body as an empty object, whatever the type', async () => {
    expect((await ask(`${gateway.url}/${app}/list_listings`, { method: 'POST', key })).status).toBe(503)
  })
})

describe('the call records', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['status=done', 'status'],
    ['app=no-such-app', 'app'],
    ['cursor=made-up', 'cursor'],
    ['stauts=failed', 'stauts'],
  ])('refuse ?%s and name the field', async (query, path) => {
    const answer = await ask(`${gateway.url}/calls?${query}`, { key })
    expect(codeOf(answer)).toEqual([400, 'invalid_input'])
    expect(answer.body['details']).toEqual([expect.objectContaining({ path })])
  })

  it('are none at first', async () => {
    const { body } = await ask(`${gateway.url}/calls?status=failed&app=${app}&limit=100`, { key })
    expect(body).toEqual({ calls: [], next_cursor: null })
  })

  it.each(['call_1', 'call_01ARZ3NDEKTSV4RRFFQ69G5FAV', '%00', "call_' OR 1=1"])('do not know %s', async (id) => {
    for (const method of ['GET', 'DELETE'])
      expect(codeOf(await ask(`${gateway.url}/calls/${id}`, { method, key }))).toEqual([404, 'unknown_call'])
  })

  it('refuse other methods and other addresses', async () => {
    const put = await ask(`${gateway.url}/calls/call_1`, { method: 'PUT', key })
    expect([...codeOf(put), put.headers.get('Allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD, DELETE'])
    expect(codeOf(await ask(`${gateway.url}/calls/call_1/output`, { key }))).toEqual([404, 'not_found'])
    expect(codeOf(await ask(`${gateway.url}/calls/call_1?wait=x`, { key }))).toEqual([400, 'invalid_input'])
  })
})

describe('the server', () => {
  const raw = async (request: string): Promise<string> => {
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    socket.write(request)
    return text(socket)
  }

  // It takes its time, which passes while the other tests run.
  let slow: Promise<{ readonly answer: string; readonly seconds: number }>
  beforeAll(() => {
    const began = performance.now()
    slow = raw('GET /api/v1/apps HTTP/1.1\r\nHost: x\r\n').then((answer) => ({
      answer,
      seconds: (performance.now() - began) / 1000,
    }))
  })

  it('answers what is not HTTP, and headers over 16 KiB, in the form of every error', async () => {
    const nonsense = await raw('HELLO\r\n\r\n')
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 [^]*\r\nLink: <http:[^>]+\/docs>; rel="describedby"\r\n/)
    expect(JSON.parse(nonsense.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: 'invalid_input' })
    expect(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('puts no refusal of what follows in front of the answer to a call, and closes after it', async () => {
    const owner = await newOwner(gateway)
    const body = JSON.stringify({ contact_id: 'c1', message: 'Counted too short' })
    const head = `POST /api/v1/${app}/reply_to_contact HTTP/1.1\r\nHost: x\r\nX-API-Key: ${owner.key}`
    gateway.ctx.engine.up = true
    try {
      const length = `Content-Type: application/json\r\nContent-Length: ${body.length}`
      const answer = await raw(`${head}\r\n${length}\r\n\r\n${body}and more`)
      expect(answer).toMatch(/^HTTP\/1\.1 202 [^]*\r\nX-Request-Id: call_/)
      expect(answer).toMatch(/\r\nConnection: close\r\n/)
      expect(answer).not.toContain('not a valid HTTP request')
    } finally {
      gateway.ctx.engine.up = false
    }
    // What did not arrive in full is not run, and so is refused as ever.
    const broken = await raw(`${head}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`)
    expect(broken).toMatch(/^HTTP\/1\.1 400 [^]*not a valid HTTP request/)
  })

  it('refuses a request without a host in the form of every error, and leaves HTTP/1.0 alone', async () => {
    const hostless = await raw('GET /api/v1/apps HTTP/1.1\r\n\r\n')
    expect(hostless).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: req_/)
    expect(JSON.parse(hostless.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: 'invalid_input' })
    expect(await raw('GET /api/v1/apps HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('answers a request with an expectation that it does not know as if there were none', async () => {
    const answer = await raw('GET /api/v1/apps HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\r\nX-Request-Id: req_/)
  })

  it('tells operators how it is', async () => {
    expect((await ask(`${gateway.adminUrl}/healthz`)).status).toBe(200)
    const ready = await ask(`${gateway.adminUrl}/readyz`)
    expect([ready.status, ready.body]).toEqual([200, { database: true, engine: false, draining: false }])
    await ask(`${gateway.url}/apps`)
    const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text()
    expect(metrics).toContain('callgate_http_request_seconds_count{route="/api/v1/apps",method="GET",status="200"}')
    for (const line of ['callgate_database_up 1', 'callgate_engine_up 0', '# TYPE callgate_queue_oldest_seconds gauge'])
      expect(metrics).toContain(line)
  })

  it('does not wait longer than 15 s, and a little, for headers that do not come', async () => {
    const { answer, seconds } = await slow
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*\r\nX-Request-Id: req_[^]*"error":"invalid_input"/)
    expect(seconds).toBeGreaterThan(14)
    expect(seconds).toBeLessThan(30)
  })
})
