import { afterAll, beforeAll, expect, test } from 'vitest'
import { hidden } from '../../scripts/browsing.ts'
import { isPassword } from '../../core/users/password-hashes.ts'
import { setPassword } from '../../core/users/rows.ts'
import { passwordProblem } from '../../web/account/login.ts'
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

test('nobody is shut out by strangers: neither where they signed in before, nor from another network', async () => {
  const proxied = await site.another('http://gate.example', { trustProxy: 1 })
  const from = async (visitor: Visitor, address: string, { email, password }: { email: string; password: string }) => {
    const headers = { 'X-Forwarded-For': address }
    const page = await visitor.send('GET', '/login', { headers })
    return visitor.post('/login', { email, password, csrf: hidden(page.text, 'csrf') }, headers)
  }
  const victim = await makeOwner(site.ctx)
  const home = new Visitor(proxied)
  expect((await from(home, '192.0.2.1', victim)).status).toBe(303)
  await home.post('/logout', { csrf: await home.csrf('/keys') })

  // Fifty wrong ones, from five networks, one of which is theirs.
  const wrong = { ...victim, password: 'not the password' }
  for (let n = 0; n < 50; n++) {
    const address = n < 10 ? '192.0.2.1' : `198.51.100.${Math.floor(n / 10)}`
    expect((await from(new Visitor(proxied), address, wrong)).status).toBe(422)
  }
  const began = performance.now()
  expect((await from(new Visitor(proxied), '198.51.100.77', wrong)).status, 'wrong once more').toBe(422)
  expect(performance.now() - began, 'which takes its time').toBeGreaterThan(2_900)
  expect(
    (await from(new Visitor(proxied), '192.0.2.1', victim)).status,
    'a new browser in a network that is used up',
  ).toBe(429)
  expect((await from(home, '192.0.2.1', victim)).status, 'where they signed in before').toBe(303)
  expect((await from(new Visitor(proxied), '203.0.113.9', victim)).status, 'a new browser elsewhere').toBe(303)

  // Their own browser has its own ten, and knows them no more with another password.
  await home.post('/logout', { csrf: await home.csrf('/keys') })
  const tries = []
  for (let n = 0; n < 11; n++) tries.push((await from(home, '203.0.113.1', wrong)).status)
  expect(tries).toEqual([...Array.from({ length: 10 }, () => 422), 429])
  const mark = home.cookies.get('callgate-device') ?? ''
  expect(mark).toMatch(/^[\w-]{43}\.[\w-]{43}$/)
  await setPassword(site.ctx, victim.id, 'another good password')
  const kept = new Visitor(proxied)
  kept.cookies.set('callgate-device', mark)
  expect((await from(kept, '192.0.2.1', { ...victim, password: 'another good password' })).status).toBe(429)
  for (const forged of [
    'x',
    `${mark}~${mark}~${mark}~${mark}~${mark}~${mark}`,
    `${'a'.repeat(43)}.${'b'.repeat(43)}`,
  ]) {
    kept.cookies.set('callgate-device', forged)
    expect((await from(kept, '192.0.2.1', { ...victim, password: 'another good password' })).status).toBe(429)
  }
  await site.ctx.db.query('DELETE FROM rate_limits')
})

test('a browser is known of five people at most, whose passwords it cannot tell', async () => {
  const visitor = new Visitor(site)
  const people = await Promise.all(Array.from({ length: 6 }, () => makeOwner(site.ctx)))
  for (const person of people) {
    expect((await visitor.signIn(person)).status).toBe(303)
    visitor.cookies.delete('callgate')
  }
  expect(visitor.cookies.get('callgate-device')?.split('~')).toHaveLength(5)
  for (const { password } of people) expect(visitor.cookies.get('callgate-device')).not.toContain(password)
})

test.each([
  ['passwordpassword', 'tried first'],
  ['Password1234', 'tried first'],
  ['!!administrator2026', 'tried first'],
  ['unbelievable', 'tried first'],
  ['iloveyou123456789', 'tried first'],
  ['Password!2345678', 'tried first'],
  ['P@ssw0rd1234', 'tried first'],
  ['abcabcabcabc', 'repeats itself'],
  ['aaaaaaaaaaaa1', 'repeats itself'],
  ['ABCDEFGHIJKLM', 'repeats itself'],
  ['987654321098', 'repeats itself'],
  ['callgate-12345', 'our name'],
  ['Rosalind.2026!', 'your email'],
  ['rosalind@example.test', 'your email'],
])('a new password %s is refused, with what is wrong with it', async (password, why) => {
  expect(await passwordProblem('rosalind@example.test', password, password)).toContain(why)
})

test.each([
  'correct horse battery staple',
  'seven-brave-otters-paint',
  'Tr0ub4dor&3-and-more',
  'password of my uncle Bert',
  '7f3c9b1e2a4d',
  'horse9384756102934',
  'rosalind climbs slowly',
])('a new password %s is taken', async (password) => {
  expect(await passwordProblem('rosalind@example.test', password, password)).toBeUndefined()
})

test('a flood of sign-ins takes nobody’s tries, and not the places of those who are known', async () => {
  const someone = await makeOwner(site.ctx)
  const known = await visitorOf(site, someone)
  known.cookies.delete('callgate')
  const flood = () => Array.from({ length: 80 }, () => isPassword(undefined, 'whatever it is').catch(() => false))
  const strangers = []
  for (let n = 0; n < 12; n++) {
    const line = flood()
    strangers.push((await new Visitor(site).signIn(someone)).status)
    await Promise.all(line)
  }
  expect(strangers).toContain(503)
  expect(new Set(strangers).size).toBeLessThanOrEqual(2)
  expect((await new Visitor(site).signIn(someone)).status, 'and now').toBe(303)
  const line = flood()
  expect((await known.signIn(someone)).status, 'while they stand in line').toBe(303)
  await Promise.all(line)
})

test('passwords are looked at a few at a time; who comes when too many are in line is told to come again', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 80 }, () => isPassword(undefined, 'whatever it is')))
  const refused = tries.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as { code: string; headers: object }] : [],
  )
  expect(tries.filter((one) => one.status === 'fulfilled' && one.value)).toEqual([])
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThanOrEqual(15)
  for (const one of refused) expect([one.code, one.headers]).toEqual(['unavailable', { 'Retry-After': '5' }])
  expect((await new Visitor(site).signIn(owner)).status).toBe(303)
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
