import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../core/audit.ts'
import { hidden } from '../../scripts/browsing.ts'
import { Authenticator } from './authenticator.ts'
import type { Odd } from './authenticator.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, Site, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

const origin = 'https://gate.example'
let site: TestSite
let gate: Site
let owner: Owner
let other: Owner
let visitor: Visitor
let phone: Authenticator

beforeAll(async () => {
  site = await startTestSite()
  gate = await site.another(origin)
  other = await makeOwner(site.ctx)
})
beforeEach(async () => {
  await site.ctx.db.query('DELETE FROM rate_limits')
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(gate, owner)
  phone = new Authenticator(origin)
})
afterAll(() => site.stop())

interface Asked {
  readonly challenge: string
  readonly user: { id: string }
}

async function askToAdd(who: Visitor, fields: Record<string, string> = {}): Promise<Page> {
  const csrf = await who.csrf('/account')
  return who.post('/account/passkey/options', { csrf, name: 'My phone', password: owner.password, ...fields })
}

const asked = (page: Page): Asked => JSON.parse(page.text) as Asked

async function add(who: Visitor, credential: string, name = 'My phone'): Promise<Page> {
  return who.post('/account/passkey', { csrf: await who.csrf('/account'), name, credential })
}

const addPhone = async (): Promise<Page> => add(visitor, phone.make(asked(await askToAdd(visitor))))

/** A browser in which nobody is signed in, and what its sign-in page asks an authenticator with. */
async function askToSignIn(
  where: Site = gate,
): Promise<{ who: Visitor; csrf: string; options: { challenge: string } }> {
  const who = new Visitor(where)
  const csrf = await who.csrf('/login')
  const { text } = await who.post('/login/passkey/options', { csrf })
  return { who, csrf, options: JSON.parse(text) as { challenge: string } }
}

async function signIn(device: Authenticator, odd: Odd = {}): Promise<Page> {
  const { who, csrf, options } = await askToSignIn()
  return who.post('/login/passkey', { csrf, credential: device.use(options, odd) })
}

const passkeys = async (): Promise<{ id: string; name: string; used: boolean }[]> => {
  const { rows } = await site.ctx.db.query<{ id: string; name: string; used: boolean }>(
    'SELECT id, name, last_used_at IS NOT NULL AS used FROM passkeys WHERE owner = $1',
    [owner.id],
  )
  return rows
}

const actions = async (): Promise<string[]> =>
  (await listAudit(site.ctx.db, { owner: owner.id, before: null, limit: 20 }))
    .map(({ action }) => action)
    .filter((action) => action !== 'account.connected')

