import { describe, expect, test } from 'vitest'
import { Type } from 'typebox'
import { endpoint } from '../../connectors/kit/define.ts'
import { formToken } from '../../connectors/kit/csrf.ts'
import { id } from '../../connectors/kit/inputs.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { bound, http, rawApp, shop, talk } from './local-app.ts'

const good = http(200, '{"nr":"7","cost":12.5}')
const html = { 'content-type': 'text/html; charset=utf-8' }
const writeInput = { item_id: '7', price: 3 }
const changed = (rule: string) => ({ kind: 'changed', rule })

describe('what an answer becomes', () => {
  const cases: [string, string, object][] = [
    ['a good answer is decoded', good, { kind: 'ok', output: { item_id: '7', price: 12.5 } }],
    ['a field of another type is changed', http(200, '{"nr":7,"cost":12.5}'), changed('$.item_id is not string')],
    ['a list where an object belongs is changed', http(200, '[1]'), changed('field `item_id` missing at $')],
    [
      'JSON that does not parse is changed',
      http(200, '{"nr":'),
      changed('json expected, 200 came with JSON that does not parse'),
    ],
    [
      'a page where JSON belongs is changed',
      http(200, '<p>hello</p>', html),
      changed('json expected, 200 came with text/html'),
    ],
    ['an unknown refusal is changed', http(404, '<p>?</p>', html), changed('json expected, 404 came with text/html')],
    ['bytes that are not HTTP are changed', 'SSH-2.0-OpenSSH\r\n\r\n', changed('not HTTP')],
    [
      'a body that is not packed as it says is changed',
      http(200, 'x', { 'content-encoding': 'gzip' }),
      changed('not the gzip that it is said to be'),
    ],
    [
      'a refusal carries the code and message of the app',
      http(409, '{"problem":"sold","text":"Sold out"}'),
      { kind: 'rejected', appCode: 'sold', appMessage: 'Sold out' },
    ],
    ['a block page is blocked', http(403, '<h1>Access denied</h1>', html), { kind: 'blocked' }],
    ['429 says how long to wait', http(429, '', { 'retry-after': '3' }), { kind: 'rate_limited', retryAfterMs: 3000 }],
    [
      '429 that asks for a day is an hour',
      http(429, '', { 'retry-after': '86400' }),
      { kind: 'rate_limited', retryAfterMs: 3_600_000 },
    ],
    ['429 without a time is 5 s', http(429, ''), { kind: 'rate_limited', retryAfterMs: 5000 }],
    ['a server error is app_error', http(503, '<p>Maintenance</p>', html), { kind: 'app_error', status: 503 }],
    [
      'a redirect to the sign-in page is auth_expired',
      http(302, '', { location: '/shop/sign-in?to=x' }),
      { kind: 'auth_expired' },
    ],
    [
      'a redirect to the host where people sign in to many apps is auth_expired',
      http(302, '', { location: 'https://login.example.org/realms/shop/auth?state=x' }),
      { kind: 'auth_expired' },
    ],
    [
      "a redirect to a sign-in page of the app's host, beside the app, is auth_expired",
      http(302, '', { location: '/accounts/login?next=/shop/' }),
      { kind: 'auth_expired' },
    ],
    [
      'a redirect to an address that only begins like the sign-in host is changed',
      http(302, '', { location: 'https://login.example.org/realms/shopping' }),
      changed('json expected, 302 came with a redirect out of the app to https://login.example.org'),
    ],
    [
      'a redirect to another host is changed',
      http(302, '', { location: 'http://evil.example/shop/sign-in' }),
      changed('json expected, 302 came with a redirect out of the app to http://evil.example'),
    ],
    [
      'a redirect to another app of the host is changed',
      http(302, '', { location: '/other/sign-in' }),
      changed('json expected, 302 came with a redirect out of the app'),
    ],
    [
      'a redirect out of the app through dots is changed',
      http(302, '', { location: '/shop/%2e%2e/sign-in' }),
      changed('json expected, 302 came with a redirect out of the app'),
    ],
    ['a redirect to nowhere is changed', http(302, ''), changed('json expected, 302 came with a redirect to nowhere')],
  ]
  test.each(cases)('%s', async (_name, answer, outcome) => {
    await using app = await rawApp((_request, socket) => void socket.write(answer))
    for (const name of ['read_item', 'write_item']) {
      const { excerpt, ...result } = await talk(
        app.origin,
        shop(name),
        name === 'read_item' ? { item_id: '7' } : writeInput,
      )
      const expected = 'output' in outcome && name === 'write_item' ? { kind: 'ok', output: { item_id: '7' } } : outcome
      expect(result).toEqual({ outcome: expected, session: null, sent: true })
      expect(excerpt === undefined || ('kind' in outcome && outcome.kind === 'changed'), excerpt).toBe(true)
    }
    expect(app.requests.length).toBe(2)
  })
})

