import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../core/audit.ts'
import { isPassword } from '../../core/users/password-hashes.ts'
import { listPasskeys } from '../../core/users/passkeys.ts'
import { newRecoveryCodes, recoveryCodesLeft, takeRecoveryCode } from '../../core/users/recovery-codes.ts'
import { removeTotp } from '../../core/users/totp.ts'
import { setPassword, takesPasswords, verifyPassword } from '../../core/users/rows.ts'
import { Authenticator } from './authenticator.ts'
import { addPasskey, passkeyOwner } from './passkey-owner.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, Site, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

const origin = 'https://gate.example'
type Fields = Readonly<Record<string, string>>

let gate: Site
let visitor: Visitor
let phone: Authenticator
let site: TestSite
let owner: Owner

beforeAll(async () => {
  site = await startTestSite()
  gate = await site.another(origin)
})
beforeEach(async () => {
  await site.ctx.db.query('DELETE FROM rate_limits')
  owner = await makeOwner(site.ctx)
})
afterAll(() => site.stop())

test('an account that takes no passwords is opened by none, told like a wrong one, and none can be set', async () => {
  const before = await visitorOf(site, owner)
  expect(await takesPasswords(site.ctx.db, owner.id)).toBe(true)
  await site.ctx.db.query('UPDATE users SET passwords_allowed = false WHERE id = $1', [owner.id])
  expect(await takesPasswords(site.ctx.db, owner.id)).toBe(false)
  expect(await takesPasswords(site.ctx.db, 'user_of_nobody')).toBe(false)

  const answer = await new Visitor(site).signIn(owner)
  const wrong = await new Visitor(site).signIn({ email: owner.email, password: 'not this one' })
  const visible = ({ text }: { text: string }): string => text.replaceAll(/name="csrf" value="[^"]*"/g, '')
  expect([answer.status, visible(answer)]).toEqual([422, visible(wrong)])
  expect(await verifyPassword(site.ctx, owner.email, owner.password)).toBeUndefined()

  await site.ctx.db.query(
    `UPDATE web_sessions SET created_at = now() - interval '1 hour', proved_at = NULL WHERE owner = $1`,
    [owner.id],
  )
  const csrf = await before.csrf('/account')
  const key = { csrf, name: 'A key', days: '', all: 'yes', again_password: owner.password }
  expect((await before.post('/keys', key)).status).toBe(422)
  const chosen = {
    csrf,
    action: 'password',
    current: owner.password,
    new: 'four words of it',
    again: 'four words of it',
  }
  expect((await before.post('/account', chosen)).status).toBe(409)
  expect(await setPassword(site.ctx, owner.id, 'four words of it')).toBe(false)
  const { rows } = await site.ctx.db.query<{ sessions: number }>(
    'SELECT count(*)::integer AS sessions FROM web_sessions WHERE owner = $1',
    [owner.id],
  )
  expect(rows, 'nothing was done, so nobody is signed out').toEqual([{ sessions: 1 }])
  await site.ctx.db.query('UPDATE users SET passwords_allowed = true WHERE id = $1', [owner.id])
  expect((await new Visitor(site).signIn(owner)).status).toBe(303)
})

