import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../core/audit.ts'
import { readSettings } from '../../core/accounts/settings.ts'
import { listPasskeys } from '../../core/users/passkeys.ts'
import { hidden } from '../../scripts/browsing.ts'
import { Authenticator } from './authenticator.ts'
import type { Odd } from './authenticator.ts'
import { addPasskey, passkeyOwner } from './passkey-owner.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, Site, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Page, Visitor } from './visitor.ts'

const origin = 'https://gate.example'
let site: TestSite
let gate: Site
let owner: Owner
let visitor: Visitor
let phone: Authenticator

beforeAll(async () => {
  site = await startTestSite()
  gate = await site.another(origin)
  ;({ owner, visitor, phone } = await passkeyOwner(gate, origin))
})
beforeEach(async () => {
  await site.ctx.db.query('DELETE FROM rate_limits')
  // However slow the tests are, they signed in a moment ago.
  await site.ctx.db.query('UPDATE web_sessions SET created_at = now()')
})
afterAll(() => site.stop())

type Fields = Readonly<Record<string, string>>

const choose = async (fields: Fields, who = visitor): Promise<Page> =>
  who.post('/apps/letters', {
    csrf: await who.csrf('/apps/letters'),
    action: 'confirm',
    'confirm.write_letter': '',
    ...fields,
  })
const demand = async (fields: Fields = { 'passkey.write_letter': 'always' }): Promise<void> => {
  expect((await choose(fields)).status).toBe(303)
}
const nothing = { 'passkey.write_letter': '' }
const demanded = async (): Promise<unknown> => (await readSettings(site.ctx, owner.id, 'letters')).demands

/** The forms of a call's page, as they are shown now. */
async function shown(call: string, who = visitor): Promise<{ csrf: string; approval_hash: string; text: string }> {
  const { text } = await who.get(`/confirm/${call}`)
  return { csrf: hidden(text, 'csrf'), approval_hash: hidden(text, 'approval_hash'), text }
}

interface Options {
  readonly challenge: string
  readonly userVerification: string
  readonly rpId: string
}

async function optionsOf(call: string, more: Fields = {}, who = visitor): Promise<Options> {
  const { csrf, approval_hash } = await shown(call, who)
  const answer = await who.post(`/confirm/${call}/passkey/options`, {
    csrf,
    approval_hash,
    decision: 'approve',
    ...more,
  })
  expect(answer.status).toBe(200)
  return JSON.parse(answer.text) as Options
}

async function decide(call: string, more: Fields = {}, who = visitor): Promise<Page> {
  const { csrf, approval_hash } = await shown(call, who)
  return who.post(`/confirm/${call}`, { csrf, approval_hash, decision: 'approve', ...more })
}

const signedFor = async (call: string, odd: Odd = {}): Promise<string> => phone.use(await optionsOf(call), odd)

const actions = async (): Promise<string[]> =>
  (await listAudit(site.ctx.db, { owner: owner.id, before: null, limit: 500 })).map(({ action }) => action)

test('without a demand a form decides as ever, whatever else stands in it', async () => {
  const call = await askFor(site.ctx, owner)
  expect((await shown(call)).text).not.toContain('passkey.js')
  expect((await decide(call, { credential: 'anything' })).status).toBe(303)
  expect(await statusOf(site.ctx, call)).toBe('running')
})