describe('what breaks on the way', () => {
  test('a refused connection sent nothing and never asked the fence', async () => {
    const port = await freePort()
    let asked = 0
    const fence = (): Promise<boolean> => Promise.resolve((asked += 1) > 0)
    const result = await talk(`http://127.0.0.1:${port}/shop/`, shop('write_item'), writeInput, { fence })
    expect(result).toEqual({ outcome: { kind: 'refused' }, session: null, sent: false })
    expect(asked).toBe(0)
  })

  test('a host that does not exist is refused', async () => {
    const result = await talk('http://nobody.invalid/shop/', shop('read_item'), { item_id: '7' })
    expect(result).toEqual({ outcome: { kind: 'refused' }, session: null, sent: false })
  })

  test.each([
    ['before the answer', ''],
    ['after the headers', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n'],
    [
      'in the middle of the body',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"nr":"7"',
    ],
    [
      'in the middle of a chunk',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"nr"',
    ],
  ])('a connection closed %s is lost, was sent, and is not tried again', async (_when, bytes) => {
    await using app = await rawApp((_request, socket) => void socket.end(bytes))
    for (const name of ['read_item', 'write_item']) {
      const result = await talk(app.origin, shop(name), name === 'read_item' ? { item_id: '7' } : writeInput)
      expect(result).toEqual({ outcome: { kind: 'lost' }, session: null, sent: true })
    }
    expect(app.connections).toBe(2)
    expect(app.requests.length).toBe(2)
  })

  test('a reset connection is lost', async () => {
    await using app = await rawApp((_request, socket) => void socket.resetAndDestroy())
    const result = await talk(app.origin, shop('write_item'), writeInput)
    expect(result).toEqual({ outcome: { kind: 'lost' }, session: null, sent: true })
    expect(app.connections).toBe(1)
  })

  test.each([
    ['headers never come', ''],
    ['the body never ends', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{'],
  ])('when %s the time limit ends it', async (_when, bytes) => {
    await using app = await rawApp((_request, socket) => void socket.write(bytes))
    const result = await talk(app.origin, shop('write_item'), writeInput, { timeoutMs: 600 })
    expect(result).toEqual({ outcome: { kind: 'timeout' }, session: null, sent: true })
  })

  test('a body that drips is ended by the limit over the whole exchange', async () => {
    await using app = await rawApp((_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
      const drip = setInterval(() => socket.write('1\r\n \r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const result = await talk(app.origin, shop('read_item'), { item_id: '7' }, { timeoutMs: 200 })
    expect(result.outcome).toEqual({ kind: 'timeout' })
  })

  test('a body over the size limit is changed, said or not', async () => {
    let written = 0
    await using app = await rawApp((_request, socket, count) => {
      if (count === 1) return void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 3000000\r\n\r\n')
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
      const pour = (): void => {
        if (socket.destroyed) return
        written += 65_536
        socket.write(Buffer.alloc(65_536, 32), () => setImmediate(pour))
      }
      return pour()
    })
    for (const name of ['read_item', 'write_item']) {
      const result = await talk(app.origin, shop(name), name === 'read_item' ? { item_id: '7' } : writeInput)
      expect(result).toEqual({ outcome: changed('more than 2 MiB'), session: null, sent: true })
    }
    expect(written).toBeLessThan(16 * 1024 * 1024)
  })

  test('the caller can end it: a read that was cut is lost', async () => {
    const cut = new AbortController()
    await using app = await rawApp(() => cut.abort())
    const result = await talk(app.origin, shop('read_item'), { item_id: '7' }, { signal: cut.signal })
    expect(result.outcome).toEqual({ kind: 'lost' })
  })
})

describe('the fence', () => {
  test('is asked once, before a write sends its first byte, and never for reads', async () => {
    const story: string[] = []
    await using app = await rawApp((_request, socket) => {
      story.push('bytes')
      socket.write(good)
    })
    const fence = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      story.push('fence')
      return true
    }
    await talk(app.origin, shop('read_item'), { item_id: '7' }, { fence })
    await talk(app.origin, shop('write_item'), writeInput, { fence })
    expect(story).toEqual(['bytes', 'fence', 'bytes'])
  })

  test('that says no sends nothing', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(good))
    const result = await talk(app.origin, shop('write_item'), writeInput, { fence: () => Promise.resolve(false) })
    expect(result).toEqual({ outcome: { kind: 'fenced' }, session: null, sent: false })
    expect(app.requests).toEqual([])
  })

  test('that throws sends nothing, and its error reaches the caller', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(good))
    const fence = (): Promise<boolean> => Promise.reject(new Error('database away'))
    await expect(talk(app.origin, shop('write_item'), writeInput, { fence })).rejects.toThrow('database away')
    expect(app.requests).toEqual([])
  })

  test('a time limit that ends while the fence is asked sends nothing', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(good))
    const fence = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      return true
    }
    const result = await talk(app.origin, shop('write_item'), writeInput, { fence, timeoutMs: 50 })
    expect(result).toEqual({ outcome: { kind: 'timeout' }, session: null, sent: false })
    expect(app.requests).toEqual([])
  })

  test('each write has a connection of its own, closed after it', async () => {
    await using app = await rawApp((_request, socket) => void socket.write(good))
    for (let count = 0; count < 3; count++) await talk(app.origin, shop('write_item'), writeInput)
    expect(app.connections).toBe(3)
    expect(app.requests.every((request) => /^connection: close$/im.test(request))).toBe(true)
  })
})

