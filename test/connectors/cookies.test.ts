import { expect, test } from 'vitest'
import { CookieJar, takenOver } from '../../connectors/runtime/cookies.ts'
import type { SessionCookie } from '../../schemas/session.ts'

const cookie = (name: string, value: string, more: Partial<SessionCookie> = {}): SessionCookie => ({
  name,
  value,
  domain: 'app.example',
  path: '/',
  ...more,
})

test('a cookie of another path is another cookie, one of the host and its subdomains is the same', () => {
  const now = [cookie('sid', 'old'), cookie('sid', 'old', { path: '/shop' })]
  const anew = cookie('sid', 'new', { domain: '.App.example' })
  expect(takenOver(now, [cookie('sid', 'old')], [anew])).toEqual([cookie('sid', 'old', { path: '/shop' }), anew])
})

test('a list that is full takes no further cookie, and changes those that are in it', () => {
  const now = Array.from({ length: 60 }, (_, index) => cookie(`c${index}`, '1'))
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
  ['that no header can hold', 'a=\u0101', 'sid=0'],
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
