import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, disconnect } from '../../core/accounts/sessions.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'

describe('Idempotency-Key', () => {
  let stack: Stack
  let secondApi: string
  beforeAll(async () => {
    stack = await startStack()
    secondApi = await stack.anotherApi()
  })
  afterAll(() => stack.stop())

  it('makes 50 equal posts at once, over two processes, one call with one charge and one effect', async () => {
    const user = await stack.user()
    const input = { contact_id: await firstContact(user), note: 'Fifty times' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const response = await fetch(`${i % 2 ? secondApi : stack.url}/property-advertising/add_contact_note`, {
          method: 'POST',
          headers: { 'X-API-Key': user.key, 'Content-Type': 'application/json', 'Idempotency-Key': 'fifty' },
          body: JSON.stringify(input),
        })
        return { status: response.status, headers: response.headers, text: await response.text() }
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers.get('X-Request-Id'))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).toHaveLength(49)
    expect(new Set(answers.map(({ headers }) => headers.get('X-Credits-Used')))).toEqual(new Set(['3']))
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 4, reserved: 0 })
  })

  it('refuses the same key with other content, another endpoint or another account header', async () => {
    const user = await stack.user()
    const key = { 'Idempotency-Key': 'once' }
    const contact = await firstContact(user)
    expect((await user.call('add_contact_note', { contact_id: contact, note: 'One' }, key)).status).toBe(200)
    const others = [
      user.call('add_contact_note', { contact_id: contact, note: 'Two' }, key),
      user.call('mark_contact_handled', { contact_id: contact }, key),
      user.call(
        'add_contact_note',
        { contact_id: contact, note: 'One' },
        { ...key, 'X-Callgate-Account': user.account.id },
      ),
    ]
    for (const other of await Promise.all(others)) {
      expect([other.status, other.body['error']]).toEqual([422, 'idempotency_key_reused'])
    }
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
  })

  it('is the owner’s own: another owner may use the same key', async () => {
    const [one, two] = [await stack.user(), await stack.user()]
    const key = { 'Idempotency-Key': 'shared words' }
    const first = await one.call('list_listings', {}, key)
    const second = await two.call('list_listings', {}, key)
    expect(second.headers.get('Idempotent-Replayed')).toBeNull()
    expect(second.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'))
  })

  it('replays a failed call as failed, and says that a new try needs a new key', async () => {
    const user = await stack.user()
    const key = { 'Idempotency-Key': 'will fail' }
    const first = await user.call('get_listing', { listing_id: 'nothing-like-this' }, key)
    expect([first.status, first.body['error']]).toEqual([422, 'app_rejected'])
    const again = await user.call('get_listing', { listing_id: 'nothing-like-this' }, key)
    expect([again.status, again.body['error']]).toEqual([422, 'app_rejected'])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(again.body['message']).toMatch(/new Idempotency-Key/i)
    expect(again.headers.get('X-Request-Id')).toBe(first.headers.get('X-Request-Id'))
  })

  it.each([['no account named'], ['its account named']])(
    'is answered with its call, %s, whatever became of the account: disconnected, one of two, paused',
    async (how) => {
      const user = await stack.user({ accounts: ['private', 'agency'] })
      const { id, seeded } = user.account
      const second = user.accounts[1]!
      await disconnect(stack.ctx, user.id, second.id)
      const named: Record<string, string> = how === 'its account named' ? { 'X-Callgate-Account': id } : {}
      const ask = (key: string) => user.call('list_listings', { limit: 1 }, { ...named, 'Idempotency-Key': key })
      const first = await ask('kept')
      expect(first.status).toBe(200)
      const expectKept = async (): Promise<void> => {
        const again = await ask('kept')
        expect([again.status, again.body]).toEqual([200, first.body])
        expect(again.headers.get('X-Request-Id')).toBe(first.headers.get('X-Request-Id'))
        expect(again.headers.get('Idempotent-Replayed')).toBe('true')
      }

      await stack.ctx.db.query(
        `INSERT INTO pauses (account, endpoint, until, seconds) VALUES ($1, 'list_listings', now() + interval '1 hour', 60)`,
        [id],
      )
      expect((await ask('while paused')).body['error']).toBe('TARGET_BLOCKED')
      await expectKept()

      const { account: externalId, label, session } = second.seeded
      const anew = await connect(stack.ctx, { owner: user.id, app: stack.sandbox.slug, externalId, label, session })
      if (how === 'no account named') expect((await ask('one of two')).body['error']).toBe('account_required')
      await expectKept()

      await disconnect(stack.ctx, user.id, anew)
      await disconnect(stack.ctx, user.id, id)
      const gone = how === 'no account named' ? 'AUTH_REQUIRED' : 'unknown_account'
      expect((await ask('none')).body['error']).toBe(gone)
      await expectKept()
      expect(await stack.sandbox.effects(seeded.account)).toEqual([])
    },
  )

  it('is not used up by a refusal', async () => {
    const user = await stack.user({ accounts: [] })
    const key = { 'Idempotency-Key': 'refused first' }
    expect((await user.call('list_listings', {}, key)).body['error']).toBe('AUTH_REQUIRED')
    const { rows } = await stack.ctx.db.query('SELECT 1 FROM idempotency_keys WHERE owner = $1', [user.id])
    expect(rows).toEqual([])
  })

  it('says call_in_progress, after 5 s, when the first request with the key is still being accepted', async () => {
    const user = await stack.user()
    const client = await stack.ctx.db.connect()
    try {
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO idempotency_keys (owner, line, turn, key, request_hash, call_id)
         VALUES ($1, $2, 0, 'slow', '\\x00', 'call_undecided')`,
        [user.id, user.keyId],
      )
      const began = Date.now()
      const answer = await user.call('list_listings', {}, { 'Idempotency-Key': 'slow' })
      expect([answer.status, answer.body['error']]).toEqual([409, 'call_in_progress'])
      expect(Date.now() - began).toBeGreaterThanOrEqual(4_900)
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    expect((await user.call('list_listings', {}, { 'Idempotency-Key': 'slow' })).status).toBe(200)
  })
})