describe('a passkey', () => {
  test('is added with the password, signs in, and leads back to where the person came from', async () => {
    const added = await addPhone()
    expect([added.status, added.headers.get('location')]).toEqual([303, '/account?said=passkey-added'])
    expect((await visitor.get('/account')).text).toContain('never used')

    const { who, csrf, options } = await askToSignIn()
    const fields = { csrf, credential: phone.use(options), return_to: '/calls?status=failed' }
    const answer = await who.post('/login/passkey', fields)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/calls?status=failed'])
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-callgate='))
    expect(cookie).toMatch(/; Secure; HttpOnly; SameSite=Lax$/)
    expect((await who.get('/account')).text).toContain(owner.email)
    expect(await passkeys()).toMatchObject([{ name: 'My phone', used: true }])
    expect(await actions()).toEqual(['signed_in', 'passkey.added'])
  })

  test('never leads away, and ends the session that was in the browser before', async () => {
    await addPhone()
    const { who, csrf, options } = await askToSignIn()
    const before = visitor.cookies.get('__Host-callgate') ?? ''
    who.cookies.set('__Host-callgate', before)
    const answer = await who.post('/login/passkey', {
      csrf,
      credential: phone.use(options),
      return_to: '//evil.example',
    })
    expect(answer.headers.get('location')).toBe('/')
    expect(who.cookies.get('__Host-callgate')).not.toBe(before)
    expect((await visitor.get('/account')).status).toBe(303)
  })

  test('asked for by one process of the gateway signs in at another', async () => {
    await addPhone()
    const second = await site.another(origin)
    const { who, csrf, options } = await askToSignIn()
    const there = new Visitor(second)
    for (const [name, value] of who.cookies) there.cookies.set(name, value)
    expect((await there.post('/login/passkey', { csrf, credential: phone.use(options) })).status).toBe(303)
  })

  test('is not made without the password, a name, or the token of the form', async () => {
    const wrong = await askToAdd(visitor, { password: 'wrong' })
    expect([wrong.status, JSON.parse(wrong.text)]).toEqual([422, { problem: 'The password is not right.' }])
    expect((await askToAdd(visitor, { name: ' ' })).status).toBe(422)
    expect((await askToAdd(visitor, { csrf: 'made up' })).status).toBe(403)
    expect((await new Visitor(gate).post('/account/passkey/options', { password: owner.password })).status).toBe(403)
    const made = phone.make(asked(await askToAdd(visitor)))
    for (const fields of [{}, { csrf: 'made up' }])
      expect((await visitor.post('/account/passkey', { name: 'x', credential: made, ...fields })).status).toBe(403)
    expect(await passkeys()).toEqual([])
  })

  test('with a challenge of a sign-in is not added: that one is had without a password', async () => {
    const { who, csrf, options } = await askToSignIn()
    const { email, password } = owner
    await who.post('/login', { csrf, email, password })
    const made = phone.make({ challenge: options.challenge, user: { id: Buffer.from(owner.id).toString('base64url') } })
    expect((await add(who, made)).status).toBe(422)
    expect(await passkeys()).toEqual([])
  })

  test.for<[string, Odd]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another host', { host: 'evil.example' }],
    ['with another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['of an authenticator that did not look who it was', { verified: false }],
    ['with a certificate of its maker, which would have to be looked up elsewhere', { certificate: true }],
  ])('%s is not added, and what was typed is kept', async ([, odd]) => {
    const answer = await add(visitor, phone.make(asked(await askToAdd(visitor)), odd), 'Kept name')
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('value="Kept name"')
    expect(await passkeys()).toEqual([])
  })

  test('is added once, by the browser that asked, and within five minutes', async () => {
    const stranger = await visitorOf(gate, other)
    const made = phone.make(asked(await askToAdd(visitor)))
    expect((await add(stranger, made)).status).toBe(422)
    expect((await add(visitor, made)).status).toBe(303)
    expect((await add(visitor, made)).status).toBe(422)

    const late = new Authenticator(origin).make(asked(await askToAdd(visitor)))
    await site.ctx.db.query(`UPDATE passkey_challenges SET expires_at = now() - interval '1 second'`)
    expect((await add(visitor, late)).status).toBe(422)
    const same = new Authenticator(origin).make(asked(await askToAdd(visitor)), { id: phone.id })
    expect((await add(visitor, same)).status).toBe(422)
    for (const rubbish of ['', '{', 'null', '{"id":"x"}']) expect((await add(visitor, rubbish)).status).toBe(422)
    expect(await passkeys()).toHaveLength(1)
  })

  test('is removed by its owner alone, and does not sign in any more', async () => {
    await addPhone()
    const [passkey] = await passkeys()
    const stranger = await visitorOf(gate, other)
    const address = `/account/passkeys/${passkey?.id ?? ''}`
    const remove = async (who: Visitor): Promise<Page> =>
      who.post(address, { csrf: await who.csrf('/account'), action: 'remove' })
    expect((await remove(stranger)).status).toBe(404)
    expect((await visitor.post(address, { action: 'remove' })).status).toBe(403)
    expect((await signIn(phone)).status).toBe(303)
    expect((await remove(visitor)).headers.get('location')).toBe('/account?said=passkey-removed')
    expect((await remove(visitor)).status).toBe(404)
    expect((await signIn(phone)).status).toBe(422)
    expect((await new Visitor(gate).signIn(owner)).status).toBe(303)
    expect(await actions()).toEqual(['passkey.removed', 'signed_in', 'passkey.added'])
  })
})