test('a demand needs a passkey at that very decision: the form alone is 403, its challenge signs one decision once', async () => {
  await demand()
  expect(await demanded()).toMatchObject({ 'letters/write_letter': { above: null } })
  const call = await askFor(site.ctx, owner)
  const page = (await shown(call)).text
  expect(page).toContain('Write a letter with a passkey')
  expect(page).toContain('You demand a passkey for approving this')

  const bare = await decide(call)
  expect([bare.status, await statusOf(site.ctx, call)]).toEqual([403, 'awaiting_confirmation'])
  expect(bare.text).toContain('needs one of your passkeys')
  expect(bare.text).toContain('Write a letter with a passkey')

  expect((await decide(call, { credential: '{}' })).status).toBe(403)
  const options = await optionsOf(call)
  expect(options).toMatchObject({ userVerification: 'required', rpId: 'gate.example' })
  const answer = await decide(call, { credential: phone.use(options) })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/confirm/${call}`])
  expect(await statusOf(site.ctx, call)).toBe('running')
  const { rows } = await site.ctx.db.query<{ proof: string; by: string }>(
    'SELECT passkey_proof AS proof, decided_by AS by FROM calls WHERE id = $1',
    [call],
  )
  const [passkey] = await listPasskeys(site.ctx.db, owner.id)
  expect(rows).toEqual([{ proof: expect.stringMatching(new RegExp(`^${passkey?.id} k1\\.[\\w-]{43}$`)), by: owner.id }])
  expect(await actions()).toContain('passkey.approved')
})

test('rejecting needs no passkey, on its page and in the list; approving in the list decides nothing', async () => {
  await demand()
  const [one, two] = [await askFor(site.ctx, owner), await askFor(site.ctx, owner, { subject: 'Another' })]
  const list = (await visitor.get('/waiting')).text
  expect(list).toContain('Approving it needs your passkey')
  expect(list).not.toContain('type="checkbox" name="call"')
  const { csrf, approval_hash } = await shown(two)
  const bulk = (decision: string): Promise<Page> =>
    visitor.post('/waiting', { csrf, decision, call: `${two} ${approval_hash}` })
  expect((await bulk('approve')).headers.get('location')).toBe('/waiting?decided=0&stale=0&passkey=1')
  expect((await visitor.get('/waiting?decided=0&stale=0&passkey=1')).text).toContain('needs your passkey, each on')
  expect(await statusOf(site.ctx, two)).toBe('awaiting_confirmation')
  expect((await bulk('reject')).headers.get('location')).toBe('/waiting?decided=1&stale=0')
  expect((await decide(one, { decision: 'reject' })).status).toBe(303)
  expect([await statusOf(site.ctx, one), await statusOf(site.ctx, two)]).toEqual(['rejected', 'rejected'])
})

describe('is refused, and nothing is decided:', () => {
  /** What is sent as the credential for `call`. */
  const wrong: Readonly<Record<string, (call: string) => Promise<string>>> = {
    'a passkey that verified nobody': (call) => signedFor(call, { verified: false }),
    'a signature over something else': (call) => signedFor(call, { signature: Buffer.alloc(70) }),
    'another origin': (call) => signedFor(call, { origin: 'https://evil.example' }),
    'another host': (call) => signedFor(call, { host: 'evil.example' }),
    'a made-up challenge': (call) => signedFor(call, { challenge: Buffer.alloc(64).toString('base64url') }),
    'a challenge that was signed for another call': async () =>
      signedFor(await askFor(site.ctx, owner, { subject: 'Something else' })),
    'a challenge for rejecting': async (call) => phone.use(await optionsOf(call, { decision: 'reject' })),
    'a challenge for another hash': async (call) =>
      phone.use(
        await optionsOf(call, {
          approval_hash: (await shown(await askFor(site.ctx, owner, { body: '?' }))).approval_hash,
        }),
      ),
    'a challenge of an older round': async (call) => {
      const signed = await signedFor(call)
      await site.ctx.db.query('UPDATE calls SET round = round + 1 WHERE id = $1', [call])
      return signed
    },
    'a challenge for signing in': async () => {
      const csrf = await visitor.csrf('/account')
      return phone.use(JSON.parse((await visitor.post('/account/again/options', { csrf })).text) as Options)
    },
    'a challenge that is over': async (call) => {
      const signed = await signedFor(call)
      await site.ctx.db.query(`UPDATE passkey_challenges SET expires_at = now() - interval '1 second'`)
      return signed
    },
    'a challenge that another browser of theirs was given': async (call) =>
      phone.use(await optionsOf(call, {}, await visitorOf(gate, owner))),
    'somebody else’s passkey': async (call) => {
      const stranger = await passkeyOwner(gate, origin)
      return stranger.phone.use(await optionsOf(call))
    },
    'a passkey that was removed': async (call) => {
      const other = new Authenticator(origin)
      await addPasskey(visitor, other, { password: owner.password })
      const signed = other.use(await optionsOf(call))
      await site.ctx.db.query('DELETE FROM passkeys WHERE credential = $1', [other.id.toString('base64url')])
      return signed
    },
  }

  test.each(Object.entries(wrong))('%s', async (_, credential) => {
    await demand()
    const call = await askFor(site.ctx, owner)
    const answer = await decide(call, { credential: await credential(call) })
    expect([answer.status, await statusOf(site.ctx, call)]).toEqual([403, 'awaiting_confirmation'])
    expect(answer.text).toMatch(/did not sign just this decision/)
    // It is no lockout: the right one still does.
    expect((await decide(call, { credential: await signedFor(call) })).status).toBe(303)
  })

  test('a challenge that was used, here or for the same call decided before', async () => {
    await demand()
    const [call, other] = [await askFor(site.ctx, owner), await askFor(site.ctx, owner, { subject: 'Another' })]
    const signed = await signedFor(call)
    const before = await shown(call)
    expect((await decide(other, { credential: signed })).status).toBe(403)
    expect((await decide(call, { credential: signed })).status).toBe(403)
    const anew = await signedFor(call)
    expect((await decide(call, { credential: anew })).status).toBe(303)
    const again = { csrf: before.csrf, approval_hash: before.approval_hash, decision: 'approve', credential: anew }
    expect((await visitor.post(`/confirm/${call}`, again)).status).toBe(409)
  })

  test('a hash of before the person changed the call, although a passkey signed it', async () => {
    await demand()
    const call = await askFor(site.ctx, owner)
    const before = await shown(call)
    const signed = await signedFor(call)
    const input = JSON.stringify({ subject: 'Changed', recipients: ['m_1'], body: 'Come all!' })
    expect((await decide(call, { decision: 'change', input })).status).toBe(303)
    const old = { csrf: before.csrf, approval_hash: before.approval_hash, decision: 'approve', credential: signed }
    expect((await visitor.post(`/confirm/${call}`, old)).status).toBe(409)
    expect((await decide(call, { credential: signed })).status).toBe(403)
    expect(await statusOf(site.ctx, call)).toBe('awaiting_confirmation')
  })

  test('the second of two tabs, each with a passkey of its own, and a form that is posted twice at once', async () => {
    await demand()
    const call = await askFor(site.ctx, owner)
    const page = await shown(call)
    const fields = { csrf: page.csrf, approval_hash: page.approval_hash, decision: 'approve' }
    const [one, two] = [await signedFor(call), await signedFor(call)]
    const answers = await Promise.all(
      [one, two, one].map((credential) => visitor.post(`/confirm/${call}`, { ...fields, credential })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409 || status === 403)).toHaveLength(2)
    expect(await statusOf(site.ctx, call)).toBe('running')
  })

  test('a challenge asked for without the token of the form, or by somebody else', async () => {
    await demand()
    const call = await askFor(site.ctx, owner)
    const { csrf, approval_hash } = await shown(call)
    const ask = (who: Visitor, fields: Fields): Promise<Page> => who.post(`/confirm/${call}/passkey/options`, fields)
    expect((await ask(visitor, { approval_hash, decision: 'approve' })).status).toBe(403)
    expect((await ask(visitor, { csrf, approval_hash, decision: 'change' })).status).toBe(422)
    expect((await ask(visitor, { csrf, decision: 'approve' })).status).toBe(422)
    const stranger = await visitorOf(gate, await makeOwner(site.ctx))
    const theirs = { csrf: await stranger.csrf('/account'), approval_hash, decision: 'approve' }
    expect((await ask(stranger, theirs)).status).toBe(404)
  })
})

describe('what is demanded', () => {
  test.each([
    [{ options: { price: 10_000 } }, false],
    [{ options: { price: 10_001 } }, true],
    [{ options: { price: -20_000 } }, true],
    [{ options: { price: null } }, true],
    [{ options: { urgent: true } }, true],
    [{}, true],
  ])('above 100 EUR: with %j it needs one: %s', async (input, needs) => {
    await demand({ 'passkey.write_letter': 'above', 'above.write_letter': '100,00' })
    const call = await askFor(site.ctx, owner, input)
    expect((await decide(call)).status).toBe(needs ? 403 : 303)
  })

  test('goes by the amount as the person changed it', async () => {
    await demand({ 'passkey.write_letter': 'above', 'above.write_letter': '100' })
    const call = await askFor(site.ctx, owner, { options: { price: 5_000 } })
    const input = { subject: 'Dear', recipients: ['m_1'], body: 'Come all!', options: { price: 50_000 } }
    expect((await decide(call, { decision: 'change', input: JSON.stringify(input) })).status).toBe(303)
    expect((await decide(call)).status).toBe(403)
  })

  test('cannot be switched on without a passkey, and the page says why', async () => {
    const other = await makeOwner(site.ctx)
    const who = await visitorOf(gate, other)
    const page = (await who.get('/apps/letters')).text
    expect(page).toContain('add a passkey')
    expect(page).not.toContain('passkey.write_letter')
    const answer = await choose({ 'passkey.write_letter': 'always', 'confirm.write_letter': 'yes' }, who)
    expect([answer.status, answer.text.includes('You have no passkey yet')]).toEqual([422, true])
    const { demands, confirm } = await readSettings(site.ctx, other.id, 'letters')
    expect([demands, confirm.size]).toEqual([{}, 0])
  })

  test.each([
    { 'passkey.write_letter': 'never' },
    { 'passkey.write_letter': 'above', 'above.write_letter': '' },
    { 'passkey.write_letter': 'above', 'above.write_letter': '1e9' },
    { 'passkey.write_letter': 'above', 'above.write_letter': '-1' },
  ])('is no other than the form offers: %j', async (fields) => {
    await demand(nothing)
    expect((await choose(fields)).status).toBe(422)
    expect(await demanded()).toEqual({})
  })

  test('is made at once, and weakened only by who has just shown who they are', async () => {
    const past = (): Promise<unknown> =>
      site.ctx.db.query(
        `UPDATE web_sessions SET created_at = now() - interval '11 minutes', proved_at = NULL WHERE owner = $1`,
        [owner.id],
      )
    await demand(nothing)
    const noted = (await actions()).filter((action) => action === 'endpoint.passkey').length
    await past()
    await demand({ 'passkey.write_letter': 'above', 'above.write_letter': '100' })
    await demand({ 'passkey.write_letter': 'above', 'above.write_letter': '50' })
    expect((await choose({ 'passkey.write_letter': 'above', 'above.write_letter': '51' })).status).toBe(403)
    await demand()
    for (const weaker of [
      { 'passkey.write_letter': '' },
      { 'passkey.write_letter': 'above', 'above.write_letter': '0' },
    ])
      expect((await choose(weaker)).text).toContain('Is it you?')
    expect(await demanded()).toMatchObject({ 'letters/write_letter': { above: null } })
    expect((await choose({ 'passkey.write_letter': '', again_password: owner.password })).status).toBe(303)
    expect(await demanded()).toEqual({})
    const call = await askFor(site.ctx, owner)
    expect((await decide(call)).status).toBe(303)
    expect((await actions()).filter((action) => action === 'endpoint.passkey')).toHaveLength(noted + 4)
  })

  test('is not overwritten by a page that was open for long', async () => {
    await demand(nothing)
    const was = / name="was\.write_letter" value="([^"]*)"/.exec((await visitor.get('/apps/letters')).text)?.[1] ?? '?'
    await demand()
    const late = await choose({ 'passkey.write_letter': '', 'expiry.write_letter': '1 hour', 'was.write_letter': was })
    expect([late.status, late.text.includes('Not saved')]).toEqual([409, true])
    expect(await demanded()).toMatchObject({ 'letters/write_letter': { above: null } })
  })

  test('without a passkey left, a call can only be rejected, and the page leads to where one is added', async () => {
    await demand()
    const call = await askFor(site.ctx, owner)
    await site.ctx.db.query('DELETE FROM passkeys WHERE owner = $1', [owner.id])
    const { text } = await shown(call)
    expect(text).toContain('/account#passkeys')
    expect(text).not.toContain('value="approve"')
    expect((await decide(call)).status).toBe(403)
    expect((await decide(call, { decision: 'reject' })).status).toBe(303)
  })
})
