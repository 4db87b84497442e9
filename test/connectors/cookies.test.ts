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