describe('a sign-in', () => {
  test.for<[string, () => Odd]>([
    ['signed for another site', () => ({ origin: 'https://evil.example' })],
    ['signed for another host', () => ({ host: 'evil.example' })],
    ['with a made-up challenge', () => ({ challenge: 'AAAAAAAAAAAAAAAAAAAAAA' })],
    ['of nobody that was verified', () => ({ verified: false })],
    ['with another signature', () => ({ signature: Buffer.alloc(70, 7) })],
    ['in the name of another user', () => ({ owner: other.id })],
    ['with a passkey that is not known', () => ({ id: Buffer.alloc(32, 1) })],
  ])('%s is refused, with the same answer for all', async ([, odd]) => {
    await addPhone()
    const answer = await signIn(phone, odd())
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('This passkey does not open an account here')
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith('__Host-callgate='))).toEqual([])
  })

  test('cannot be repeated, come too late, or come from another browser', async () => {
    await addPhone()
    const first = await askToSignIn()
    const credential = phone.use(first.options)
    const second = await askToSignIn()
    expect((await second.who.post('/login/passkey', { csrf: second.csrf, credential })).status).toBe(422)
    expect((await first.who.post('/login/passkey', { csrf: first.csrf, credential })).status).toBe(303)
    expect((await first.who.post('/login/passkey', { csrf: first.csrf, credential })).status).toBe(422)

    const late = await askToSignIn()
    await site.ctx.db.query(`UPDATE passkey_challenges SET expires_at = now() - interval '1 second'`)
    const tooLate = { csrf: late.csrf, credential: phone.use(late.options) }
    expect((await late.who.post('/login/passkey', tooLate)).status).toBe(422)
  })

  test('that arrives fifty times at once signs in once', async () => {
    await addPhone()
    const { who, csrf, options } = await askToSignIn()
    const fields = { csrf, credential: phone.use(options) }
    const answers = await Promise.all(Array.from({ length: 50 }, () => who.post('/login/passkey', fields)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  })

  test('with a counter that goes back is refused, and its owner reads why', async () => {
    phone.counter = 5
    await addPhone()
    expect((await signIn(phone, { counter: 6 })).status).toBe(303)
    for (const counter of [6, 3, 0]) expect((await signIn(phone, { counter })).status).toBe(422)
    expect((await signIn(phone, { counter: 7 })).status).toBe(303)
    expect((await actions()).filter((action) => action === 'passkey.refused')).toHaveLength(3)
    expect((await visitor.get('/account')).text).toContain('its counter went back')
  })

  test('with an authenticator that does not count works each time', async () => {
    await addPhone()
    for (let i = 0; i < 3; i++) expect((await signIn(phone)).status).toBe(303)
  })

  test('needs the token of the form, from our own page', async () => {
    await addPhone()
    const { who, csrf, options } = await askToSignIn()
    const credential = phone.use(options)
    expect((await who.post('/login/passkey/options', { csrf: 'made up' })).status).toBe(403)
    expect((await who.post('/login/passkey', { csrf: 'made up', credential })).status).toBe(403)
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site' }
    for (const address of ['/login/passkey/options', '/login/passkey'])
      expect((await who.post(address, { csrf, credential }, elsewhere)).status).toBe(403)
    expect((await who.post('/login/passkey', { csrf, credential })).status).toBe(303)
  })

  test('counts among the failed passkeys of its address when it fails; wrong passwords from there take none of them', async () => {
    await addPhone()
    await site.ctx.db.query(
      `SELECT admit('login-passkey-ip:127.0.0.1', 100, interval '15 minutes') FROM generate_series(1, 99)`,
    )
    await site.ctx.db.query(
      `SELECT admit('login-ip:127.0.0.1', 100, interval '15 minutes') FROM generate_series(1, 100)`,
    )
    expect((await signIn(phone)).status).toBe(303)
    expect((await signIn(phone, { verified: false })).status).toBe(422)
    const refused = await signIn(phone)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await site.ctx.db.query(
      `SELECT admit('passkey-ip:127.0.0.1', 300, interval '15 minutes') FROM generate_series(1, 300)`,
    )
    const who = new Visitor(gate)
    expect((await who.post('/login/passkey/options', { csrf: await who.csrf('/login') })).status).toBe(429)
  })

  test('leaves no challenge behind that is over', async () => {
    await askToSignIn()
    await site.ctx.db.query(`UPDATE passkey_challenges SET expires_at = now() - interval '1 second'`)
    await askToSignIn()
    const { rows } = await site.ctx.db.query('SELECT FROM passkey_challenges')
    expect(rows).toHaveLength(1)
  })
})

test.for(['http://127.0.0.1:8080', 'http://gate.example', 'https://192.0.2.7', 'https://[2001:db8::1]'])(
  'at %s, where browsers refuse passkeys, none are offered, and the account page says why',
  async (publicUrl) => {
    const here = await site.another(publicUrl)
    const who = await visitorOf(here, owner)
    const { text } = await who.get('/account')
    expect(text).toContain('Passkeys cannot be used here')
    expect(text).not.toContain('passkey.js')
    const csrf = hidden(text, 'csrf')
    const { password } = owner
    expect((await who.post('/account/passkey/options', { csrf, name: 'x', password })).status).toBe(404)
    const login = (await new Visitor(here).get('/login')).text
    expect(login).not.toContain('Sign in with a passkey')
  },
)
