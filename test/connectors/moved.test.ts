import { describe, expect, test } from 'vitest'
import { Type } from 'typebox'
import { endpoint } from '../../connectors/kit/define.ts'
import type { AnswerKind } from '../../connectors/kit/define.ts'
import type { RawAnswer } from '../../connectors/runtime/http.ts'
import { bound, rawApp, shop, talk } from './local-app.ts'
import { led, page, webApp } from './web-app.ts'
import type { Said } from './web-app.ts'

const write = (answer: AnswerKind) =>
  endpoint({
    summary: 'Save.',
    label: 'Save',
    brief: [],
    effect: 'changes',
    shownBy: [],
    access: 'write',
    request: 'POST /save',
    input: {},
    output: { at: Type.String() },
    answer,
    decode: (_fields, { location }) => ({ at: location }),
  })
const read = endpoint({
  summary: 'Read.',
  label: 'Read',
  brief: [],
  access: 'read',
  request: 'GET /q',
  input: {},
  output: { at: Type.String() },
  answer: 'page',
  decode: (_fields, { location }) => ({ at: location }),
})
const endpoints = bound({
  json: write('json'),
  redirect: write('redirect'),
  any: write('any'),
  read,
})

describe('a write that is answered 307 or 308', () => {
  const to = (body: string, type: string, location = '/shop/v2/save?token=s3cret', status = 308): Said => ({
    ...led(location, status),
    headers: { location, 'content-type': type },
    body,
  })
  const cameTo = async (name: string, said: Said) => {
    await using app = await webApp(() => said)
    const { outcome, sent } = await talk(app.origin, endpoints(name), {})
    expect([sent, app.lines]).toEqual([true, ['POST /shop/save']])
    return outcome
  }
  const refused = (place: string) => ({
    kind: 'rejected',
    appCode: 'redirected',
    appMessage: `The app did nothing: it wants this request at ${place}.`,
  })

  test.each([
    ['no body', to('', 'text/html')],
    ['307', to('', 'text/html', undefined, 307)],
    ['what Express says', to('Permanent Redirect. Redirecting to /shop/v2/save', 'text/plain')],
    [
      'what nginx says',
      to(
        '<html><head><title>308 Permanent Redirect</title></head><body><center><h1>308 Permanent Redirect</h1></center><hr><center>nginx</center></body></html>',
        'text/html',
      ),
    ],
    ['what Go says', to('<a href="/shop/v2/save?token=s3cret">Permanent Redirect</a>.\n\n', 'text/html')],
    [
      'what Rails says',
      to(
        '<html><body>You are being <a href="http://127.0.0.1/shop/v2/save">redirected</a>.</body></html>',
        'text/html',
      ),
    ],
    ['what Vercel says', to('Redirecting...\n', 'text/plain')],
    ['what Next.js says', to('{"redirect":"/shop/v2/save","status":"308"}', 'application/json')],
    ['an address that sounds like success', to('<a href="/shop/orders/created/ok">Moved Permanently</a>', 'text/html')],
  ])('has failed, with %s, and says where to', async (_what, said) => {
    for (const name of ['json', 'redirect', 'any']) expect(await cameTo(name, said)).toEqual(refused('/v2/save'))
  })

  test('has failed where it points out of the app, and nothing goes there', async () => {
    expect(await cameTo('json', to('', '', 'https://shop2.example.com/save?k=1'))).toEqual(
      refused('https://shop2.example.com/save'),
    )
    expect(await cameTo('json', to('', '', '/other/save'))).toEqual(refused('/other/save'))
  })

  test.each([
    ['JSON that claims success', to('{"ok":true}', 'application/json')],
    ['JSON with an id', to('{"id":7,"redirect":"/shop/v2/save"}', 'application/json')],
    ['a page that claims success', to('<h1>Saved</h1><p>Redirecting…', 'text/html')],
    ['a word', to('OK', 'text/plain')],
    ['words of another language', to('<p>Gespeichert.', 'text/html')],
    ['no place to go to', { status: 308, headers: {}, body: '' }],
  ])('is unknown, with %s', async (_what, said) => {
    for (const name of ['json', 'redirect', 'any']) expect(await cameTo(name, said)).toMatchObject({ kind: 'changed' })
  })

  test('is over where it points to where people sign in', async () => {
    expect(await cameTo('json', to('', '', '/shop/sign-in', 307))).toEqual({ kind: 'auth_expired' })
  })

  test('and one that is answered 302 or 303 is done where its endpoint says so', async () => {
    expect(await cameTo('redirect', led('/shop/saved', 303))).toEqual({ kind: 'ok', output: { at: 'saved' } })
  })
})

