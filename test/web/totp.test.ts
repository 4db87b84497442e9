import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keyedHash } from '../../core/secrets/crypto.ts'
import { rewrapDataKeys } from '../../core/secrets/rotation.ts'
import { removeTotp, takeCode } from '../../core/users/totp.ts'
import { setPassword } from '../../core/users/rows.ts'
import { makeResetLink } from '../../core/users/password-resets.ts'
import { hidden } from '../../scripts/browsing.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor

beforeAll(async () => {
  site = await startTestSite()
})
beforeEach(async () => {
  await site.ctx.db.query('DELETE FROM rate_limits')
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

const post = async (fields: Record<string, string>, who = visitor): Promise<Page> =>
  who.post('/account/totp', { csrf: await who.csrf('/account/totp'), ...fields })
const aged = () =>
  site.ctx.db.query(
    `UPDATE web_sessions SET created_at = now() - interval '11 minutes', proved_at = NULL WHERE owner = $1`,
    [owner.id],
  )
const keyIn = ({ text }: Page): string => /secret=([A-Z2-7]+)/.exec(text)?.[1] ?? ''
const codesIn = ({ text }: Page): readonly string[] =>
  /<pre[^>]*><code>([^<]*)/.exec(text)?.[1]?.match(/\b(?:[a-z2-9]{5}-){3}[a-z2-9]{5}\b/g) ?? []
/** The app that was told the key of the page; its codes of half a minute before, of now, and after are taken. */
const appOf = (page: Page): { code: (steps?: number) => string } => {
  const totp = new TOTP({ secret: Secret.fromBase32(keyIn(page)) })
  const began = Date.now()
  return { code: (steps = 0) => totp.generate({ timestamp: began + steps * 30_000 }) }
}

/** Sets an app up, with its code of half a minute ago. */
async function setUp(): Promise<{ code: (steps?: number) => string; codes: readonly string[] }> {
  const { code } = appOf(await post({ action: 'begin' }))
  const confirmed = await post({ action: 'confirm', code: code(-1) })
  expect(confirmed.status).toBe(200)
  return { code, codes: codesIn(confirmed) }
}

/** Says the password, and then the code, in a browser of their own. */
async function signIn(code: string, { who = new Visitor(site), password = owner.password } = {}): Promise<Page> {
  const first = await who.signIn({ email: owner.email, password }, '/account')
  if (first.headers.get('location') !== '/login/code?return_to=%2Faccount') return first
  const page = await who.get('/login/code?return_to=%2Faccount')
  return who.post('/login/code', { csrf: hidden(page.text, 'csrf'), return_to: '/account', code })
}

test('codes are asked for once a first one was right, after the password and not before', async () => {
  const shown = await post({ action: 'begin' })
  expect(shown.text).toContain('src="data:image/svg+xml,')
  expect((await signIn('')).headers.get('location'), 'nothing is asked for yet').toBe('/account')
  const wrong = await post({ action: 'confirm', code: '000000' })
  expect([wrong.status, keyIn(wrong)]).toEqual([422, keyIn(shown)])
  const { code } = appOf(shown)
  expect(codesIn(await post({ action: 'confirm', code: code(-1) }))).toHaveLength(10)
  expect((await visitor.get('/account/totp')).text).not.toContain('secret=')

  const who = new Visitor(site)
  const password = await who.signIn(owner, '/account')
  expect([password.status, password.headers.get('location')]).toEqual([303, '/login/code?return_to=%2Faccount'])
  expect((await who.get('/account')).status, 'the password alone opens nothing').toBe(303)
  const answer = await signIn(code(), { who })
  expect([answer.headers.get('location'), (await who.get('/account')).status]).toEqual(['/account', 200])
  expect((await who.get('/account')).text).toContain('Set up an authenticator app')
})

test('each code is good once, those of before are used up with it, and of many at once one is taken', async () => {
  const { code } = await setUp()
  expect((await signIn(code(-1))).status, 'the one that confirmed').toBe(422)
  const tries = await Promise.all(Array.from({ length: 4 }, () => takeCode(site.ctx, owner.id, code())))
  expect(tries.filter(Boolean)).toHaveLength(1)
  expect((await signIn(code(1))).headers.get('location')).toBe('/account')
  expect((await signIn(code())).status, 'one of before').toBe(422)
  for (const wrong of ['', '123', 'abcdef', code(5), code(-5), '１２３４５６', `${code(1)}0`])
    expect(await takeCode(site.ctx, owner.id, wrong), wrong).toBe(false)
})

test('a recovery code stands in for the app, once, and new ones end the old', async () => {
  const { codes } = await setUp()
  const [first = '', second = '', third = ''] = codes
  expect((await signIn(first.toUpperCase().replaceAll('-', ' '))).headers.get('location')).toBe('/account')
  expect((await signIn(first)).status).toBe(422)
  const tries = await Promise.all(Array.from({ length: 4 }, () => takeCode(site.ctx, owner.id, second)))
  expect(tries.filter(Boolean)).toHaveLength(1)
  expect((await visitor.get('/account/totp')).text).toContain('8 recovery codes left')
  const stored = await site.ctx.db.query<{ text: string }>(
    'SELECT r::text AS text FROM recovery_codes r WHERE owner = $1',
    [owner.id],
  )
  const kept = JSON.stringify(stored.rows)
  for (const one of [third, third.replaceAll('-', '')]) {
    expect(kept).not.toContain(one)
    expect(kept).not.toContain(Buffer.from(one).toString('hex'))
  }
  expect(codesIn(await post({ action: 'codes' }))).toHaveLength(10)
  expect((await signIn(third)).status).toBe(422)
  expect(await takeCode(site.ctx, (await makeOwner(site.ctx)).id, third)).toBe(false)
  // Of the time before: shorter, and hashed with a pepper.
  const older = keyedHash(site.ctx.secrets, 'recovery-code', `${owner.id}\0abcdefghjk`)
  await site.ctx.db.query('INSERT INTO recovery_codes (hash, owner) VALUES ($1, $2)', [older, owner.id])
  expect([
    await takeCode(site.ctx, owner.id, 'ABCDE-fghjk'),
    await takeCode(site.ctx, owner.id, 'abcde-fghjk'),
  ]).toEqual([true, false])
})

test('ten wrong codes make a person wait, the right one included, and nobody who does not know the password', async () => {
  const { code } = await setUp()
  const who = new Visitor(site)
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await signIn('000000', { who })).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
  expect((await signIn(code(), { who })).status).toBe(429)
  expect((await new Visitor(site).get('/login/code')).headers.get('location')).toBe('/login?return_to=%2F')
  const stranger = new Visitor(site)
  const csrf = await stranger.csrf('/login')
  expect((await stranger.post('/login/code', { csrf, code: code() })).headers.get('location')).toBe(
    '/login?return_to=%2F',
  )
})

test('what stands between password and code is void when it is forged, too old, or the password is another', async () => {
  const { code } = await setUp()
  const begun = async (): Promise<Visitor> => {
    const who = new Visitor(site)
    await who.signIn(owner, '/account')
    return who
  }
  const asks = async (who: Visitor): Promise<boolean> => (await who.get('/login/code')).status === 200
  const who = await begun()
  const step = who.cookies.get('callgate-step') ?? ''
  expect(await asks(who)).toBe(true)
  const [id = '', until = '', proof = ''] = step.split('.')
  const other = await makeOwner(site.ctx)
  const late = String(Number(until) + 1)
  for (const forged of [
    `${other.id}.${until}.${proof}`,
    `${id}.${late}.${proof}`,
    `${id}.${until}.${'a'.repeat(43)}`,
    'x',
  ]) {
    who.cookies.set('callgate-step', forged)
    expect(await asks(who), forged).toBe(false)
  }
  expect(Number(until) - Date.now() / 1000).toBeLessThanOrEqual(300)
  who.cookies.set('callgate-step', step)
  const { csrf } = { csrf: await who.csrf('/login/code') }
  await setPassword(site.ctx, owner.id, 'seven-brave-otters-paint')
  expect((await who.post('/login/code', { csrf, code: code() })).headers.get('location')).toBe('/login?return_to=%2F')
  expect(await signIn(code(1), { password: 'seven-brave-otters-paint' })).toMatchObject({ status: 303 })
})

test('who is asked again says both, and setting up and taking away are asked for', async () => {
  const { code, codes } = await setUp()
  await aged()
  const csrf = await visitor.csrf('/account/totp')
  const asked = await visitor.post('/account/totp', { csrf, action: 'remove' })
  expect([asked.status, asked.text.includes('again_code')]).toEqual([403, true])
  const again = (fields: Record<string, string>): Promise<Page> =>
    visitor.post('/account/totp', { csrf, action: 'remove', ...fields })
  const password = { again_password: owner.password }
  for (const wrong of [password, { ...password, again_code: '000000' }, { again_code: code() }])
    expect((await again(wrong)).status).toBe('again_password' in wrong ? 422 : 403)
  expect(await site.ctx.db.query('SELECT FROM totp WHERE owner = $1', [owner.id])).toMatchObject({ rowCount: 1 })
  const secrets = await again({ ...password, again_code: '000000' })
  expect(secrets.text).not.toContain('value="000000"')
  const done = await again({ ...password, again_code: code() })
  expect(done.headers.get('location')).toBe('/account/totp?said=removed')
  expect((await signIn('')).headers.get('location')).toBe('/account')
  expect(await takeCode(site.ctx, owner.id, codes[0] ?? '')).toBe(false)
  await aged()
  expect((await post({ action: 'begin' })).status).toBe(403)
})

test('no passkey is added past it by who knows the password alone', async () => {
  const gate = await site.another('https://gate.example')
  const who = await visitorOf(gate, owner)
  await setUp()
  const fields = { csrf: await who.csrf('/account'), name: 'My phone', password: owner.password }
  expect((await who.post('/account/passkey/options', fields)).status).toBe(200)
  await aged()
  expect((await who.post('/account/passkey/options', fields)).status).toBe(403)
})

test('a new password by a link still asks for the code, and the app outlives a change of keys', async () => {
  const { code } = await setUp()
  const made = await makeResetLink(site.ctx, owner.email, 'operator:ann')
  const link = new URL(made?.link ?? '').pathname
  const who = new Visitor(site)
  const [password, csrf] = ['seven-brave-otters-paint', hidden((await who.get(link)).text, 'csrf')]
  expect((await who.post(link, { csrf, new: password, again: password })).status).toBe(303)
  expect((await who.get('/account')).status).toBe(303)
  const kek = new Map([...site.ctx.secrets.kek, ['k2', Buffer.alloc(32, 5)]])
  const later = { ...site.ctx, secrets: { ...site.ctx.secrets, kek } }
  expect(await rewrapDataKeys(later)).toBeGreaterThan(0)
  expect(
    await takeCode(
      { ...later, secrets: { ...later.secrets, kek: new Map([['k2', Buffer.alloc(32, 5)]]) } },
      owner.id,
      code(),
    ),
  ).toBe(true)
  await removeTotp(site.ctx, owner.id, 'operator:ann')
  expect((await signIn('', { password })).headers.get('location')).toBe('/account')
  expect(await removeTotp(site.ctx, owner.id, 'operator:ann')).toBe(false)
})

test('what was begun is good for a quarter of an hour, and can be begun anew with another key', async () => {
  const [first, second] = [await post({ action: 'begin' }), await post({ action: 'begin' })]
  expect((await post({ action: 'confirm', code: appOf(first).code() })).status).toBe(422)
  await site.ctx.db.query(`UPDATE totp SET begun_at = now() - interval '15 minutes' WHERE owner = $1`, [owner.id])
  const late = await post({ action: 'confirm', code: appOf(second).code() })
  expect(late.headers.get('location')).toBe('/account/totp?said=late')
})
