import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { cookieToken, formToken, headerToken, jsonToken } from '../../connectors/kit/csrf.ts'
import type { Csrf } from '../../connectors/kit/csrf.ts'
import { endpoint } from '../../connectors/kit/define.ts'
import type { Parts } from '../../connectors/kit/define.ts'
import { headerFault } from '../../connectors/kit/own-headers.ts'
import { fillFault } from '../../connectors/runtime/rendered.ts'
import { mayRenew } from '../../connectors/runtime/session-tokens.ts'
import { sourceText, tokenIn } from '../../connectors/runtime/token-source.ts'
import { bound, talk } from './local-app.ts'
import { json, page, webApp } from './web-app.ts'

const request = { page: new URL('https://app.example/f'), action: new URL('https://app.example/send') }
const write = (csrf: Csrf, encode: (input: { note: string }) => Parts) =>
  bound({
    send: endpoint({
      summary: 'Send.',
      label: 'Send',
      brief: [],
      effect: 'adds',
      shownBy: [],
      access: 'write',
      request: 'POST /send',
      csrf,
      input: { note: Type.String({ description: 'What it says.' }) },
      output: {},
      encode,
      decode: () => ({}),
    }),
  })('send')

describe('a token', () => {
  test.each([
    [{ input: 't' }, '<form action="/send"><input type=hidden name=t value=1></form>', 'hidden input "t"'],
    [{ meta: 't' }, '<meta name="t" content="1">', 'meta tag "t"'],
    [{ json: 'a.t' }, '{"a":{"t":"1"}}', 'JSON field "a.t"'],
    [{ css: '#k', attribute: 'data-t' }, '<b id=k data-t=1></b>', 'attribute "data-t" of "#k"'],
    [{ css: '#k' }, '<b id=k>1</b>', 'text of "#k"'],
  ] as const)('is found by the host at %j', (from, text, told) => {
    expect([tokenIn(text, from, request), sourceText(from)]).toEqual(['1', told])
    expect(() => tokenIn('{}', from, request)).toThrow()
  })

  test('of JSON is none that objects have by themselves', () => {
    expect(() => tokenIn('{}', { json: 'constructor.name' }, request)).toThrow('no token')
  })

  test.each([
    ['a field that is encoded', formToken({ page: '/f', field: 'to' }), { form: { to: 'a' } }],
    ['a field of several parts', formToken({ page: '/f', field: 'to' }), { multipart: { to: 'a' } }],
    ['a body of JSON', formToken({ page: '/f', field: 'to' }), { json: { to: 'a' } }],
    [
      'a header that is set',
      headerToken({ page: '/f', meta: 't', header: 'X-A' }),
      { form: {}, headers: { 'x-a': '1' } },
    ],
  ] as const)('never stands in for %s', async (_, csrf, parts) => {
    await using app = await webApp(() =>
      page('<form action="/send"><input type=hidden name=to value=1></form><meta name=t content=1>'),
    )
    const { outcome, sent } = await talk(
      app.origin,
      write(csrf, () => parts),
      { note: 'a' },
    )
    expect([outcome.kind, sent]).toEqual(['changed', false])
    expect(app.asked.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test.each([
    'Host',
    'authorization',
    'X-Forwarded-For',
    'Origin',
    'x_forwarded_for',
    'X-HTTP-Method-Override',
    'cookie',
    'x evil',
    '',
  ])('goes into no header like %j', (header) => {
    const csrf = jsonToken({ page: '/f', field: 't', header })
    expect(() => write(csrf, () => ({ form: {} }))).toThrow('is not its to set')
    expect(headerFault(header)).toContain("is not a connector's to set")
  })

  test.each(['note', 'Note ', 'note[]', 'note[0]'])('is not put into %s beside an encoded note', (field) => {
    const kept = { method: 'POST', headers: {}, fills: [{ field }] } as const
    const url = 'https://a.example/'
    expect(fillFault({ ...kept, url, body: { form: [['note', 'a']] } })).toContain('set besides')
    expect(fillFault({ ...kept, url: `${url}?note=a`, body: { form: [] } })).toContain('set besides')
    expect(fillFault({ ...kept, url, body: { multipart: [['note[1]', 'a']], boundary: 'b' } })).toContain('set besides')
    expect(fillFault({ ...kept, url, body: { form: [['notes', 'a']] } })).toBeUndefined()
  })

  test('is none of its inputs, and goes to one place once', () => {
    expect(() => write(formToken({ page: '/f', field: 'note' }), () => ({}))).toThrow('one of its inputs')
    const kept = { method: 'POST', url: 'https://a.example/', headers: {}, body: { form: [] } } as const
    expect(fillFault({ ...kept, fills: [{ field: 'a' }, { field: 'a' }] })).toContain('two values')
    expect(fillFault({ ...kept, fills: [{ header: 'X-A' }, { header: 'x-a' }] })).toContain('two values')
    expect(fillFault({ ...kept, headers: { 'X-A': '1' }, fills: [{ header: 'x-a' }] })).toContain('set besides')
  })
})

describe('a cookie', () => {
  const csrf = (cookie: string) => cookieToken({ page: '/f', cookie, header: 'x-t' })
  const session = {
    user_agent: null,
    cookies: ['sid', 'csrftoken'].map((name) => ({ name, value: `${name}-1`, domain: '127.0.0.1', path: '/' })),
  }
  const app = () => webApp(({ headers }) => json(/\bsid=/.test(headers.cookie ?? '') ? { id: 'ann' } : {}))

  test('that signs in is never sent as a token', async () => {
    await using web = await app()
    const { outcome, sent } = await talk(
      web.origin,
      write(csrf('sid'), () => ({ form: {} })),
      { note: 'a' },
      { session },
    )
    expect([outcome, sent]).toEqual([{ kind: 'changed', rule: 'the cookie "sid" signs in: it is no token' }, false])
    expect(JSON.stringify(web.asked.map(({ headers }) => headers['x-t'] ?? null))).not.toContain('sid-1')
  })

  test('that pages cannot read is none either, whatever the connector says of its pages', async () => {
    await using web = await app()
    const cookies = session.cookies.map((one) => ({ ...one, http_only: true as const }))
    const { outcome, sent } = await talk(
      web.origin,
      write(csrf('csrftoken'), () => ({ form: {} })),
      { note: 'a' },
      { session: { ...session, cookies } },
    )
    const rule = 'no page of the app can read the cookie "csrftoken": it is no token'
    expect([outcome, sent]).toEqual([{ kind: 'changed', rule }, false])
  })

  test('that signs in is not sent where the connector takes every page for an account', async () => {
    await using web = await webApp(() => json({ id: 'ann' }))
    const { outcome, sent } = await talk(
      web.origin,
      write(csrf('sid'), () => ({ form: {} })),
      { note: 'a' },
      { session },
    )
    const rule = 'the page that says who is signed in is understood so without a session, too'
    expect([outcome, sent]).toEqual([{ kind: 'changed', rule }, false])
  })

  test('of a session that is over ends as such', async () => {
    await using web = await webApp(() => json({}))
    const { outcome, sent } = await talk(
      web.origin,
      write(csrf('csrftoken'), () => ({ form: {} })),
      { note: 'a' },
      { session },
    )
    expect([outcome, sent]).toEqual([{ kind: 'auth_expired' }, false])
  })

  test('that does not is', async () => {
    await using web = await app()
    const done = await talk(
      web.origin,
      write(csrf('csrftoken'), () => ({ form: {} })),
      { note: 'a' },
      { session },
    )
    expect(done.sent).toBe(true)
    expect(web.asked.at(-1)?.headers['x-t']).toBe('csrftoken-1')
  })
})

test('a renewal begins by what the host sees: 401, or a token that is missing or over', () => {
  const fills = [{ header: 'authorization', token: 'access', scheme: 'Bearer' }]
  const jwt = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`
  const session = (access?: string) => ({
    cookies: [],
    user_agent: null,
    tokens: access === undefined ? {} : { access },
  })
  expect(mayRenew(fills, session('a'), 200)).toBe(false)
  expect(mayRenew(fills, session('a'), 403)).toBe(false)
  expect(mayRenew(fills, session('a'), 401)).toBe(true)
  expect(mayRenew(fills, session(), 200)).toBe(true)
  expect(mayRenew(fills, session(jwt(1000)), 200, 2_000_000)).toBe(true)
  expect(mayRenew(fills, session(jwt(3000)), 200, 2_000_000)).toBe(false)
})
