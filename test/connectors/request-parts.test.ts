import { describe, expect, test } from 'vitest'
import type { IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { asField, cookieToken } from '../../connectors/kit/csrf.ts'
import { labelled } from '../../connectors/kit/declared.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import type { Parts } from '../../connectors/kit/define.ts'
import { freeText } from '../../connectors/kit/free-text.ts'
import { cursor, nextCursor } from '../../connectors/kit/inputs.ts'
import { renderInApp } from '../../connectors/runtime/exchange.ts'
import { render } from '../../connectors/runtime/rendered.ts'
import { bound, cursorKey, talk } from './local-app.ts'
import { json, page, webApp } from './web-app.ts'
import type { AppSession, SessionCookie } from '../../schemas/session.ts'

const common = { brief: [], input: {}, output: {}, decode: () => ({}) }
const read = (parts: Parts, answer: 'json' | 'page' = 'json') =>
  bound({
    read: endpoint({
      ...common,
      summary: 'Read.',
      label: 'Read',
      access: 'read',
      request: 'GET /items',
      answer,
      encode: () => parts,
    }),
  })('read')

describe('headers of a connector', () => {
  test('go along, all of them in what is rendered and shown', async () => {
    const endpoint = read({
      headers: { 'If-Match': '"7"', 'X-Requested-With': 'XMLHttpRequest', 'x-page': 3, 'x-none': null },
    })
    await using app = await webApp(() => json({}))
    expect((await talk(app.origin, endpoint, {})).outcome).toEqual({ kind: 'ok', output: {} })
    const [asked] = app.asked
    expect(asked?.headers).toMatchObject({ 'if-match': '"7"', 'x-requested-with': 'XMLHttpRequest', 'x-page': '3' })
    expect(asked?.headers).not.toHaveProperty('x-none')
    const context = { anchor: null, now: new Date(), before: {}, origin: app.origin, page: null }
    expect(render(endpoint, {}, context).headers).toEqual({
      accept: expect.any(String),
      'if-match': '"7"',
      'x-page': '3',
      'x-requested-with': 'XMLHttpRequest',
    })
  })

  test.each([
    'Host',
    'cookie',
    'User-Agent',
    'origin',
    'Content-Length',
    'content-type',
    'Authorization',
    'transfer-encoding',
    'connection',
    'sec-fetch-site',
    'proxy-authorization',
    'X-Forwarded-For',
    'x-http-method-override',
    'accept-encoding',
    'referer',
    'bad name',
    'x-\r\ny',
    '',
  ])('%j is not its to set, and nothing is sent', async (name) => {
    await using app = await webApp(() => json({}))
    const result = await talk(app.origin, read({ headers: { [name]: '1' } }), {})
    expect(result).toMatchObject({
      outcome: { kind: 'changed', rule: `the header ${name} is not a connector's to set` },
      sent: false,
    })
    expect(app.asked).toEqual([])
  })

  test.each(['a\r\nx-evil: 1', 'é', 'x'.repeat(5000)])('a value that cannot stand there is refused', async (value) => {
    await using app = await webApp(() => json({}))
    const { outcome } = await talk(app.origin, read({ headers: { 'x-note': value } }), {})
    expect(outcome).toMatchObject({ kind: 'rejected', appCode: 'invalid_header' })
    expect(app.asked).toEqual([])
  })
})

describe('a request looks like one of the browser that signed in', () => {
  const session: AppSession = {
    cookies: [],
    user_agent: 'Mozilla/5.0 Chrome/153.0.0.0',
    browser: {
      'accept-language': 'de-DE,de;q=0.9',
      'sec-ch-ua': '"Chromium";v="153"',
      'sec-ch-ua-mobile': '?0',
      'sec-ch-ua-platform': '"Linux"',
    },
  }
  const own = {
    'user-agent': 'Mozilla/5.0 Chrome/153.0.0.0',
    'accept-language': 'de-DE,de;q=0.9',
    'accept-encoding': 'gzip, deflate, br',
    'sec-ch-ua': '"Chromium";v="153"',
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Linux"',
  }
  const post = (more: object) =>
    bound({
      post: endpoint({
        ...common,
        summary: 'Post.',
        label: 'Post',
        effect: 'adds',
        shownBy: [],
        access: 'write',
        request: 'POST /items',
        answer: 'page',
        encode: () => ({ form: { a: 1 } }),
        ...more,
      }),
    })('post')

  test.each([
    [
      'that opens a page',
      read({}, 'page'),
      {
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        'sec-fetch-site': 'none',
        'sec-fetch-user': '?1',
        'upgrade-insecure-requests': '1',
      },
      /^text\/html,/,
    ],
    [
      'of a script',
      read({}),
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
      /^application\/json,/,
    ],
    [
      'that sends a form',
      post({}),
      {
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        'sec-fetch-site': 'same-origin',
        'sec-fetch-user': '?1',
      },
      /^text\/html,/,
    ],
    [
      'of a script that sends a form',
      post({ encode: () => ({ form: { a: 1 }, headers: { 'x-requested-with': 'XMLHttpRequest' } }) }),
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
      /^text\/html,/,
    ],
  ])('one %s', async (_which, endpoint, headers, accept) => {
    await using app = await webApp(() => page('<p>'))
    await talk(app.origin, endpoint, {}, { session })
    const asked = app.asked[0]!.headers
    expect(asked).toMatchObject({ ...own, ...headers })
    expect(asked.accept).toMatch(accept)
    const isScript = headers['sec-fetch-mode'] === 'cors'
    expect([asked['sec-fetch-user'], asked['upgrade-insecure-requests']].includes(undefined)).toBe(isScript)
    if (headers !== undefined && !('upgrade-insecure-requests' in headers))
      expect(asked['x-requested-with'] !== undefined).toBe(_which === 'of a script that sends a form')
  })

  test('and packed answers are unpacked, up to the limit', async () => {
    await using app = await webApp(({ path }) => {
      const body = gzipSync(path.endsWith('big') ? Buffer.alloc(50_000_000, 32) : '{"ok":true}')
      return { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body }
    })
    expect((await talk(app.origin, read({}), {})).outcome).toEqual({ kind: 'ok', output: {} })
    expect((await talk(app.origin, read({ query: { n: 'big' } }), {})).outcome).toEqual({
      kind: 'changed',
      rule: 'more than 2 MiB',
    })
  })
})

describe('a token in a cookie', () => {
  const token = cookieToken({ page: '/items/new', cookie: 'csrftoken', header: 'X-CSRFToken' })
  const add = (csrf = token) =>
    bound({
      add: endpoint({
        ...common,
        summary: 'Add.',
        label: 'Add',
        effect: 'adds',
        shownBy: [],
        access: 'write',
        request: 'POST /items',
        csrf,
        encode: () => ('field' in csrf.fills ? { form: { a: 1 } } : { json: {} }),
      }),
    })('add')
  const [cookie, sid] = ['csrftoken', 'sid'].map((name) => {
    return { name, value: 'a%3Db', domain: '127.0.0.1', path: '/' }
  }) as [SessionCookie, SessionCookie]
  const whoOf = ({ headers }: { readonly headers: IncomingHttpHeaders }) =>
    json(/\bsid=/.test(headers.cookie ?? '') ? { id: 'ann' } : {})

  test('goes along as the session has it, and no page is read for it', async () => {
    await using app = await webApp(whoOf)
    const session = { cookies: [cookie, sid], user_agent: null }
    expect((await talk(app.origin, add(), {}, { session })).outcome.kind).toBe('ok')
    // Whether one is signed in without the cookie, and not without any: then it is no session.
    expect(app.lines).toEqual(['GET /shop/me', 'GET /shop/me', 'POST /shop/items'])
    expect(app.asked[0]?.headers.cookie).toBe('sid=a%3Db')
    expect(app.asked[1]?.headers).not.toHaveProperty('cookie')
    expect(app.asked[2]?.headers).toMatchObject({ 'x-csrftoken': 'a=b', cookie: 'csrftoken=a%3Db; sid=a%3Db' })
  })

  test('is had from the page where the session has none, as a field too', async () => {
    await using app = await webApp((asked) =>
      asked.path === '/shop/items/new'
        ? page('<p>', { headers: { 'set-cookie': 'csrftoken=new; Path=/' } })
        : whoOf(asked),
    )
    const session = { cookies: [sid], user_agent: null }
    expect((await talk(app.origin, add(asField(token, 't')), {}, { session })).outcome.kind).toBe('ok')
    expect(app.lines).toEqual(['GET /shop/items/new', 'GET /shop/me', 'GET /shop/me', 'POST /shop/items'])
    expect(app.asked[3]).toMatchObject({ body: 'a=1&t=new', headers: { cookie: 'sid=a%3Db; csrftoken=new' } })
  })

  test('that no page sets is an app that has changed, and nothing is sent', async () => {
    await using app = await webApp(() => page('<p>'))
    expect(await talk(app.origin, add(), {})).toMatchObject({
      outcome: { kind: 'changed', rule: 'no cookie "csrftoken"' },
      sent: false,
    })
  })
})

describe('paths', () => {
  const search = bound({
    search: endpoint({
      ...common,
      summary: 'Search.',
      label: 'Search',
      access: 'read',
      request: 'GET /questions/tag:{tag?}/sort:{sort}/query:{query?}/page:{cursor?}/',
      input: {
        tag: Type.Optional(Type.String({ description: 'A tag.' })),
        sort: Type.String({ description: 'How.' }),
        query: Type.Optional(Type.String({ description: 'Words.' })),
        cursor,
      },
      output: { next_cursor: nextCursor },
      segments: { tag: freeText, query: freeText },
      decode: ({ next }, context) => ({ next_cursor: context.cursor(typeof next === 'number' ? next : null) }),
    }),
  })('search')
  const parsed = (input: Record<string, unknown>) => {
    const result = search.parseInput(input, { cursorKey })
    return result.ok ? result.input : {}
  }

  test.each([
    [{ sort: 'new' }, '/shop/questions/sort:new/'],
    [{ sort: 'new', tag: 'C/C++' }, '/shop/questions/tag:C%2FC%2B%2B/sort:new/'],
    [
      { sort: 'new', tag: 'c#', query: '100% a?b&c \\ „é“' },
      '/shop/questions/tag:c%23/sort:new/query:100%25%20a%3Fb%26c%20%5C%20%E2%80%9E%C3%A9%E2%80%9C/',
    ],
    [{ sort: 'new', query: 'v1.. / .net' }, '/shop/questions/sort:new/query:v1..%20%2F%20.net/'],
  ])('%j is asked for where it belongs', async (input, path) => {
    await using app = await webApp(() => json({ next: null }))
    expect((await talk(app.origin, search, parsed(input))).outcome.kind).toBe('ok')
    expect(app.lines).toEqual([`GET ${path}`])
  })

  test.each([
    '..',
    '../admin',
    'a/../../admin',
    '..\\admin',
    '%2e%2e/x',
    '%252e%252e%252fx',
    'a\nb',
    '.',
    ' ',
    '..;/x',
    ' .. /x',
  ])('the text %j, which could be another path, is never sent', async (tag) => {
    await using app = await webApp(() => json({}))
    const result = await talk(app.origin, search, { sort: 'new', tag })
    expect(result).toMatchObject({ outcome: { kind: 'rejected', appCode: 'invalid_address' }, sent: false })
    expect(app.asked).toEqual([])
  })

  test('an identifier is still no free text', () => {
    expect(search.parseInput({ sort: 'a/b' }, { cursorKey }).ok).toBe(false)
    expect(search.parseInput({ sort: 'new', tag: 'a/b' }, { cursorKey }).ok).toBe(true)
  })

  test('a cursor may stand in the path', async () => {
    await using app = await webApp(({ path }) => json({ next: path.includes('page:2') ? null : 2 }))
    const first = await talk(app.origin, search, parsed({ sort: 'new' }))
    const token = first.outcome.kind === 'ok' ? first.outcome.output['next_cursor'] : undefined
    const second = await talk(app.origin, search, parsed({ cursor: token }))
    expect(second.outcome).toEqual({ kind: 'ok', output: { next_cursor: null } })
    expect(app.lines).toEqual(['GET /shop/questions/sort:new/', 'GET /shop/questions/sort:new/page:2/'])
  })

  test('a write takes no free text into its path', () => {
    const write = endpoint({
      ...common,
      summary: 'Tag.',
      label: 'Tag',
      effect: 'adds',
      shownBy: [],
      access: 'write',
      request: 'POST /tags/{tag}',
      input: { tag: Type.String({ description: 'A tag.' }) },
      segments: { tag: freeText },
    })
    expect(() => bound({ write })).toThrow('write writes to a path with free text')
  })
})

describe('a form whose page needs a query, and suggests a code', () => {
  const pay = bound({
    pay: endpoint({
      ...common,
      summary: 'Pay.',
      label: 'Pay',
      access: 'write',
      effect: 'changes',
      shownBy: [],
      request: 'POST /orders/7/transition',
      input: { code: labelled('Code', Type.String()) },
      csrf: null,
      answer: 'redirect',
      form: {
        page: 'GET /orders/7/transition',
        query: { status: 'p', 'a b': 'ä' },
        selector: 'form',
        volatile: ['nonce'],
        suggested: ['code'],
        set: ({ code }) => ({ code }),
      },
    }),
  })('pay')
  let more = ''
  const startApp = () =>
    webApp(({ method, path }) => {
      if (method === 'POST') return { status: 302, headers: { location: '/shop/' } }
      const made = `<input name=nonce value=${crypto.randomUUID()}><input name=code value=${crypto.randomUUID()}>`
      return path.endsWith('?status=p&a+b=%C3%A4') ? page(`<form method=post>${made}${more}</form>`) : page('<p>No.')
    })

  test('is read at that address, posted to it, and sent although each page suggests another', async () => {
    await using app = await startApp()
    const { outcome } = await renderInApp({ ...told(app.origin), endpoint: pay })
    if (outcome.kind !== 'rendered') throw new Error(JSON.stringify(outcome))
    expect(outcome.request.form?.lines).toEqual([
      { name: 'nonce', label: null, before: [], is: 'filled' },
      { name: 'code', label: 'Code', before: [], after: [{ value: 'MINE' }], is: 'suggested' },
    ])
    expect(outcome.request.fills).toEqual([{ field: 'nonce' }])
    const sent = await talk(app.origin, pay, { code: 'MINE' }, { request: outcome.request })
    expect(sent.outcome).toEqual({ kind: 'ok', output: {} })
    const posted = app.asked.at(-1)
    expect(`${posted?.method} ${posted?.path} ${posted?.body}`).toMatch(
      /^POST \/shop\/orders\/7\/transition\?status=p&a\+b=%C3%A4 nonce=[\w-]{36}&code=MINE$/,
    )
  })

  test('is not sent when anything else of it has changed', async () => {
    await using app = await startApp()
    const { outcome } = await renderInApp({ ...told(app.origin), endpoint: pay })
    if (outcome.kind !== 'rendered') throw new Error(JSON.stringify(outcome))
    more = '<input name=colour value=red>'
    const sent = await talk(app.origin, pay, { code: 'MINE' }, { request: outcome.request })
    more = ''
    expect([sent.outcome.kind, sent.sent, sent.instead?.form?.lines.length]).toEqual(['fenced', false, 3])
    expect(app.lines.filter((line) => line.startsWith('POST'))).toEqual([])
  })

  const told = (origin: string) => ({
    origin,
    cursorKey,
    input: { code: 'MINE' },
    session: { cookies: [], user_agent: null },
  })
})