describe('who gives up their password', () => {
  const codesIn = (page: Page): string[] => page.text.match(/\b(?:[a-z2-9]{5}-){3}[a-z2-9]{5}\b/g) ?? []
  const signedInAgo = (minutes: number): Promise<unknown> =>
    site.ctx.db.query(
      `UPDATE web_sessions SET created_at = now() - make_interval(mins => $2), proved_at = NULL WHERE owner = $1`,
      [owner.id, minutes],
    )
  const change = async (action: string, more: Fields = {}): Promise<Page> =>
    visitor.post('/account/passkeys-only', { csrf: await visitor.csrf('/account'), action, ...more })
  async function gaveUp(): Promise<readonly string[]> {
    ;({ owner, visitor, phone } = await passkeyOwner(gate, origin))
    const page = await change('on')
    expect(page.status).toBe(200)
    return codesIn(page)
  }
  const askRecovery = async (code: string, who = new Visitor(gate), email = owner.email) => {
    const csrf = await who.csrf('/recover')
    const fields = { csrf, email, recovery_code: code, name: 'New phone' }
    return { who, csrf, answer: await who.post('/recover/options', fields) }
  }
  type Asked = { challenge: string; user: { id: string } }
  const finish = ({ who, csrf, answer }: Awaited<ReturnType<typeof askRecovery>>, device: Authenticator) =>
    who.post('/recover', { csrf, name: 'New phone', credential: device.make(JSON.parse(answer.text) as Asked) })
  const actions = async (): Promise<string[]> =>
    (await listAudit(site.ctx.db, { owner: owner.id, before: null, limit: 50 })).map(({ action }) => action)

  test('needs a passkey, and has shown who they are; then passkeys alone open the account, and other browsers are signed out', async () => {
    visitor = await visitorOf(gate, owner)
    expect((await change('on')).status).toBe(409)
    ;({ owner, visitor, phone } = await passkeyOwner(gate, origin))
    const elsewhere = await visitorOf(gate, owner)
    await signedInAgo(11)
    expect((await change('on')).text).toContain('Is it you?')
    expect(await takesPasswords(site.ctx.db, owner.id)).toBe(true)
    const page = await change('on', { again_password: owner.password })
    expect([page.status, new Set(codesIn(page)).size]).toEqual([200, 10])
    expect((await elsewhere.get('/account')).status).toBe(303)
    expect((await new Visitor(gate).signIn(owner)).status).toBe(422)
    const { rows } = await site.ctx.db.query<{ password_hash: string; codes: string }>(
      'SELECT password_hash, (SELECT string_agg(c::text, $2) FROM recovery_codes c WHERE owner = $1) AS codes FROM users WHERE id = $1',
      [owner.id, ' '],
    )
    expect(await isPassword(rows[0]?.password_hash, owner.password), 'for a release that knows no better').toBe(false)
    for (const code of codesIn(page)) expect(rows[0]?.codes).not.toContain(code.replaceAll('-', ''))
    const account = (await visitor.get('/account')).text
    expect(account).toContain('10 of 10 recovery codes are left')
    expect(account).not.toContain('name="current"')
    expect((await change('on')).status).toBe(409)

    await signedInAgo(11)
    const asked = await change('codes')
    expect([asked.status, asked.text.includes('again_password')]).toEqual([403, false])
    const csrf = await visitor.csrf('/account')
    const options = JSON.parse((await visitor.post('/account/again/options', { csrf })).text) as Asked
    const anew = await change('codes', { again_credential: phone.use(options) })
    expect(codesIn(anew)).toHaveLength(10)
    expect((await askRecovery(codesIn(page)[0] ?? '')).answer.status, 'an older code').toBe(422)
    expect(await actions()).toEqual(expect.arrayContaining(['passkeys_only.on', 'recovery_code.renewed']))
  })

  test('makes one new passkey with each code, and is signed in with it', async () => {
    const [first = '', second = ''] = await gaveUp()
    const stranger = await makeOwner(site.ctx)
    for (const [code, email] of [
      ['aaaaa-aaaaa-aaaaa-aaaaa', owner.email],
      [first, stranger.email],
      [first, 'nobody@example.test'],
      ['', owner.email],
      [`${first}a`, owner.email],
    ] as const) {
      const { answer } = await askRecovery(code, undefined, email)
      expect([answer.status, answer.text]).toEqual([
        422,
        JSON.stringify({ problem: 'Email and code do not match, or the code was used before.' }),
      ])
    }
    // Given up half-way, it is not used up; a passkey for an earlier question, or of another browser, does nothing.
    const early = await askRecovery(first.toUpperCase().replaceAll('-', ' '))
    const late = await askRecovery(first)
    expect((await finish(early, new Authenticator(origin))).status).toBe(422)
    expect((await finish({ ...late, ...(await browser()) }, new Authenticator(origin))).status).toBe(422)
    const asked = await askRecovery(first)
    const device = new Authenticator(origin)
    const made = await finish(asked, device)
    expect([made.status, made.headers.get('location')]).toEqual([303, '/account?said=recovered'])
    expect((await asked.who.get('/account')).text).toContain('9 of 10 recovery codes are left')
    expect((await listPasskeys(site.ctx.db, owner.id)).map(({ name }) => name)).toEqual(['My phone', 'New phone'])
    expect((await askRecovery(first)).answer.status).toBe(422)
    expect((await finish(asked, new Authenticator(origin))).status).toBe(422)
    expect(await actions()).toContain('passkey_code.used')
    await expect
      .poll(async () => (await site.ctx.db.query(`SELECT FROM security_log WHERE kind = 'recovery_used'`)).rowCount)
      .toBe(1)

    const two = [await askRecovery(second), await askRecovery(second)] as const
    const answers = await Promise.all(two.map((one) => finish(one, new Authenticator(origin))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422])
  })

  test('has one set of codes: for the app while there is a password, for a new passkey while there is none', async () => {
    ;({ owner, visitor, phone } = await passkeyOwner(gate, origin))
    const { ctx } = site
    await ctx.db.query(`INSERT INTO totp (id, owner, secret, confirmed_at) VALUES ($1, $1, '', now())`, [owner.id])
    const [first = '', second = ''] = await newRecoveryCodes(ctx.db, owner.id)
    expect((await askRecovery(first)).answer.status, 'opens nothing by itself').toBe(422)
    const [third = ''] = codesIn(await change('on'))
    expect((await askRecovery(second)).answer.status).toBe(422)
    expect(await takeRecoveryCode(ctx, owner.id, second), 'of the older set').toBe(false)
    const asked = await askRecovery(third)
    expect(asked.answer.status).toBe(200)
    const password = { new: 'four good words here', again: 'four good words here' }
    expect((await change('off', password)).status).toBe(303)
    expect((await finish(asked, new Authenticator(origin))).status, 'it was for passkeys a moment ago').toBe(422)
    expect(await takeRecoveryCode(ctx, owner.id, third)).toBe(true)
    await removeTotp(ctx, owner.id)
    expect(await recoveryCodesLeft(ctx.db, owner.id)).toBe(0)
  })

  const browser = async () => {
    const who = new Visitor(gate)
    return { who, csrf: await who.csrf('/recover') }
  }

  test('is slowed down where codes are guessed', async () => {
    const [code = ''] = await gaveUp()
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await askRecovery('guess')).answer.status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
    expect((await askRecovery(code)).answer.status).toBe(429)
  })

  test('keeps the last passkey, also of two that are removed at once, and adds one after showing who they are', async () => {
    await gaveUp()
    const remove = async (id = ''): Promise<number> =>
      (await visitor.post(`/account/passkeys/${id}`, { csrf, action: 'remove' })).status
    const csrf = await visitor.csrf('/account')
    const [only] = await listPasskeys(site.ctx.db, owner.id)
    expect(await remove(only?.id)).toBe(409)
    await addPasskey(visitor, new Authenticator(origin), {})
    const both = await listPasskeys(site.ctx.db, owner.id)
    expect((await Promise.all(both.map(({ id }) => remove(id)))).toSorted((a, b) => a - b)).toEqual([303, 409])
    expect(await listPasskeys(site.ctx.db, owner.id)).toHaveLength(1)
    await signedInAgo(11)
    const asked = await visitor.post('/account/passkey/options', { csrf, name: 'Another', password: owner.password })
    expect(asked.status).toBe(403)
    expect((await visitor.post('/account/proof', { csrf })).text).toContain('Is it you?')
  })

  test('takes a password again, which needs a passkey of just now; the codes are worth nothing then', async () => {
    const [code = ''] = await gaveUp()
    await signedInAgo(11)
    const fields = { new: 'four good words here', again: 'four good words here' }
    expect((await change('off', fields)).status).toBe(403)
    const csrf = await visitor.csrf('/account')
    const options = JSON.parse((await visitor.post('/account/again/options', { csrf })).text) as Asked
    expect((await change('off', { ...fields, again: 'other', again_credential: phone.use(options) })).status).toBe(422)
    const back = await change('off', fields)
    expect([back.status, back.headers.get('location')]).toEqual([303, '/account?said=password-again'])
    expect((await new Visitor(gate).signIn({ email: owner.email, password: fields.new })).status).toBe(303)
    expect((await askRecovery(code)).answer.status).toBe(422)
    expect((await change('off', fields)).status).toBe(409)
    expect((await change('codes')).status).toBe(409)
  })
})
