import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../core/keys/rows.ts'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { setScope } from '../../core/accounts/settings.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { setCredits } from '../support/credits.ts'
import { balancedLedger } from '../support/ledger.ts'
import { withinOneDay } from '../support/one-day.ts'
import { TestUser } from '../support/user.ts'
import type { Answer } from '../support/user.ts'

const app = 'property-advertising'
const impatient = { Prefer: 'wait=0' }

describe('what a caller may do', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  /** Refused before acceptance: no call, no reservation, no key of idempotency. */
  async function expectRefused(user: TestUser, answer: Answer, status: number, code: string): Promise<void> {
    expect(answer.body).toMatchObject({ error: code, message: expect.stringMatching(/\w+ \w+/) })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('X-Request-Id')).toMatch(/^req_/)
    expect(answer.headers.get('X-Credits-Used')).toBe('0')
    expect(answer.headers.get('Link')).toBe(`<${stack.publicUrl}/docs/${app}>; rel="describedby"`)
    const { rows } = await stack.ctx.db.query(
      `SELECT (SELECT count(*)::integer FROM calls WHERE owner = $1 AND error_code = $2) AS calls,
         (SELECT count(*)::integer FROM idempotency_keys WHERE owner = $1) AS keys`,
      [user.id, code],
    )
    expect(rows).toEqual([{ calls: 0, keys: 0 }])
  }

  const written = async (user: TestUser): Promise<number | null> =>
    (await stack.ctx.db.query('SELECT 1 FROM calls WHERE owner = $1', [user.id])).rowCount

  describe('with two accounts of one app', () => {
    it('has to pick one, and the refusal names both', async () => {
      const user = await stack.user({ accounts: ['private', 'agency'] })
      const answer = await user.call('list_listings', {}, { 'Idempotency-Key': 'two' })
      await expectRefused(user, answer, 409, 'account_required')
      const named = user.accounts.map(({ id, seeded }) => ({ account: id, label: seeded.label }))
      const sorted = named.toSorted((a, b) => (a.account < b.account ? -1 : 1))
      expect(answer.body['accounts']).toEqual(sorted)
      expect(await written(user)).toBe(0)
    })

    it('acts as the one that it picks', async () => {
      const user = await stack.user({ accounts: ['private', 'agency'] })
      const listings = await Promise.all(
        user.accounts.map(async ({ id }) => {
          const { status, headers, body } = await user.call('list_listings', {}, { 'X-Callgate-Account': id })
          expect(status).toBe(200)
          expect(await user.record(headers.get('X-Request-Id'))).toMatchObject({ account: id })
          return (body['listings'] as { listing_id: string }[]).map(({ listing_id }) => listing_id)
        }),
      )
      const [mine = [], agencys = []] = listings
      expect(mine.length).toBeGreaterThan(0)
      expect(agencys.length).toBeGreaterThan(0)
      expect(mine.filter((listing) => agencys.includes(listing))).toEqual([])
    })

    it('writes, and asks the person, for the one that it picks', async () => {
      const user = await stack.user({ accounts: ['private', 'agency'] })
      const [first, second] = user.accounts
      const pick = { 'X-Callgate-Account': second?.id ?? '' }
      const contact = await firstContact(user, pick)
      const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Hello' }, pick)
      expect(asked.status).toBe(202)
      const page = await (await (await user.person()).get(`/confirm/${String(asked.body['call_id'])}`)).text()
      expect(page).toContain(second?.seeded.label)
      expect(page).not.toContain(first?.seeded.label)
      await user.approve(asked.body['call_id'])
      expect(await user.record(asked.body['call_id'], 20)).toMatchObject({ status: 'executed', account: second?.id })
      expect(await stack.sandbox.effects(second?.seeded.account)).toHaveLength(1)
      expect(await stack.sandbox.effects(first?.seeded.account)).toEqual([])
    })
  })

  it('an account that is not one’s own is unknown, whosever it is', async () => {
    const [user, other] = [await stack.user(), await stack.user()]
    for (const account of [other.account.id, 'acct_00000000000000000000000000', '', 'nonsense']) {
      const answer = await user.call('list_listings', {}, { 'X-Callgate-Account': account })
      await expectRefused(user, answer, 404, 'unknown_account')
    }
    expect(await written(user)).toBe(0)
  })

  it('a private account meets the app’s own refusal where agencies only may go', async () => {
    const user = await stack.user({ accounts: ['private'] })
    const answer = await user.call('list_demands')
    expect(answer.body).toMatchObject({
      error: 'app_rejected',
      app_code: expect.stringMatching(/\w/),
      app_message: expect.stringMatching(/\w/),
      request_id: expect.stringMatching(/^call_/),
    })
    expect(answer.status).toBe(422)
    expect(answer.headers.get('X-Credits-Used')).toBe('0')
    expect(await user.record(answer.body['request_id'])).toMatchObject({ status: 'failed', credits_used: 0 })
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 0, reserved: 0 })
  })

  it('no account: AUTH_REQUIRED with the page where the person connects one', async () => {
    const user = await stack.user({ accounts: [] })
    const answer = await user.call('list_listings', {}, { 'Idempotency-Key': 'none' })
    await expectRefused(user, answer, 409, 'AUTH_REQUIRED')
    expect(answer.body['connect_url']).toBe(`${stack.publicUrl}/connect/${app}`)
    const page = await (await user.person()).get(`/connect/${app}`)
    expect(page.status).toBe(200)
    expect(await written(user)).toBe(0)
  })

  it('a key without access to the app: access_not_granted with links, before anything else is told', async () => {
    const user = await stack.user({ apps: [] })
    const answer = await user.call('list_listings', {}, { 'X-Callgate-Account': 'nonsense' })
    await expectRefused(user, answer, 403, 'access_not_granted')
    expect(answer.body).toMatchObject({
      request_access_url: `${stack.publicUrl}/access/${app}?key=${user.keyId}`,
      docs_url: `${stack.publicUrl}/docs/${app}`,
    })
    expect((await (await user.person()).get(`/access/${app}?key=${user.keyId}`)).status).toBe(200)
    expect((await fetch(String(answer.body['docs_url']))).status).toBe(200)
    const { key, id: keyId } = await createKey(stack.ctx, { owner: user.id, name: 'wider', apps: [app] })
    const { id, email, password, accounts, publicUrl } = user
    const wider = new TestUser({ id, email, password, accounts, publicUrl, key, keyId })
    expect((await wider.call('list_listings')).status).toBe(200)
  })

  it('an action outside the scope: SCOPE_DENIED, for writes or for all that was not chosen', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const note = { contact_id: contact, note: 'Not allowed' }
    await setScope(stack.ctx, user.id, app, 'read')
    await expectRefused(user, await user.call('add_contact_note', note), 403, 'SCOPE_DENIED')
    await expectRefused(
      user,
      await user.call('reply_to_contact', { contact_id: contact, message: 'No' }),
      403,
      'SCOPE_DENIED',
    )
    expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
    await setScope(stack.ctx, user.id, app, 'chosen', ['add_contact_note'])
    await expectRefused(user, await user.call('list_listings'), 403, 'SCOPE_DENIED')
    expect((await user.call('add_contact_note', note)).status).toBe(200)
    // Another owner's scope is another owner's.
    expect((await (await stack.user()).call('list_listings')).status).toBe(200)
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
  })

  describe('credits', () => {
    beforeEach(() => withinOneDay())

    it('none left: 402, nothing written, and the answer says when there are more', async () => {
      const user = await stack.user({ plan: 'none' })
      for (const [name, input] of [
        ['list_listings', {}],
        ['reply_to_contact', { contact_id: '10004', message: 'Hello' }],
      ] as const) {
        const answer = await user.call(name, input, { 'Idempotency-Key': name })
        await expectRefused(user, answer, 402, 'insufficient_credits')
        expect(answer.body).toMatchObject({ credits_left: 0 })
        const next = new Date(String(answer.body['next_credits_at']))
        expect([next.getUTCDate(), next.getUTCHours(), next > new Date()]).toEqual([1, 0, true])
      }
      expect(await written(user)).toBe(0)
      expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 0, reserved: 0 })
    })

    it('ten, and 30 reads at once: exactly ten run', async () => {
      const user = await stack.user({ plan: 'none' })
      await setCredits(stack.ctx, user.id, 10)
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => user.call('list_listings', { limit: 1 }, { Prefer: 'wait=50' })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
      const refused = answers.filter(({ status }) => status === 402)
      expect(refused).toHaveLength(20)
      for (const { body } of refused) expect(body).toMatchObject({ error: 'insufficient_credits', credits_left: 0 })
      expect(await written(user)).toBe(10)
      expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 10, reserved: 0 })
    })

    it('that a waiting call holds are free again when the person rejects it', async () => {
      const user = await stack.user({ plan: 'none' })
      await setCredits(stack.ctx, user.id, 4)
      const contact = await firstContact(user)
      const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Hello' })
      expect((await user.call('list_listings')).status).toBe(402)
      await user.reject(asked.body['call_id'])
      expect((await user.call('list_listings')).status).toBe(200)
      expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 2, reserved: 0 })
    })
  })

  describe('the caps', () => {
    it('50 running calls: one more is refused until one is gone, and Confirm calls do not count', async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      await setAppPaused(stack.ctx, app, true, 'operator')
      try {
        const answers = await Promise.all(
          Array.from({ length: 55 }, () => user.call('list_listings', { limit: 1 }, impatient)),
        )
        const running = answers.filter(({ status }) => status === 202)
        expect(running).toHaveLength(50)
        const refused = answers.filter(({ status }) => status !== 202)
        expect(refused).toHaveLength(5)
        for (const answer of refused) {
          await expectRefused(user, answer, 409, 'too_many_running')
          expect(answer.body).toMatchObject({ limit: 50 })
          expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
        }
        const [first] = running
        expect(await user.record(first?.body['call_id'])).toMatchObject({ status: 'running', waiting_for: 'operator' })
        expect((await user.call('reply_to_contact', { contact_id: contact, message: 'Hi' })).status).toBe(202)
        expect((await user.cancel(first?.body['call_id'])).body).toMatchObject({ status: 'cancelled' })
        expect((await user.call('list_listings', {}, impatient)).status).toBe(202)
        expect((await user.call('list_listings', {}, impatient)).status).toBe(409)
        const rest = await Promise.all(running.slice(1).map(({ body }) => user.cancel(body['call_id'])))
        expect(new Set(rest.map(({ body }) => body['status']))).toEqual(new Set(['cancelled']))
      } finally {
        await setAppPaused(stack.ctx, app, false, 'operator')
      }
      const { captured, reserved } = await balancedLedger(stack.ctx, user.id)
      expect([captured <= 2, reserved <= 4]).toEqual([true, true])
    })

    it('1,000 waiting calls: one more is refused, reads are not', async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'One of many' })
      // The rest are copies of its row, for asking 1,000 times takes 17 minutes at 60 a minute.
      await stack.ctx.db.query(
        `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, input, content_hash, credits, check_at)
         SELECT 'call_copy' || n, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, input, content_hash, 0, NULL
         FROM calls, generate_series(1, 999) AS n WHERE id = $1`,
        [asked.body['call_id']],
      )
      const refused = await user.call('reply_to_contact', { contact_id: contact, message: 'One too many' })
      await expectRefused(user, refused, 409, 'too_many_waiting')
      expect(refused.body).toMatchObject({ limit: 1_000 })
      expect((await user.call('list_listings')).status).toBe(200)
      await user.reject(asked.body['call_id'])
      expect((await user.call('reply_to_contact', { contact_id: contact, message: 'Now' })).status).toBe(202)
    })
  })
})
