import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setConfirm } from '../../core/accounts/settings.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'

describe('deciding', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)

  async function asked(user: TestUser, message = 'Yes, gladly.', headers = {}): Promise<string> {
    const contact = await firstContact(user)
    const answer = await user.call('reply_to_contact', { contact_id: contact, message }, headers)
    expect(answer.status).toBe(202)
    return String(answer.body['call_id'])
  }

  it('shows nothing sent until the person approves, and the 202 says when the time is over', async () => {
    const user = await stack.user()
    const callId = await asked(user)
    const record = await user.record(callId)
    expect(record).toMatchObject({
      call_id: callId,
      app,
      endpoint: 'reply_to_contact',
      account: user.account.id,
      status: 'awaiting_confirmation',
      confirm_url: `${stack.publicUrl}/confirm/${callId}`,
      credits_used: 0,
    })
    const open = Date.parse(String(record['expires_at'])) - Date.parse(String(record['created_at']))
    expect(Math.abs(open - 72 * 3_600_000)).toBeLessThan(1_000)
    expect(await effectsOf(user)).toEqual([])
    expect((await balancedLedger(stack.ctx, user.id)).reserved).toBe(3)
  })

  it('starts a timer of 72 hours', async () => {
    const user = await stack.user()
    const callId = await asked(user)
    const timersOf = async () => {
      const history = await stack.ctx.temporal.workflow.getHandle(callId).fetchHistory()
      return (history.events ?? []).flatMap(({ timerStartedEventAttributes }) => timerStartedEventAttributes ?? [])
    }
    await expect.poll(timersOf).toHaveLength(1)
    const timers = await timersOf()
    // Its run may have begun a while after the call was accepted.
    const seconds = Number(timers[0]?.startToFireTimeout?.seconds)
    expect(Math.abs(seconds - 72 * 3_600)).toBeLessThan(60)
  })

  it('rejects: nothing is sent, nothing is charged', async () => {
    const user = await stack.user()
    const callId = await asked(user)
    expect((await user.reject(callId)).status).toBe(303)
    expect(await user.record(callId, 10)).toMatchObject({ status: 'rejected', credits_used: 0 })
    expect((await user.approve(callId).catch(() => undefined))?.status ?? 409).toBe(409)
    expect(await effectsOf(user)).toEqual([])
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 1, reserved: 0 })
    await stack.ctx.temporal.workflow.getHandle(callId).result()
  })

  it('expires after the time that the owner set, and refuses a late approval', async () => {
    const user = await stack.user()
    const person = await user.person()
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { expirySeconds: 4 })
    const callId = await asked(user)
    const form = await person.confirmForm(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'expired', credits_used: 0 })
    const late = await person.post(`/confirm/${callId}`, { ...form, decision: 'approve' })
    expect(late.status).toBe(409)
    expect(await effectsOf(user)).toEqual([])
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 1, reserved: 0 })
  })

  it('cancels a waiting call, once, and tells whoever cancels a final one', async () => {
    const user = await stack.user()
    const callId = await asked(user)
    const cancelled = await user.cancel(callId)
    expect(cancelled.status).toBe(200)
    expect(cancelled.body).toMatchObject({ call_id: callId, status: 'cancelled', credits_used: 0 })
    const again = await user.cancel(callId)
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ error: 'not_cancellable' })
    expect(await effectsOf(user)).toEqual([])
    await balancedLedger(stack.ctx, user.id)
    await stack.ctx.temporal.workflow.getHandle(callId).result()
  })

  it('gives two racing decisions one winner, and tells the other so', async () => {
    const user = await stack.user()
    const person = await user.person()
    for (let round = 0; round < 5; round++) {
      const callId = await asked(user, `Round ${round}`)
      const form = await person.confirmForm(callId)
      const [approval, rejection] = await Promise.all([
        person.post(`/confirm/${callId}`, { ...form, decision: 'approve' }),
        person.post(`/confirm/${callId}`, { ...form, decision: 'reject' }),
      ])
      expect(new Set([approval.status, rejection.status])).toEqual(new Set([303, 409]))
      const record = await user.record(callId, 20)
      expect(record['status']).toBe(approval.status === 303 ? 'executed' : 'rejected')
      const sent = (await effectsOf(user)).filter(({ body }) => JSON.stringify(body).includes(`Round ${round}`))
      expect(sent).toHaveLength(approval.status === 303 ? 1 : 0)
    }
    await balancedLedger(stack.ctx, user.id)
  })

  it('does not ask twice for an equal call that waits, unless it brings a key of its own', async () => {
    const user = await stack.user()
    const first = await asked(user, 'Same text')
    const contact = await firstContact(user)
    const input = { contact_id: contact, message: 'Same text' }
    const same = await user.call('reply_to_contact', input)
    expect(same.status).toBe(202)
    expect(same.body['call_id']).toBe(first)
    expect(same.headers.get('Idempotent-Replayed')).toBe('true')
    const meant = await user.call('reply_to_contact', input, { 'Idempotency-Key': 'a-second-one' })
    expect(meant.status).toBe(202)
    expect(meant.body['call_id']).not.toBe(first)
    expect(meant.headers.get('Idempotent-Replayed')).toBeNull()
    const page = await (await (await user.person()).get(`/confirm/${first}`)).text()
    expect(page).toMatch(/two|2 /i)
  })

  it('asks anew for what waits but could not be sent any more', async () => {
    const { revokeKey, createKey } = await import('../../core/keys/rows.ts')
    const { rotateKey } = await import('../../core/keys/keys.ts')
    const { setKeyApps } = await import('../../core/keys/limits.ts')
    const user = await stack.user()
    const contact = await firstContact(user)
    const { ctx, url } = stack
    const other = await createKey(ctx, { owner: user.id, name: 'second', apps: null })
    const ask = async (message: string, key = other.key): Promise<[unknown, string | null]> => {
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ contact_id: contact, message })
      const answer = await fetch(`${url}/${app}/reply_to_contact`, { method: 'POST', headers, body })
      const { status, call_id } = (await answer.json()) as Record<string, unknown>
      expect(status).toBe('awaiting_confirmation')
      return [call_id, answer.headers.get('Idempotent-Replayed')]
    }
    // Told to the key that replaced its own, as long as one of them may still make it.
    const after = async (id: string) => {
      const made = await rotateKey(ctx, user.id, id, 24)
      if (typeof made !== 'object') throw new Error('the key was not replaced')
      return made
    }
    const heir = await after(other.id)
    const [first] = await ask('Of a key that is gone')
    await revokeKey(ctx, user.id, other.id)
    expect(await ask('Of a key that is gone', heir.key)).toEqual([first, 'true'])
    const youngest = await after(heir.id)
    await setKeyApps(ctx, user.id, youngest.id, ['crm'])
    const [second] = await ask('Of a key that is gone', heir.key)
    expect(second).not.toBe(first)
    await user.approve(String(second))
    const answer = await fetch(`${url}/calls/${String(second)}?wait=20`, { headers: { 'X-API-Key': heir.key } })
    expect(await answer.json()).toMatchObject({ status: 'executed' })
  })

  it('runs at once what the owner freed from confirmation, and asks where they switched it on', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { confirm: false })
    expect((await user.call('reply_to_contact', { contact_id: contact, message: 'Hi' })).status).toBe(200)
    await setConfirm(stack.ctx, user.id, app, 'add_contact_note', { confirm: true })
    expect((await user.call('add_contact_note', { contact_id: contact, note: 'Hm' })).status).toBe(202)
  })

  it('cancels an approved call that a paused app still holds, and an operator sees why it waits', async () => {
    const { setAppPaused } = await import('../../core/operators/pauses.ts')
    const user = await stack.user()
    const callId = await asked(user)
    const other = await asked(user, 'Another one')
    await setAppPaused(stack.ctx, app, true, 'operator')
    try {
      await user.approve(callId)
      await user.approve(other)
      expect(await user.record(callId)).toMatchObject({ status: 'running', waiting_for: 'operator' })
      expect((await user.cancel(callId)).status).toBe(200)
      // The run ends too, although the queue stands still.
      await stack.ctx.temporal.workflow.getHandle(callId).result()
    } finally {
      await setAppPaused(stack.ctx, app, false, 'operator')
    }
    expect(await user.record(other, 20)).toMatchObject({ status: 'executed' })
    expect(await effectsOf(user)).toHaveLength(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('shows a stranger the same as for a call that never was', async () => {
    const [user, stranger] = [await stack.user(), await stack.user()]
    const callId = await asked(user)
    for (const id of [callId, 'call_00000000000000000000000000', 'nonsense']) {
      const seen = await stranger.send('GET', `/calls/${id}`)
      expect([seen.status, seen.body['error']]).toEqual([404, 'unknown_call'])
      const cancelled = await stranger.cancel(id)
      expect([cancelled.status, cancelled.body['error']]).toEqual([404, 'unknown_call'])
      const person = await stranger.person()
      expect((await person.get(`/confirm/${id}`)).status).toBe(404)
      const form = { csrf: 'x', approval_hash: 'x', decision: 'approve' }
      expect((await person.post(`/confirm/${id}`, form)).status).toBe(404)
    }
    expect(await user.record(callId)).toMatchObject({ status: 'awaiting_confirmation' })
  })

  it('refuses what is no longer allowed between the approval and the send', async () => {
    const { revokeKey, createKey } = await import('../../core/keys/rows.ts')
    const { setKeyApps, setKeyEndpoints, setKeyRights } = await import('../../core/keys/limits.ts')
    const { setScope } = await import('../../core/accounts/settings.ts')
    const { disconnect } = await import('../../core/accounts/sessions.ts')
    const reads = { [app]: ['list_contacts'] }
    const changes: readonly [string, (user: TestUser, callId: string) => Promise<unknown>, string?][] = [
      ['api_key_invalid', (user) => revokeKey(stack.ctx, user.id, user.keyId)],
      ['access_not_granted', (user) => setKeyApps(stack.ctx, user.id, user.keyId, [])],
      ['SCOPE_DENIED', (user) => setScope(stack.ctx, user.id, app, 'read')],
      ['SCOPE_DENIED', (user) => setKeyRights(stack.ctx, user.id, user.keyId, true), '/keys#key_'],
      ['SCOPE_DENIED', (user) => setKeyEndpoints(stack.ctx, user.id, user.keyId, reads), `/actions#${app}`],
      ['AUTH_REQUIRED', (user) => disconnect(stack.ctx, user.id, user.account.id)],
    ]
    for (const [code, change, where = `/apps/${app}`] of changes) {
      const user = await stack.user()
      const callId = await asked(user)
      await change(user, callId)
      await user.approve(callId)
      await stack.ctx.temporal.workflow.getHandle(callId).result()
      const reader = await createKey(stack.ctx, { owner: user.id, name: 'second', apps: null, seesAll: true })
      const answer = await fetch(`${stack.url}/calls/${callId}`, { headers: { 'X-API-Key': reader.key } })
      const links = {
        access_not_granted: { request_access_url: `/access/${app}?key=${user.keyId}`, docs_url: `/docs/${app}` },
        SCOPE_DENIED: { message: where, widen_url: where },
        AUTH_REQUIRED: { connect_url: `/connect/${app}` },
      }[code]
      const told = Object.entries(links ?? {}).map(([field, link]) => [field, expect.stringContaining(link) as string])
      expect(await answer.json()).toMatchObject({
        status: 'failed',
        error: { error: code, ...Object.fromEntries(told) },
        credits_used: 0,
      })
      expect(await effectsOf(user)).toEqual([])
      await balancedLedger(stack.ctx, user.id)
    }
  })

  it('sends nothing that was not approved exactly so: a changed row is refused', async () => {
    const tampering: readonly ((callId: string) => Promise<unknown>)[] = [
      // Approved by hand in the database, without the owner.
      (callId) =>
        stack.ctx.db.query(
          `SELECT decide_call($1, 'approved', owner, NULL, NULL, NULL, false, NULL) FROM calls WHERE id = $1`,
          [callId],
        ),
      (callId) =>
        stack.ctx.db.query(
          `SELECT decide_call($1, 'approved', owner, 'k1.AAAA', NULL, NULL, false, NULL) FROM calls WHERE id = $1`,
          [callId],
        ),
    ]
    for (const tamper of tampering) {
      const user = await stack.user()
      const callId = await asked(user)
      await tamper(callId)
      expect(await user.record(callId, 20)).toMatchObject({ status: 'failed', error: { error: 'internal' } })
      expect(await effectsOf(user)).toEqual([])
    }
  })

  it('takes no more than 1,000 waiting calls of an owner', async () => {
    const user = await stack.user()
    const callId = await asked(user)
    await stack.ctx.db.query(
      `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, content_hash,
         credits, check_at)
       SELECT 'call_' || lpad(n::text, 26, '0'), owner, key_id, app, endpoint, account, access, confirm, status, expires_at,
         content_hash, credits, NULL FROM calls, generate_series(1, 999) n WHERE id = $1`,
      [callId],
    )
    const contact = await firstContact(user)
    const refused = await user.call('reply_to_contact', { contact_id: contact, message: 'One too many' })
    expect([refused.status, refused.body['error'], refused.body['limit']]).toEqual([409, 'too_many_waiting', 1_000])
    expect((await user.call('list_listings')).status).toBe(200)
  })
})