describe('an https app that names its own address without TLS', () => {
  const origin = 'https://shop.example.com/shop/'
  const raw = (status: number, headers: Record<string, string>, text = ''): RawAnswer => ({
    ...{ status, headers, text },
    setCookies: [],
  })
  const cameTo = async (name: string, location: string, at = origin) => {
    const asked: string[] = []
    const { outcome } = await talk(
      at,
      endpoints(name),
      {},
      {
        send: (request) => {
          asked.push(request.url.href)
          const first = asked.length === 1
          const answer = first ? raw(302, { location }) : raw(200, { 'content-type': 'text/html' }, '<p>x')
          return Promise.resolve({ kind: 'answer', sent: true, answer })
        },
      },
    )
    return { outcome, asked }
  }
  const ok = (at: string) => ({ kind: 'ok', output: { at } })

  test.each([
    ['on the usual port', 'http://shop.example.com/shop/a?b=1', origin],
    ['on the port of TLS', 'http://shop.example.com:443/shop/a?b=1', origin],
    ['on its own port', 'http://shop.example.com:8443/shop/a?b=1', 'https://shop.example.com:8443/shop/'],
  ])('%s is asked with TLS', async (_where, location, at) => {
    expect(await cameTo('redirect', location, at)).toMatchObject({ outcome: ok('a?b=1') })
    expect(await cameTo('read', location, at)).toEqual({
      outcome: ok('a?b=1'),
      asked: [`${at}q`, `${at}a?b=1`],
    })
  })

  test.each([
    ['another host', 'http://www.shop.example.com/shop/a'],
    ['another port', 'http://shop.example.com:8080/shop/a'],
    ['another app of the host', 'http://shop.example.com/other/'],
  ])('nothing goes to %s', async (_where, location) => {
    const { outcome, asked } = await cameTo('read', location)
    expect([outcome.kind, asked.length]).toEqual(['changed', 1])
  })

  test('an app without TLS stays as it is', async () => {
    const { asked } = await cameTo('read', 'http://shop.example.com/shop/a', 'http://shop.example.com/shop/')
    expect(asked).toEqual(['http://shop.example.com/shop/q', 'http://shop.example.com/shop/a'])
    expect(await cameTo('read', 'https://shop.example.com/shop/a', 'http://shop.example.com/shop/')).toMatchObject({
      outcome: { kind: 'changed' },
    })
  })
})

describe('Location is read as browsers do', () => {
  const followed = async (location: Buffer) => {
    await using app = await rawApp((request, socket) => {
      const body = '<p>x'
      const ok = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      const head = Buffer.from('HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: ')
      socket.write(request.startsWith('GET /shop/q ') ? Buffer.concat([head, location, Buffer.from('\r\n\r\n')]) : ok)
    })
    const { outcome } = await talk(app.origin, endpoints('read'), {})
    return { outcome, path: app.requests[1]?.split(' ')[1] }
  }

  test.each([
    ['raw UTF-8', Buffer.from('/shop/käufe/日?q=ü'), '/shop/k%C3%A4ufe/%E6%97%A5?q=%C3%BC'],
    ['bytes that are none', Buffer.from('/shop/k\xe4ufe', 'latin1'), '/shop/k%E4ufe'],
    ['empty segments', Buffer.from('/shop//a//b/'), '/shop//a//b/'],
    ['encoded slashes', Buffer.from('/shop/a%2Fb%2fc'), '/shop/a%2Fb%2fc'],
  ])('%s', async (_what, location, path) => {
    expect(await followed(location)).toEqual({
      outcome: { kind: 'ok', output: { at: path.slice('/shop/'.length) } },
      path,
    })
  })

  test.each([
    ['up and out', '/shop/a%2F..%2F..%2Fother'],
    ['another root', '//shop.example.com/shop/a'],
    ['a backslash', '/shop/a%5C..%5C..%5Cother'],
  ])('but %s stays out of the app', async (_what, location) => {
    expect(await followed(Buffer.from(location))).toMatchObject({ outcome: { kind: 'changed' }, path: undefined })
  })

  test('a status that is no redirect leads nowhere', async () => {
    await using app = await webApp(() => page('', led('/shop/a', 300)))
    expect((await talk(app.origin, endpoints('redirect'), {})).outcome).toMatchObject({ kind: 'changed' })
    expect((await talk(app.origin, shop('read_item'), { item_id: '7' })).outcome).toMatchObject({ kind: 'changed' })
  })
})
