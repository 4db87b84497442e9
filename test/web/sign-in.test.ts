import { afterAll, beforeAll, expect, test } from 'vitest'
import { hidden } from '../../scripts/browsing.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

let site: TestSite
let owner: Owner

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
})
afterAll(() => site.stop())

test('the sign-in form leads back to where the person came from, signed in', async () => {
  const visitor = new Visitor(site)
  const answer = await visitor.signIn(owner, '/connect/letters?account=x')
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/connect/letters?account=x')
  expect((await visitor.get('/connect/letters')).status).toBe(200)
})

test('the session cookie cannot be read by scripts, is not sent along from other sites, and lasts 30 days', async () => {
  const answer = await new Visitor(site).signIn(owner)
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('callgate='))
  expect(cookie).toMatch(/^callgate=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('over https the cookies are Secure and bound to the host', async () => {
  const secure = await site.another('https://gate.example')
  const visitor = new Visitor(secure)
  const answer = await visitor.signIn(owner)
  expect(answer.status).toBe(303)
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-callgate='))
  expect(cookie).toMatch(/; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
  expect([...visitor.cookies.keys()].every((name) => name.startsWith('__Host-'))).toBe(true)
})

test('the database holds no cookie, only its keyed hash', async () => {
  const visitor = await visitorOf(site, owner)
  const { rows } = await site.ctx.db.query<{ found: string }>(
    `SELECT encode(hash, 'hex') || encode(hash, 'escape') AS found FROM web_sessions`,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(visitor.cookies.get('callgate'))
})

test('a wrong password and an unknown email get the same answer, and no session', async () => {
  const visitor = new Visitor(site)
  const wrong = await visitor.signIn({ email: owner.email, password: 'wrong' })
  const unknown = await visitor.signIn({ email: 'nobody@example.test', password: 'wrong' })
  expect([wrong.status, unknown.status]).toEqual([422, 422])
  expect(wrong.text.replaceAll(owner.email, '')).toBe(unknown.text.replaceAll('nobody@example.test', ''))
  expect(visitor.cookies.has('callgate')).toBe(false)
})

test('an email with a null character or a quote is only a wrong one', async () => {
  const visitor = new Visitor(site)
  expect((await visitor.signIn({ email: 'a\0b@example.test', password: 'x' })).status).toBe(422)
  const quoted = await visitor.signIn({ email: `"><script>alert(1)</script>`, password: 'x' })
  expect(quoted.status).toBe(422)
  expect(quoted.text).not.toContain('<script>alert')
})

test('the form without its token, or with one of another browser, is 403', async () => {
  const other = hidden((await new Visitor(site).get('/login')).text, 'csrf')
  const visitor = new Visitor(site)
  await visitor.get('/login')
  for (const csrf of ['', 'x', other]) {
    const answer = await visitor.post('/login', { email: owner.email, password: owner.password, csrf })
    expect(answer.status).toBe(403)
  }
  expect(visitor.cookies.has('callgate')).toBe(false)
})

test.for([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  'docs',
  '/a b',
  '///evil.example',
  '/\r\nLocation: //evil.example',
  'https:evil.example',
  'HTTPS://evil.example',
  '\u2028//evil.example',
  '/@\\evil.example',
  '',
])('the sign-in never leads away to %j', async (address) => {
  const visitor = new Visitor(site)
  const answer = await visitor.signIn(owner, address)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/')
  const again = await visitor.get(`/login?return_to=${encodeURIComponent(address)}`)
  expect(again.headers.get('location')).toBe('/')
})

test('signing in makes a new session id and ends the one before', async () => {
  const visitor = await visitorOf(site, owner)
  const first = visitor.cookies.get('callgate')
  visitor.cookies.delete('callgate')
  const page = await visitor.get('/login')
  visitor.cookies.set('callgate', first ?? '')
  const { email, password } = owner
  await visitor.post('/login', { email, password, csrf: hidden(page.text, 'csrf') })
  const second = visitor.cookies.get('callgate') ?? ''
  expect(second).not.toBe(first)
  visitor.cookies.set('callgate', first ?? '')
  expect((await visitor.get('/connect/letters')).status).toBe(303)
  visitor.cookies.set('callgate', second)
  expect((await visitor.get('/connect/letters')).status).toBe(200)
})

test('signing out ends the session, and needs the token of the session', async () => {
  const visitor = await visitorOf(site, owner)
  const csrf = await visitor.csrf('/connect/letters')
  expect((await visitor.post('/logout', { csrf: 'x' })).status).toBe(403)
  expect((await visitor.get('/logout')).status).toBe(405)
  const cookie = visitor.cookies.get('callgate') ?? ''
  const answer = await visitor.post('/logout', { csrf })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
  visitor.cookies.set('callgate', cookie)
  expect((await visitor.get('/connect/letters')).headers.get('location')).toBe('/login?return_to=%2Fconnect%2Fletters')
})

test('after ten wrong passwords an email has to wait, the right password included, and others do not', async () => {
  const victim = await makeOwner(site.ctx)
  const visitor = new Visitor(site)
  for (let i = 0; i < 10; i++) expect((await visitor.signIn({ email: victim.email, password: 'no' })).status).toBe(422)
  const answer = await visitor.signIn({ email: victim.email.toUpperCase(), password: victim.password })
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800)
  expect((await visitor.signIn(owner)).status).toBe(303)
})

test('right passwords do not count as tries', async () => {
  for (let i = 0; i < 12; i++) expect((await new Visitor(site).signIn(owner)).status).toBe(303)
})

test('a hundred wrong passwords from one address, over all emails, make it wait', async () => {
  await site.ctx.db.query(`SELECT admit('login-ip:127.0.0.1', 100, interval '15 minutes') FROM generate_series(1, 100)`)
  const answer = await new Visitor(site).signIn(owner)
  expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
  await site.ctx.db.query(`DELETE FROM rate_limits WHERE bucket = 'login-ip:127.0.0.1'`)
  expect((await new Visitor(site).signIn(owner)).status).toBe(303)
})

test('an address that has to wait locks nobody out elsewhere', async () => {
  const victim = await makeOwner(site.ctx)
  await site.ctx.db.query(`SELECT admit('login-ip:127.0.0.1', 100, interval '15 minutes') FROM generate_series(1, 100)`)
  const visitor = new Visitor(site)
  for (let i = 0; i < 12; i++) expect((await visitor.signIn({ email: victim.email, password: 'no' })).status).toBe(429)
  await site.ctx.db.query(`DELETE FROM rate_limits WHERE bucket = 'login-ip:127.0.0.1'`)
  expect((await new Visitor(site).signIn(victim)).status).toBe(303)
})

test('over https a cookie that is not bound to the host opens nothing', async () => {
  const secure = await site.another('https://gate.example')
  const visitor = new Visitor(secure)
  await visitor.signIn(owner)
  const cookie = visitor.cookies.get('__Host-callgate') ?? ''
  expect((await visitor.get('/account')).status).toBe(200)
  const planted = new Visitor(secure)
  planted.cookies.set('callgate', cookie)
  expect((await planted.get('/account')).status).toBe(303)
})

test('a changed password and signing out everywhere are in the log of their owner', async () => {
  const someone = await makeOwner(site.ctx)
  const visitor = await visitorOf(site, someone)
  const next = 'another long password'
  const account = async (fields: Record<string, string>): Promise<Page> =>
    visitor.post('/account', { csrf: await visitor.csrf('/account'), ...fields })
  const wrong = await account({ action: 'password', current: 'wrong', new: next, again: next })
  expect([wrong.status, wrong.text.includes('The current password is not right')]).toEqual([422, true])
  const short = await account({
    action: 'password',
    current: someone.password,
    new: 'eleven char',
    again: 'eleven char',
  })
  expect([short.status, short.text.includes('12 to 200 characters')]).toEqual([422, true])
  expect((await account({ action: 'password', current: someone.password, new: next, again: next })).status).toBe(303)
  expect((await account({ action: 'sign-out' })).status).toBe(303)
  await visitor.signIn({ email: someone.email, password: next })
  const { text } = await visitor.get('/account')
  for (const action of ['Changed the password', 'Signed out everywhere']) expect(text).toContain(action)
})
