import { expect, test } from 'vitest'
import { sessionCookies } from '../../../web/connect/browser/session-cookies.ts'
import { CookieJar } from '../../../connectors/runtime/cookies.ts'

const cookie = (name: string, domain: string, path = '/') => {
  return { name, value: '1', domain, path, httpOnly: true, secure: false, expires: -1 }
}

test('of what a browser got, the cookies of the app and of the domains it belongs to are kept, of every path', () => {
  const kept = sessionCookies(
    [
      cookie('root', 'app.example.com'),
      cookie('deep', 'app.example.com', '/a/b'),
      cookie('domain', '.example.com'),
      cookie('own', '.app.example.com'),
      cookie('below', 'x.app.example.com'),
      cookie('sibling', 'accounts.example.com'),
      cookie('parent', 'example.com'),
      cookie('suffix', '.ple.com'),
      cookie('other', '.another.com'),
    ],
    ['app.example.com'],
  )
  expect(kept.map(({ name }) => name)).toEqual(['root', 'deep', 'domain', 'own'])
  expect(kept[1]).toEqual({ name: 'deep', value: '1', domain: 'app.example.com', path: '/a/b', http_only: true })
})

test.each([
  ['/', 'root=1'],
  ['/app', 'app=1; root=1'],
  ['/app/x?y=/app/deep', 'app=1; root=1'],
  ['/app/deep/z', 'deep=1; app=1; root=1'],
  ['/application', 'root=1'],
  ['/app%2Fdeep', 'root=1'],
])('%s gets the cookies whose paths fit it: %s', (path, header) => {
  const cookies = [cookie('root', 'h'), cookie('app', 'h', '/app'), cookie('deep', 'h', '/app/deep')]
  const jar = new CookieJar({ cookies: sessionCookies(cookies, ['h']), user_agent: null })
  expect(jar.header(new URL(path, 'http://h'))).toBe(header)
})

test('what Chromium tells as text is kept as the bytes that it sends, with its end and where it may go', () => {
  const told = { ...cookie('nick', 'h'), value: 'Łukasz', secure: true, expires: 1_800_000_000.7 }
  const [kept] = sessionCookies([told], ['h'])
  const bytes = Buffer.from('Łukasz').toString('latin1')
  expect(kept).toMatchObject({ value: bytes, http_only: true, secure: true, expires: 1_800_000_000 })
})
