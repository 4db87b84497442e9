import { expect, test } from 'vitest'
import { CookieJar, asBytes, takenOver, textOf } from '../../connectors/runtime/cookies.ts'
import type { SessionCookie } from '../../schemas/session.ts'

const cookie = (name: string, value: string, more: Partial<SessionCookie> = {}): SessionCookie => ({
  name,
  value,
  domain: 'app.example',
  path: '/',
  ...more,
})

test('a cookie of another path, or of the host alone, is another cookie', () => {
  const others = [cookie('sid', 'old', { path: '/shop' }), cookie('sid', 'old', { domain: '.app.example' })]
  const anew = cookie('sid', 'new', { domain: 'App.example' })
  const now = [cookie('sid', 'old'), ...others]
  expect(takenOver(now, [cookie('sid', 'old')], [anew])).toEqual([...others, anew])
})

test('a list that is full takes no further cookie, and changes those that are in it', () => {
  const now = Array.from({ length: 180 }, (_, index) => cookie(`c${index}`, '1'))
  const changed = takenOver(now, now.slice(0, 1), [cookie('c0', '2'), cookie('further', '1')])
  expect(changed).toEqual([...now.slice(1), cookie('c0', '2')])
})

test.each([
  ['/shop', '/shop', true],
  ['/shop', '/shop/cart', true],
  ['/shop/', '/shop/cart', true],
  ['/shop', '/shopping', false],
  ['/shop/', '/shop', false],
  ['/', '/shop', true],
])('a cookie of %s for a request of %s: %s', (path, requested, goes) => {
  const jar = new CookieJar({ cookies: [cookie('sid', '1', { path })], user_agent: null })
  expect(jar.header(new URL(requested, 'https://app.example'))).toBe(goes ? 'sid=1' : '')
})

test.each<[what: string, line: string, header: string, kept?: true]>([
  ['for the whole domain', 'a=1; Domain=example.com', 'a=1; sid=0'],
  ['for the host, of the page’s folder', 'a=1', 'a=1; sid=0'],
  ['anew', 'sid=1; Path=/', 'sid=1'],
  ['and ends', 'sid=; Max-Age=0; Path=/', ''],
  ['and ended long ago', 'sid=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/', ''],
  ['for all of .com', 'a=1; Domain=com', 'sid=0'],
  ['for another host', 'a=1; Domain=other.example.com', 'sid=0'],
  ['of another path', 'a=1; Path=/elsewhere', 'sid=0', true],
  ['with a control character', 'a=1\u0001', 'sid=0'],
  ['with one in an attribute', 'a=1; Path=/\u007f', 'sid=0'],
  ['that is far too long', `a=${'1'.repeat(5000)}`, 'sid=0'],
])('a cookie that the app sets %s', (_what, line, header, kept) => {
  const url = new URL('https://app.example.com/shop/cart')
  const jar = new CookieJar({
    cookies: [cookie('sid', '0', { domain: 'app.example.com' })],
    user_agent: null,
  })
  jar.take([line], url)
  expect(jar.header(url)).toBe(header)
  expect(jar.changes() === null).toBe(!kept && header === 'sid=0')
})

test('a cookie that is over is not sent, nor read as a token, and one that the app sets again is', () => {
  const url = new URL('https://app.example/')
  const cookies = [cookie('csrf', 'over', { expires: Math.floor(Date.now() / 1000) - 1 }), cookie('sid', '1')]
  const jar = new CookieJar({ cookies, user_agent: null })
  expect([jar.header(url), jar.value('csrf', url)]).toEqual(['sid=1', undefined])
  jar.take(['csrf=new; Max-Age=60'], url)
  expect([jar.header(url), jar.value('csrf', url)]).toEqual(['sid=1; csrf=new', 'new'])
  expect(jar.changes()?.cookies).toHaveLength(2)
})

test('what is kept has its end, and an end that moves by seconds is no change to store', () => {
  const [url, now] = [new URL('https://app.example/'), Date.now()]
  const first = new CookieJar({ cookies: [], user_agent: null })
  first.take(['sid=1; Max-Age=3600; Secure; HttpOnly'], url, now)
  const end = Math.floor(now / 1000) + 3600
  const session = first.changes()!
  expect(session.cookies).toEqual([
    { name: 'sid', value: '1', domain: 'app.example', path: '/', secure: true, http_only: true, expires: end },
  ])
  const ends = (line: string, later: number): number | null | undefined => {
    const jar = new CookieJar(session)
    jar.take([`sid=1; ${line}Secure; HttpOnly`], url, now + later * 1000)
    const changes = jar.changes()
    return changes === null ? null : changes.cookies[0]?.expires
  }
  expect(ends('Max-Age=3600; ', 20)).toBeNull()
  expect(ends('Max-Age=3600; ', 90)).toBe(end + 90)
  expect(ends('Max-Age=3000; ', 0)).toBe(end - 600)
  expect(ends('', 0)).toBeUndefined()
})

test('a cookie that is marked as secure goes to nobody who could be read on the way, nor is replaced from there', () => {
  const cookies = [cookie('sid', '1', { secure: true })]
  const jar = new CookieJar({ cookies, user_agent: null })
  const header = (at: string): string => jar.header(new URL(at))
  expect([header('https://app.example/'), header('http://app.example/')]).toEqual(['sid=1', ''])
  jar.take(['sid=2; Path=/'], new URL('http://app.example/'))
  expect(jar.changes()).toBeNull()
})

test.each([
  ['127.0.0.1', '127.0.0.1', 'a=1'],
  ['127.0.0.1', '.0.0.1', ''],
  ['[::1]', '[::1]', 'a=1'],
  ['app.example.com', '.EXAMPLE.com', 'a=1'],
  ['app.example.com', 'example.com', ''],
  ['anexample.com', '.example.com', ''],
])('a request to %s and a cookie of %s', (host, domain, goes) => {
  const jar = new CookieJar({ cookies: [cookie('a', '1', { domain })], user_agent: null })
  expect(jar.header(new URL(`http://${host}:8080/`))).toBe(goes)
})

test('a browser’s text that an earlier release kept leaves as UTF-8, and an app’s bytes as they came', () => {
  const url = new URL('https://app.example/')
  const header = (value: string): string =>
    new CookieJar({ cookies: [cookie('nick', value)], user_agent: null }).header(url)
  const bytes = Buffer.from('nick=Łukasz').toString('latin1')
  expect([header('Łukasz'), header(asBytes('Łukasz')), header('Jos\u00e9')]).toEqual([bytes, bytes, 'nick=Jos\u00e9'])
  expect(textOf(asBytes('Łukasz'))).toBe('Łukasz')
})

test('a session has 180 cookies at most, and those that are over make room', () => {
  const url = new URL('https://app.example/')
  const past = cookie('old', '1', { expires: 1 })
  const cookies = [past, ...Array.from({ length: 179 }, (_, index) => cookie(`c${index}`, '1'))]
  const jar = new CookieJar({ cookies, user_agent: null })
  jar.take(['new=1', 'further=1', 'c0=2'], url)
  const names = jar.changes()?.cookies.map(({ name, value }) => `${name}=${value}`) ?? []
  expect(names).toHaveLength(180)
  expect(names).toEqual(expect.arrayContaining(['new=1', 'c0=2']))
  expect(names).not.toContain('further=1')
})
