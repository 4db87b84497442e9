import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CookieJar } from '../../../connectors/runtime/cookies.ts'
import type { AppSession } from '../../../schemas/session.ts'
import { openRemoteBrowser } from '../../../web/connect/browser/remote-browser.ts'
import type { SignedInAs } from '../../../web/connect/browser/sign-in-watch.ts'
import { listen } from '../../support/listen.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-odd-cookies-'))
  await chmod(dir, 0o711)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** As an app sends them: one character a byte. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1')

/** An app that sets odd cookies, and signs in whoever brings back all that Chromium keeps of them. */
async function oddApp(lines: readonly string[], whoSets: readonly string[] = []) {
  const asked: { readonly path: string; readonly cookie: string }[] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    asked.push({ path: url, cookie: headers.cookie ?? '' })
    const who = url === '/app/me'
    const isIn = /(?:^|; )sid=1(?:;|$)/.test(headers.cookie ?? '')
    const set = url === '/app/sign-in' ? lines : who ? whoSets : []
    response.writeHead(who && !isIn ? 401 : 200, { 'content-type': 'text/html', 'set-cookie': [...set] })
    response.end(who ? '{"id":"A1"}' : 'here')
  })
  const port = await listen(server)
  return { asked, origin: `http://localhost:${port}/app/`, [Symbol.asyncDispose]: async () => void server.close() }
}

async function signIn(origin: string, session: AppSession | null = null): Promise<SignedInAs> {
  const signedIn = Promise.withResolvers<SignedInAs>()
  const remote = await openRemoteBrowser({
    dir,
    origin,
    signIn: {
      page: 'sign-in',
      who: { page: 'me', account: (text) => (text === '' ? null : { id: 'A1', label: 'The account' }) },
    },
    session,
    size: { width: 640, height: 480 },
    onFrame: () => undefined,
    onSignedIn: signedIn.resolve,
    onWanted: () => undefined,
    onUnsandboxed: () => undefined,
    onAt: () => undefined,
    onWords: () => undefined,
    onUnreadable: signedIn.reject,
    onLost: signedIn.reject,
  })
  try {
    return await signedIn.promise
  } finally {
    await remote.close()
  }
}

const odd = [
  bytes('nick=Łukasz; Path=/app'),
  'node{1}=x; Path=/app; Expires=Fri, 31 Dec 9999 23:59:59 GMT',
  'prefs[lang]="pl"; Path=/app',
  '=nameless; Path=/app',
  'sid=1; Path=/app; HttpOnly; Max-Age=3600',
]

test('a sign-in to an app that sets odd cookies ends, and the session sends the bytes that Chromium sends', async () => {
  await using app = await oddApp(odd)
  const { session } = await signIn(app.origin)
  const header = new CookieJar(session).header(new URL('me', app.origin))
  const sent = [bytes('nick=Łukasz'), 'node{1}=x', 'prefs[lang]="pl"', 'nameless', 'sid=1']
  expect(header.split('; ').toSorted()).toEqual(sent.toSorted())
  const who = app.asked.findLast(({ path: at }) => at === '/app/me')
  expect(who?.cookie.split('; ').toSorted()).toEqual(sent.toSorted())
  const sid = session.cookies.find(({ name }) => name === 'sid')
  expect(sid).toMatchObject({ http_only: true, expires: expect.any(Number) as number })
  expect((sid?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(3000)
  expect(session.cookies.filter(({ expires }) => expires !== undefined)).toHaveLength(2)
})

test('what the page for who is signed in sets and ends is in the session, also where Chromium refuses a part', async () => {
  const whoSets = [
    bytes('city=Łódź; Path=/app'),
    'node{1}=y; Path=/app',
    'bad; SameSite=None',
    'nick=; Max-Age=0; Path=/app',
  ]
  await using app = await oddApp(odd, whoSets)
  const { session } = await signIn(app.origin)
  const header = new CookieJar(session).header(new URL('me', app.origin)).split('; ')
  const sent = [bytes('city=Łódź'), 'node{1}=y', 'prefs[lang]="pl"', 'nameless', 'sid=1']
  expect(header.toSorted()).toEqual(sent.toSorted())
})

test('a session that is resumed gives the browser every cookie that it takes, and none stands in the way', async () => {
  await using app = await oddApp([])
  const at = { domain: 'localhost', path: '/app' }
  const cookies = [
    { name: 'nick', value: 'Łukasz', ...at },
    { name: 'city', value: bytes('Łódź'), ...at },
    { name: 'refused', value: 'a;b\tc', ...at },
    { name: 'sid', value: '1', ...at, secure: true, http_only: true, expires: Math.floor(Date.now() / 1000) + 600 },
  ] as const
  const { session } = await signIn(app.origin, { cookies, user_agent: null })
  const header = new CookieJar(session).header(new URL('me', app.origin)).split('; ')
  expect(header.toSorted()).toEqual([bytes('city=Łódź'), bytes('nick=Łukasz'), 'sid=1'].toSorted())
  expect(session.cookies.find(({ name }) => name === 'sid')).toEqual(cookies[3])
})

test('a look at who is signed in that was under way during the sign-in takes nothing from the new session', async () => {
  const left: ServerResponse[] = []
  let isIn = false
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    const knows = headers.cookie?.includes('sid=in') === true
    if (url === '/app/me' && !knows && !isIn) {
      left.push(response)
      return
    }
    if (url === '/app/me') response.writeHead(knows ? 200 : 401).end('{"id":"A1"}')
    else if (url === '/app/enter') {
      isIn = true
      response.writeHead(200, { 'set-cookie': ['sid=in; Path=/app', 'seen=in; Path=/app'] }).end('in')
      // The app has forgotten the session that these looks brought along: it ends its cookie, and sets another.
      const over = { 'set-cookie': ['sid=; Path=/app; Max-Age=0', 'seen=out; Path=/app', 'late=1; Path=/app'] }
      setTimeout(() => left.forEach((one) => one.writeHead(401, over).end()), 300)
    } else {
      response.writeHead(200, {
        'content-type': 'text/html',
        'set-cookie': isIn ? [] : ['sid=out; Path=/app', 'seen=no; Path=/app'],
      })
      response.end(`<script>setTimeout(() => fetch('enter'), 2500)</script>`)
    }
  })
  const port = await listen(server)
  try {
    const { session } = await signIn(`http://localhost:${port}/app/`)
    const header = new CookieJar(session).header(new URL(`http://localhost:${port}/app/me`)).split('; ')
    expect(header.toSorted()).toEqual(['late=1', 'seen=in', 'sid=in'])
    expect(left.length).toBeGreaterThan(0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
