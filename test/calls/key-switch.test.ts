import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setConfirm } from '../../core/accounts/settings.ts'
import { endInAdvance } from '../../core/approvals/end-in-advance.ts'
import { makeKey, rotateKey } from '../../core/keys/keys.ts'
import type { NewKey } from '../../core/keys/keys.ts'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { transaction } from '../../core/database/pool.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { Agent } from '../mcp/agent.ts'
import { firstContact } from '../support/contacts.ts'
import { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const endpoint = 'reply_to_contact'

describe('asking that is switched off for one key', () => {
  let stack: Stack
  const lines: string[] = []
  beforeAll(async () => {
    stack = await startStack({ logTo: { write: (line) => void lines.push(line) } })
  })
  afterAll(() => stack.stop())
  afterEach(() => void lines.splice(0))

  const warnings = () => lines.filter((line) => line.includes('switched off without'))
  const made = (key: NewKey | string | undefined): NewKey => {
    if (typeof key !== 'object') throw new Error(`no key: ${key}`)
    return key
  }
  const withKey = (user: TestUser, { id: keyId, key }: NewKey): TestUser => {
    const { id, email, password, accounts, publicUrl } = user
    return new TestUser({ id, email, password, accounts, publicUrl, keyId, key })
  }

  /** A person with two agents. */
  async function two(): Promise<{ readonly user: TestUser; readonly other: TestUser }> {
    const user = await stack.user()
    const key = made(
      await makeKey(stack.ctx, { owner: user.id, name: 'Night robot', apps: null, seesAll: false, days: null }),
    )
    return { user, other: withKey(user, key) }
  }
  const reply = async (user: TestUser, headers: Record<string, string> = {}) =>
    (await user.call(endpoint, { contact_id: await firstContact(user), message: `To ${user.keyId}` }, headers)).status

  async function save(user: TestUser, fields: Readonly<Record<string, string>>): Promise<Response> {
    const person = await user.person()
    const page = await (await person.get(`/apps/${app}`)).text()
    return person.post(`/apps/${app}`, { csrf: hidden(page, 'csrf'), action: 'confirm', ...fields })
  }
  const row = (confirm: string, ...keys: string[]) => ({
    [`confirm.${endpoint}`]: confirm,
    [`shown.${endpoint}`]: 'yes',
    ...(keys[0] !== undefined && { [`never.${endpoint}`]: keys[0] }),
  })

  it('lets that key and what replaces it send, no other of the same person, and nobody once it is on again', async () => {
    const { user, other } = await two()
    expect((await save(user, row('', other.keyId))).status).toBe(303)
    expect([await reply(user), await reply(other)]).toEqual([202, 200])
    const heir = withKey(other, made(await rotateKey(stack.ctx, user.id, other.keyId, 24)))
    expect(await reply(heir)).toBe(200)

    const page = await (await (await user.person()).get(`/apps/${app}`)).text()
    expect(page).toMatch(/Never asks for .*Night robot/)
    expect(page).toMatch(new RegExp(`name="never.${endpoint}" value="${other.keyId}" checked`))
    expect(page).not.toContain('No key or program asks you')
    const log = await (await (await user.person()).get('/account')).text()
    expect(log).toMatch(/Never asks for.*Night robot/s)

    // It holds also beside “always asks”, where the page shows both.
    expect((await save(user, row('yes', other.keyId))).status).toBe(303)
    expect(await reply(heir, { 'Idempotency-Key': 'beside always' })).toBe(200)
    // A form without its ticks says nothing of it; with them, and none set, it is on again.
    expect((await save(user, { [`confirm.${endpoint}`]: '' })).status).toBe(303)
    expect(await reply(heir, { 'Idempotency-Key': 'says nothing' })).toBe(200)
    expect((await save(user, row(''))).status).toBe(303)
    expect([
      await reply(other, { 'Idempotency-Key': 'on' }),
      await reply(heir, { 'Idempotency-Key': 'on too' }),
    ]).toEqual([202, 202])
    expect(warnings()).toEqual([])
  })

  it('is no more than that where it was switched off for all: the page says so, and it stays for all', async () => {
    const { user, other } = await two()
    await setConfirm(stack.ctx, user.id, app, endpoint, { confirm: false })
    expect([await reply(user), await reply(other)]).toEqual([200, 200])
    const page = await (await (await user.person()).get(`/apps/${app}`)).text()
    expect(page).toContain('No key or program asks you, and future ones will not either.')
    expect(page).toMatch(/<option value="no" selected[^>]*>never asks, all keys and programs/)
  })

  it('is told by MCP as it is for the key that asks', async () => {
    const { user, other } = await two()
    await setConfirm(stack.ctx, user.id, app, endpoint, { keys: [other.keyId] })
    const told = async ({ key }: TestUser) => {
      const [agent, own] = await Promise.all(
        ['/mcp', `/mcp/${app}`].map((path) => Agent.connect(stack.publicUrl, key, { path })),
      )
      const hits = (await agent!.use('search_actions', { words: 'reply to a contact', app })).body['actions']
      const hit = (hits as readonly Record<string, unknown>[]).find(({ action }) => action === endpoint)
      const { body } = await agent!.use('get_action', { app, action: endpoint })
      const tool = (await own!.client.listTools()).tools.find(({ name }) => name === endpoint)
      const described = await own!.use('get_action', { app, action: endpoint })
      return [hit?.['confirm'], body['confirm'], described.body['confirm'], /approves/.test(tool?.description ?? '')]
    }
    expect(await told(user)).toEqual([true, true, true, true])
    expect(await told(other)).toEqual([false, false, false, false])
  })

  it('is never for a key of somebody else, nor for one that there is not', async () => {
    const { user } = await two()
    const stranger = await stack.user()
    for (const line of [stranger.keyId, 'key_none']) {
      await save(user, row('', line))
      expect([await reply(stranger), await reply(user)]).toEqual([202, 202])
      const { rows } = await stack.ctx.db.query('SELECT FROM key_switches WHERE owner = ANY ($1)', [
        [user.id, stranger.id],
      ])
      expect(rows).toEqual([])
    }
  })

  it('ends with the app’s connector, as all that was said in advance', async () => {
    const { user, other } = await two()
    await setConfirm(stack.ctx, user.id, app, endpoint, { keys: [other.keyId] })
    await expect(
      transaction(stack.ctx.db, async (db) => {
        await endInAdvance(db, app)
        const { rows } = await db.query('SELECT FROM key_switches WHERE owner = $1', [user.id])
        expect(rows).toEqual([])
        throw new Error('not for the other tests')
      }),
    ).rejects.toThrow('not for the other tests')
  })

  interface Proofs {
    readonly ofOther: string
    readonly ofAll: string
    readonly ofEndpoint: string
  }
  const forged: Readonly<Record<string, (proofs: Proofs) => string>> = {
    'an empty proof': () => '',
    'a made-up proof': () => `k1.${'A'.repeat(43)}`,
    'the proof of another key': ({ ofOther }) => ofOther,
    'the proof for all keys': ({ ofAll }) => ofAll,
    'the proof of another endpoint': ({ ofEndpoint }) => ofEndpoint,
  }

  it.for(Object.entries(forged))('in the database with %s: the call asks, and it is logged', async ([, forge]) => {
    const { user, other } = await two()
    const { ctx } = stack
    await setConfirm(ctx, user.id, app, endpoint, { confirm: false, keys: [other.keyId] })
    await setConfirm(ctx, user.id, app, 'archive_contact', { keys: [user.keyId] })
    const proofIn = async (table: string, of: string) =>
      (
        await ctx.db.query<{ proof: string }>(`SELECT proof FROM ${table} WHERE owner = $1 AND endpoint = $2`, [
          user.id,
          of,
        ])
      ).rows[0]?.proof ?? ''
    const proof = forge({
      ofOther: await proofIn('key_switches', endpoint),
      ofAll: await proofIn('endpoint_settings', endpoint),
      ofEndpoint: await proofIn('key_switches', 'archive_contact'),
    })
    await setConfirm(ctx, user.id, app, endpoint, { keys: [] })
    await ctx.db.query('INSERT INTO key_switches (owner, app, endpoint, key_line, proof) VALUES ($1, $2, $3, $4, $5)', [
      user.id,
      app,
      endpoint,
      user.keyId,
      proof,
    ])
    expect(await reply(user)).toBe(202)
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
    expect(warnings()).toHaveLength(1)
    const page = await (await (await user.person()).get(`/apps/${app}`)).text()
    expect(page).toContain('Callgate cannot verify any more that you chose it')
  })

  it('in the database with the proof of one key, for all: the call asks', async () => {
    const { user, other } = await two()
    await setConfirm(stack.ctx, user.id, app, endpoint, { keys: [other.keyId] })
    await stack.ctx.db.query(
      `UPDATE endpoint_settings e SET confirm = false, proof = s.proof FROM key_switches s
       WHERE e.owner = $1 AND s.owner = $1 AND e.endpoint = s.endpoint`,
      [user.id],
    )
    expect([await reply(user), await reply(other)]).toEqual([202, 200])
    expect(warnings()).toHaveLength(1)
  })

  it('holds no call back that asked nobody, until it is on again before the sending', async () => {
    const { user, other } = await two()
    await setConfirm(stack.ctx, user.id, app, endpoint, { keys: [other.keyId] })
    const contact_id = await firstContact(other)
    const held = async (message: string, then: () => Promise<void>) => {
      await setAppPaused(stack.ctx, app, true, 'operator')
      try {
        const answer = await other.call(endpoint, { contact_id, message }, { Prefer: 'wait=0' })
        expect(answer).toMatchObject({ status: 202, body: { status: 'running' } })
        await then()
        return answer.body['call_id']
      } finally {
        await setAppPaused(stack.ctx, app, false, 'operator')
      }
    }
    const goesOn = await held('Held, and off still.', async () => {})
    expect(await other.record(goesOn, 20)).toMatchObject({ status: 'executed' })
    const ends = await held('Held, and on again.', () =>
      setConfirm(stack.ctx, user.id, app, endpoint, { keys: [user.keyId] }),
    )
    expect(await other.record(ends, 20)).toMatchObject({ status: 'failed', error: { error: 'definition_changed' } })
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
  })
})