describe('a write with a CSRF page', () => {
  const withToken = bound({
    rename: endpoint({
      summary: 'Rename an item.',
      label: 'Rename an item',
      brief: [],
      effect: 'changes',
      shownBy: [],
      access: 'write',
      request: 'POST /items/{item_id}/rename',
      input: { item_id: id('item', 'From list_items.'), name: Type.String({ description: 'The new name.' }) },
      output: { item_id: Type.String(), url: Type.String() },
      answer: 'redirect',
      csrf: formToken({ page: '/items/{item_id}/edit', field: '_token' }),
      encode: ({ name }) => ({ form: { titel: name } }),
      decode: (_fields, { input, location }) => ({ item_id: input.item_id, url: location }),
    }),
  })('rename')
  const form = '<form><input type="hidden" value="a&amp;b" name="_token"></form>'
  const input = { item_id: '7', name: 'é & x' }

  test('fetches the page first and sends the token along', async () => {
    await using app = await rawApp((request, socket) => {
      if (request.startsWith('GET'))
        return void socket.write(http(200, form, { ...html, 'set-cookie': 'pre=1; Path=/shop' }))
      return void socket.write(http(303, '', { location: '../../items/7?ok=1' }))
    })
    const result = await talk(app.origin, withToken, input)
    expect(result.outcome).toEqual({ kind: 'ok', output: { item_id: '7', url: 'items/7?ok=1' } })
    expect(result.session?.cookies).toEqual([{ name: 'pre', value: '1', domain: '127.0.0.1', path: '/shop' }])
    expect(app.requests[0]).toMatch(/^GET \/shop\/items\/7\/edit HTTP/)
    expect(app.requests[1]).toMatch(/^POST \/shop\/items\/7\/rename HTTP/)
    expect(app.requests[1]).toMatch(/^cookie: pre=1$/im)
    expect(app.requests[1]).toMatch(/^content-type: application\/x-www-form-urlencoded$/im)
    expect(app.requests[1]).toContain('\r\n\r\ntitel=%C3%A9+%26+x&_token=a%26b')
  })

  test.each([
    ['is lost', '', { kind: 'lost' }],
    ['fails', http(500, 'x', html), { kind: 'app_error', status: 500 }],
    ['has no token', http(200, '<p>', html), changed('no hidden input "_token"')],
    ['wants a sign-in', http(302, '', { location: '/shop/sign-in' }), { kind: 'auth_expired' }],
  ])('when the page %s nothing was sent', async (_how, answer, outcome) => {
    let asked = 0
    await using app = await rawApp((_request, socket) => void socket.end(answer))
    const fence = (): Promise<boolean> => Promise.resolve((asked += 1) > 0)
    const { excerpt, ...result } = await talk(app.origin, withToken, input, { fence })
    expect(result).toEqual({ outcome, session: null, sent: false })
    expect(excerpt).toBe(outcome.kind === 'changed' ? '<body>\n  <p>' : undefined)
    expect([app.requests.length, asked]).toEqual([1, 0])
  })
})

const item = http(200, '{"item_id":"7"}')

test.each([
  ['fails', [http(500, 'x')], changed('after the action: app_error'), 2],
  ['is blocked', [http(403, 'Access denied', html)], changed('after the action: blocked'), 1],
  ['is lost', [''], { kind: 'lost' }, 2],
  ['is lost once', ['', item], { kind: 'ok', output: { item_id: '7' } }, 2],
  ['fails once', [http(500, 'x'), item], { kind: 'ok', output: { item_id: '7' } }, 2],
])(
  'when the page after a write %s, it never looks as if nothing had happened',
  async (_how, answers, outcome, asked) => {
    const left = [...answers]
    const update = bound({
      update: endpoint({
        summary: 'Update an item.',
        label: 'Update an item',
        brief: [],
        effect: 'changes',
        shownBy: [],
        access: 'write',
        request: 'POST /items/{item_id}',
        input: { item_id: id('item', 'From list_items.') },
        output: { item_id: Type.String() },
        answer: 'redirect',
        after: 'GET /items/{item_id}',
      }),
    })('update')
    await using app = await rawApp((request, socket) =>
      request.startsWith('POST')
        ? void socket.write(http(303, '', { location: '/shop/items/7' }))
        : void socket.end((left.length > 1 ? left.shift() : left[0]) ?? ''),
    )
    const result = await talk(app.origin, update, { item_id: '7' })
    expect(result).toEqual({ outcome, session: null, sent: true })
    const methods = app.requests.map((request) => request.split(' ')[0])
    expect(methods).toEqual(['POST', ...Array.from({ length: asked }, () => 'GET')])
  },
)
