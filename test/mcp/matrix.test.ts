import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../core/keys/rows.ts'
import { setScope } from '../../core/accounts/settings.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'
import { overHttp, overMcp } from './ways.ts'

const app = 'property-advertising'
let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

const ways = [
  overHttp,
  overMcp(() => stack, '2025', 'general'),
  overMcp(() => stack, '2026', 'general'),
  overMcp(() => stack, '2025', 'own'),
  overMcp(() => stack, '2026', 'own'),
]

describe.each(ways)('over $name', (way) => {
  afterAll(() => way.close())

  const effects = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)
  const note = async (user: TestUser, text = 'Called back') => ({
    endpoint: 'add_contact_note',
    input: { contact_id: await firstContact(user), note: text },
  })
  const reply = async (user: TestUser, message = 'Good evening') => ({
    endpoint: 'reply_to_contact',
    input: { contact_id: await firstContact(user), message },
  })

  it('a read answers with exactly the output, and costs one credit', async () => {
    const user = await stack.user()
    const outcome = await way.call(user, { endpoint: 'list_listings', input: { limit: 2 } })
    expect(outcome.became).toBe('executed')
    expect(Object.keys(outcome.body)).toEqual(['listings', 'next_cursor'])
    expect(outcome.body['listings']).toHaveLength(2)
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 1, reserved: 0 })
    const more = { limit: 2, cursor: outcome.body['next_cursor'] }
    const next = await way.call(user, { endpoint: 'list_listings', input: more })
    expect(next.became).toBe('executed')
    expect(next.body['listings']).not.toEqual(outcome.body['listings'])
  })

  it('a write without approval is done at once', async () => {
    const user = await stack.user()
    const outcome = await way.call(user, await note(user))
    expect([outcome.became, outcome.replayed]).toEqual(['executed', false])
    expect(outcome.callId).toMatch(/^call_/)
    expect(await effects(user)).toHaveLength(1)
  })

  it('wrong input is told field by field, and runs nothing', async () => {
    const user = await stack.user()
    const outcome = await way.call(user, { endpoint: 'list_listings', input: { limit: 0, misspelled: 1 } })
    expect(outcome.became).toBe('invalid_input')
    expect(outcome.body['details']).toEqual([
      { path: 'misspelled', message: expect.stringContaining('not') as string },
      { path: 'limit', message: 'must be a whole number from 1 to 100' },
    ])
    const madeUp = await way.call(user, { endpoint: 'list_listings', input: { cursor: 'made-up' } })
    expect(madeUp.became).toBe('invalid_input')
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 0, reserved: 0 })
  })

  it('what the owner does not allow is SCOPE_DENIED', async () => {
    const user = await stack.user()
    const wanted = await note(user)
    await setScope(stack.ctx, user.id, app, 'read')
    expect((await way.call(user, wanted)).became).toBe('SCOPE_DENIED')
    expect((await way.call(user, { endpoint: 'list_contacts' })).became).toBe('executed')
  })

  it('a key without access to the app is access_not_granted, with the link to ask for it', async () => {
    const user = await stack.user({ apps: ['crm'] })
    const outcome = await way.call(user, { endpoint: 'list_listings' })
    expect(outcome.became).toBe('access_not_granted')
    expect(outcome.body['request_access_url']).toBe(`${stack.publicUrl}/access/${app}?key=${user.keyId}`)
  })

  it('an app that is not connected is AUTH_REQUIRED, with the link to connect it', async () => {
    const user = await stack.user({ accounts: [] })
    const outcome = await way.call(user, { endpoint: 'list_listings' })
    expect(outcome.became).toBe('AUTH_REQUIRED')
    expect(outcome.body['connect_url']).toBe(`${stack.publicUrl}/connect/${app}`)
  })

  it('of two accounts one must be picked', async () => {
    const user = await stack.user({ accounts: ['agency', 'private'] })
    const asked = await way.call(user, { endpoint: 'list_listings' })
    expect(asked.became).toBe('account_required')
    expect(asked.body['accounts']).toHaveLength(2)
    expect(asked.body['message']).toBe(`Pick one of accounts with ${way.terms[0]}.`)
    const picked = await way.call(user, { endpoint: 'list_listings', account: user.accounts[1]!.id })
    expect(picked.became).toBe('executed')
    const none = await way.call(user, { endpoint: 'list_listings', account: 'acct_none' })
    expect([none.became, none.body['message']]).toEqual([
      'unknown_account',
      expect.stringContaining(`Leave ${way.terms[0]} out`),
    ])
  })

  it('without credits nothing runs', async () => {
    const user = await stack.user({ plan: 'none' })
    const outcome = await way.call(user, { endpoint: 'list_listings' })
    expect(outcome.became).toBe('insufficient_credits')
    expect(outcome.body).toMatchObject({ credits_left: 0 })
  })

  it('what the app itself refuses is app_rejected, with its words', async () => {
    const user = await stack.user()
    const outcome = await way.call(user, { endpoint: 'get_listing', input: { listing_id: 'none' } })
    expect(outcome.became).toBe('app_rejected')
    expect(outcome.body).toHaveProperty('app_message')
    expect((await way.record(user, outcome.callId!)).became).toBe('failed')
  })

  it('a refusal that is told again says what a new try needs', async () => {
    const user = await stack.user()
    const wanted = { endpoint: 'add_contact_note', input: { contact_id: 'none', note: 'Called back' }, key: 'once' }
    const first = await way.call(user, wanted)
    const again = await way.call(user, wanted)
    expect([again.became, again.callId, again.replayed]).toEqual(['app_rejected', first.callId, true])
    expect(again.body['message']).toBe(
      `${String(first.body['message'])} This is the first answer again: a new try needs a new ${way.terms[1]}.`,
    )
  })

  it('the same key and content is the same call; other content is refused', async () => {
    const user = await stack.user()
    const wanted = { ...(await note(user)), key: 'once' }
    const first = await way.call(user, wanted)
    const again = await way.call(user, wanted)
    expect([again.became, again.callId, again.replayed]).toEqual(['executed', first.callId, true])
    expect(again.body).toEqual(first.body)
    const other = await way.call(user, { ...(await note(user, 'Something else')), key: 'once' })
    expect(other.became).toBe('idempotency_key_reused')
    expect(other.body['message']).toContain(`This ${way.terms[1]} belongs to another request.`)
    expect(await effects(user)).toHaveLength(1)
    const long = await way.call(user, { ...wanted, key: 'k'.repeat(256) })
    expect(long.became).toBe('invalid_input')
  })

  it('a confirm call sends nothing until the person approved it, and is asked for once', async () => {
    const user = await stack.user()
    const wanted = await reply(user)
    const asked = await way.call(user, wanted)
    expect(asked.became).toBe('awaiting_confirmation')
    expect(asked.body['message']).toContain('Nothing has been sent yet')
    expect(asked.body['confirm_url']).toBe(`${stack.publicUrl}/confirm/${asked.callId}`)
    const again = await way.call(user, wanted)
    expect([again.callId, again.replayed]).toEqual([asked.callId, true])
    expect((await way.record(user, asked.callId!)).became).toBe('awaiting_confirmation')
    expect(await effects(user)).toEqual([])
    const end = way.record(user, asked.callId!, 20)
    expect((await user.approve(asked.callId)).status).toBe(303)
    expect(await end).toMatchObject({ became: 'executed', body: { output: { contact_id: wanted.input.contact_id } } })
    expect(await effects(user)).toHaveLength(1)
  })

  it('a rejected call sends nothing', async () => {
    const user = await stack.user()
    const { callId } = await way.call(user, await reply(user))
    await user.reject(callId)
    expect((await way.record(user, callId!, 10)).became).toBe('rejected')
    expect(await effects(user)).toEqual([])
  })

  it('a waiting call can be cancelled, once, by its owner only', async () => {
    const [user, stranger] = [await stack.user(), await stack.user({ accounts: [] })]
    const { callId } = await way.call(user, await reply(user))
    for (const id of [callId!, 'call_00000000000000000000000000', 'nonsense']) {
      expect((await way.record(stranger, id)).became).toBe('unknown_call')
      expect((await way.cancel(stranger, id)).became).toBe('unknown_call')
    }
    expect((await way.cancel(user, callId!)).became).toBe('cancelled')
    expect((await way.cancel(user, callId!)).became).toBe('not_cancellable')
    expect((await user.approve(callId).catch(() => undefined))?.status).not.toBe(303)
    expect(await effects(user)).toEqual([])
  })

  it('a key that was revoked ends at once', async () => {
    const user = await stack.user()
    expect((await way.call(user, { endpoint: 'list_listings' })).became).toBe('executed')
    await revokeKey(stack.ctx, user.id, user.keyId)
    const refused = await way.call(user, { endpoint: 'list_listings' }).then(({ became }) => became, String)
    expect(refused).toContain('api_key_invalid')
  })

  it('a key makes 60 calls a minute', async () => {
    const user = await stack.user({ accounts: [] })
    const outcomes = await Promise.all(Array.from({ length: 63 }, () => way.call(user, { endpoint: 'list_listings' })))
    expect(outcomes.filter(({ became }) => became === 'AUTH_REQUIRED')).toHaveLength(60)
    expect(outcomes.filter(({ became }) => became === 'rate_limited')).toHaveLength(3)
  })
})

describe.each(ways.filter(({ name }) => !name.endsWith('own tools')))('over $name', (way) => {
  it('an app or endpoint that is not there is told with those that are', async () => {
    const user = await stack.user({ accounts: [] })
    const noApp = await way.call(user, { app: 'no-such-app', endpoint: 'list_listings' })
    expect(noApp.became).toBe('unknown_app')
    expect(noApp.body['valid_names']).toContain(app)
    // Who reads the whole answer need not be told twice.
    expect(String(noApp.body['message']).includes(app)).toBe(way.name === 'HTTP')
    const noEndpoint = await way.call(user, { endpoint: 'no_such' })
    expect(noEndpoint.became).toBe('unknown_endpoint')
    expect(noEndpoint.body['valid_names']).toContain('list_listings')
    await way.close()
  })
})
