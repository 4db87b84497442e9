import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { findStanding } from '../../core/approvals/standing-rows.ts'
import { liftPause, setAppPaused } from '../../core/operators/pauses.ts'
import { rotateKey } from '../../core/keys/keys.ts'
import { createKey } from '../../core/keys/rows.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { askAgain } from '../../core/approvals/prepare-rows.ts'
import { standingProof } from '../../core/approvals/approval.ts'
import { revokeStanding } from '../../core/approvals/standing-rules.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { Agent } from '../mcp/agent.ts'
import { contactsOf, firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { withinOneDay } from '../support/one-day.ts'
import { standingFor } from '../support/standing.ts'
import type { Answer, TestUser } from '../support/user.ts'

const app = 'property-advertising'

describe('a standing approval', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())
  beforeEach(() => withinOneDay())
  afterEach(() => stack.sandbox.clearFaults())

  const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)
  const onFirst = (user: TestUser) => ({ 'X-Callgate-Account': user.account.id })

  const reply = async (user: TestUser, message: string, headers = {}): Promise<Answer> =>
    user.call('reply_to_contact', { contact_id: await firstContact(user, onFirst(user)), message }, headers)

  const isSent = (answer: Answer) => expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
  const waits = (answer: Answer) =>
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 202,
      body: {
        status: 'awaiting_confirmation',
        confirm_url: expect.any(String) as string,
        message: expect.stringContaining('Nothing has been sent') as string,
      },
    })

  async function rowOf(callId: unknown) {
    const { rows } = await stack.ctx.db.query<Record<string, unknown>>(
      'SELECT status, confirm, decision, decided_by, error_code, send FROM calls WHERE id = $1',
      [callId],
    )
    return rows[0]
  }

  it('sends what it covers at once, answers with the output, and counts it as a use', async () => {
    const user = await stack.user()
    const id = await standingFor(stack.ctx, user)
    const answer = await reply(user, 'At once.')
    isSent(answer)
    expect(answer.body).toMatchObject({ message_id: expect.any(String) as string })
    const callId = answer.headers.get('X-Request-Id')
    expect(await rowOf(callId)).toMatchObject({
      status: 'executed',
      confirm: true,
      decision: 'approved',
      decided_by: id,
    })
    expect(await effectsOf(user)).toHaveLength(1)
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 1, used_today: 1 })
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 4, reserved: 0 })
    const { rows } = await stack.ctx.db.query(
      `SELECT FROM audit_log WHERE actor = $1 AND action = 'standing.made' AND detail->>'standing' = $2`,
      [user.id, id],
    )
    expect(rows).toHaveLength(1)
  })

  it('for one key covers the calls of that key and of what replaces it, and no other', async () => {
    const user = await stack.user()
    const id = await standingFor(stack.ctx, user, { key: user.keyId })
    isSent(await reply(user, 'By the key that is trusted.'))
    const other = await createKey(stack.ctx, { owner: user.id, name: 'Another agent', apps: null })
    const as = (key: string, message: string) => reply(user, message, { Authorization: `Bearer ${key}` })
    const asked = await as(other.key, 'By another.')
    waits(asked)
    const why = await (await (await user.person()).get(`/confirm/${String(asked.body['call_id'])}`)).text()
    expect(why).toContain('it is for calls of another key.')

    const next = await rotateKey(stack.ctx, user.id, user.keyId, 24)
    if (typeof next !== 'object') throw new Error('the key was not replaced')
    isSent(await as(next.key, 'By what replaced it.'))
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 2, key_name: 'Test agent' })
    // One that says the same for all keys is another one, and so is one for the other key.
    const all = await standingFor(stack.ctx, user)
    expect(all).not.toBe(id)
    expect(await standingFor(stack.ctx, user, { key: next.id })).toBe(id)
    isSent(await as(other.key, 'By any.'))

    // Nobody makes it another key's by changing the row.
    await revokeStanding(stack.ctx, user.id, all)
    for (const line of [null, other.id]) {
      await stack.ctx.db.query('UPDATE standing_approvals SET key_line = $2 WHERE id = $1', [id, line])
      waits(await as(other.key, `Forged: ${String(line)}`))
    }
    const stranger = await stack.user()
    await expect(standingFor(stack.ctx, stranger, { key: other.id })).rejects.toThrow('no key')
  })

  it('covers its own owner, account and endpoint, and no other', async () => {
    const user = await stack.user({ accounts: ['agency', 'agency'] })
    const stranger = await stack.user()
    await standingFor(stack.ctx, user)
    const [first, second] = user.accounts.map(({ id }) => ({ 'X-Callgate-Account': id }))
    isSent(await reply(user, 'The account of the approval', first))
    const elsewhere = await firstContact(user, second)
    waits(await user.call('reply_to_contact', { contact_id: elsewhere, message: 'Another account' }, second))
    waits(await reply(stranger, 'Another owner'))
    const contact = await firstContact(user, onFirst(user))
    const { body } = await user.call('list_listings', { limit: 1 }, first)
    const [listing] = body['listings'] as { listing_id: string }[]
    const share = { contact_id: contact, listing_ids: [listing?.listing_id] }
    waits(await user.call('send_listings_to_contact', share, first))
    expect(await effectsOf(user)).toHaveLength(1)
    expect(await effectsOf(stranger)).toEqual([])
  })

  it('with a list covers its values only, whatever else is in the call', async () => {
    const user = await stack.user()
    const [known, unknown] = await contactsOf(user, onFirst(user))
    await standingFor(stack.ctx, user, { only: { field: 'contact_id', values: [String(known), 'somebody'] } })
    isSent(await user.call('reply_to_contact', { contact_id: known, message: 'On the list' }))
    waits(await user.call('reply_to_contact', { contact_id: unknown, message: 'Not on it' }))
    expect(await effectsOf(user)).toHaveLength(1)
    const { rows } = await stack.ctx.db.query<{ text: string }>(
      `SELECT (SELECT row_to_json(s)::text FROM standing_approvals s WHERE owner = $1)
         || (SELECT string_agg(detail::text, '') FROM audit_log WHERE actor = $1) AS text`,
      [user.id],
    )
    expect(rows[0]?.text).toContain('contact_id')
    for (const secret of ['somebody', Buffer.from('somebody').toString('hex')])
      expect(rows[0]?.text).not.toContain(secret)
  })

  it('with a list covers a call with several values when every one of them is listed', async () => {
    const user = await stack.user()
    const contact = await firstContact(user, onFirst(user))
    const { listings } = (await user.call('list_listings', { limit: 10 })).body as {
      listings: { listing_id: string }[]
    }
    const [one = '', two = '', other = ''] = listings.slice(-3).map(({ listing_id }) => listing_id)
    const only = { field: 'listing_ids', values: [one, two] }
    const id = await standingFor(stack.ctx, user, { endpoint: 'send_listings_to_contact', only })
    const share = (...listing_ids: string[]) =>
      user.call('send_listings_to_contact', { contact_id: contact, listing_ids })
    waits(await share(one, other))
    isSent(await share(one, two))
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 1 })
  })

  it('with a budget approves as many a day, and more the next day', async () => {
    const user = await stack.user()
    const id = await standingFor(stack.ctx, user, { perDay: 2 })
    isSent(await reply(user, 'One'))
    isSent(await reply(user, 'Two'))
    waits(await reply(user, 'Three'))
    await stack.ctx.db.query(
      `UPDATE calls SET decided_at = this_day() - interval '1 millisecond' WHERE id IN
         (SELECT id FROM calls WHERE decided_by = $1 LIMIT 1)`,
      [id],
    )
    isSent(await reply(user, 'Four'))
    waits(await reply(user, 'Five'))
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 3, used_today: 2 })
  })

  it('counts a call that failed, too', async () => {
    const user = await stack.user()
    await standingFor(stack.ctx, user, { perDay: 1 })
    const failed = await user.call('reply_to_contact', { contact_id: '987654321', message: 'To nobody' })
    expect(failed).toMatchObject({ status: 422, body: { error: 'app_rejected' } })
    waits(await reply(user, 'To somebody'))
    expect(await effectsOf(user)).toEqual([])
  })

  it('covers nothing once its time is over, and what it approved before is taken back', async () => {
    const user = await stack.user()
    const contact = await firstContact(user, onFirst(user))
    const until = new Date(Date.now() + 8_000)
    await standingFor(stack.ctx, user, { until })
    isSent(await user.call('reply_to_contact', { contact_id: contact, message: 'In time' }))
    await setAppPaused(stack.ctx, app, true, 'operator')
    let queued: Answer
    try {
      queued = await user.call('reply_to_contact', { contact_id: contact, message: 'Held' }, { Prefer: 'wait=0' })
      expect(queued).toMatchObject({ status: 202, body: { status: 'running' } })
      await sleep(Math.max(0, until.getTime() + 200 - Date.now()))
    } finally {
      await setAppPaused(stack.ctx, app, false, 'operator')
    }
    expect(await user.record(queued.body['call_id'], 20)).toMatchObject({ status: 'cancelled', credits_used: 0 })
    waits(await reply(user, 'Too late'))
    expect(await effectsOf(user)).toHaveLength(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('stands whatever is deployed, also one that an earlier release made for a version of its own', async () => {
    const user = await stack.user()
    const id = await standingFor(stack.ctx, user)
    const row = await findStanding(stack.ctx.db, user.id, id)
    if (row === undefined) throw new Error('there is none')
    const older = { ...row, definition_version: 'older' }
    await stack.ctx.db.query('UPDATE standing_approvals SET definition_version = $2, proof = $3 WHERE id = $1', [
      id,
      older.definition_version,
      standingProof(stack.ctx, older, null),
    ])
    isSent(await reply(user, 'Of whatever version'))
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 1 })
  })

  it('answers the first round only: what is asked again waits for the person, and the proof of before sends nothing', async () => {
    const user = await stack.user()
    const contact = await firstContact(user, onFirst(user))
    const id = await standingFor(stack.ctx, user)
    const ask = async (message: string) =>
      (await user.call('reply_to_contact', { contact_id: contact, message }, { Prefer: 'wait=0' })).body['call_id']
    await setAppPaused(stack.ctx, app, true, 'operator')
    let waiting: unknown
    let replayed: unknown
    try {
      ;[waiting, replayed] = [await ask('Asked again'), await ask('With the proof of before')]
      const { rows } = await stack.ctx.db.query<{ id: string; approval_proof: string; attempt: number }>(
        `SELECT id, approval_proof, attempt FROM calls WHERE decided_by = $1 AND status = 'running'`,
        [id],
      )
      expect(rows).toHaveLength(2)
      for (const row of rows) {
        const again = { mostRounds: 3, request: null, preview: null, prepare: true, expirySeconds: 3_600 }
        const end = { code: 'changed_since' } as const
        expect(await askAgain(stack.ctx.db, { ...row, round: 1 }, { ...again, end })).toBe('awaiting_confirmation')
        const record = await user.record(row.id)
        expect(record).toMatchObject({ status: 'awaiting_confirmation', asked_again: 1 })
        expect(record['decision']).toBeUndefined()
        if (row.id === replayed)
          await stack.ctx.db.query(`SELECT decide_call($1, 'approved', $2, $3, NULL, NULL, false, NULL)`, [
            row.id,
            id,
            row.approval_proof,
          ])
      }
    } finally {
      await setAppPaused(stack.ctx, app, false, 'operator')
    }
    expect(await user.record(replayed, 20)).toMatchObject({ status: 'failed', error: { error: 'internal' } })
    expect(await user.record(waiting)).toMatchObject({ status: 'awaiting_confirmation' })
    expect(await effectsOf(user)).toEqual([])
    expect((await user.cancel(waiting)).status).toBe(200)
    await balancedLedger(stack.ctx, user.id)
  })

  it('is used up in order: those without a budget first, then the older ones', async () => {
    const user = await stack.user()
    const one = await standingFor(stack.ctx, user, { perDay: 1 })
    const two = await standingFor(stack.ctx, user, { perDay: 2 })
    const ids: unknown[] = []
    for (const message of ['1', '2', '3']) ids.push((await reply(user, message)).headers.get('X-Request-Id'))
    const always = await standingFor(stack.ctx, user)
    ids.push((await reply(user, '4')).headers.get('X-Request-Id'))
    const used = await Promise.all(ids.map(async (callId) => (await rowOf(callId))?.['decided_by']))
    expect(used).toEqual([one, two, two, always])
  })

  it('is not made twice by a form that is posted twice', async () => {
    const user = await stack.user()
    const bounds = { perDay: 3, only: { field: 'contact_id', values: ['a', 'b'] } }
    const [one, two] = await Promise.all([1, 2].map(() => standingFor(stack.ctx, user, bounds)))
    expect(one).toBe(two)
    expect(await standingFor(stack.ctx, user, { ...bounds, perDay: 4 })).not.toBe(one)
  })

  it('leaves idempotency as it is, and an equal call that waits is not asked for anew', async () => {
    const user = await stack.user()
    const waiting = await reply(user, 'The same')
    waits(waiting)
    const id = await standingFor(stack.ctx, user)
    const again = await reply(user, 'The same')
    waits(again)
    expect(again.body['call_id']).toBe(waiting.body['call_id'])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')

    const key = { 'Idempotency-Key': 'once' }
    const [first, second] = [await reply(user, 'The same', key), await reply(user, 'The same', key)]
    isSent(first)
    isSent(second)
    expect(second.headers.get('X-Request-Id')).toBe(first.headers.get('X-Request-Id'))
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await effectsOf(user)).toHaveLength(1)
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 1 })
  })

  it('changes nothing for calls that ask nobody, and is no use of theirs', async () => {
    const user = await stack.user()
    const id = await standingFor(stack.ctx, user)
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { confirm: false })
    isSent(await reply(user, 'Not asked for'))
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 0 })
  })

  it('does not get around credits and the number of running calls, and a refusal is no use', async () => {
    const user = await stack.user()
    const contact = await firstContact(user, onFirst(user))
    const id = await standingFor(stack.ctx, user)
    const input = { contact_id: contact, message: 'One more' }
    await setAppPaused(stack.ctx, app, true, 'operator')
    try {
      const running = await user.call('reply_to_contact', input, { Prefer: 'wait=0' })
      await stack.ctx.db.query(
        `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, content_hash, credits,
           check_at)
         SELECT 'call_' || lpad(n::text, 26, '0'), owner, key_id, app, endpoint, account, access, false, status, content_hash,
           0, NULL FROM calls, generate_series(1, 49) n WHERE id = $1`,
        [running.body['call_id']],
      )
      const full = await user.call('reply_to_contact', input)
      expect(full).toMatchObject({ status: 409, body: { error: 'too_many_running' } })
      await stack.ctx.db.query(`DELETE FROM calls WHERE owner = $1 AND id LIKE 'call_000%'`, [user.id])
    } finally {
      await setAppPaused(stack.ctx, app, false, 'operator')
    }
    await expect.poll(() => effectsOf(user)).toHaveLength(1)
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 1 })

    await stack.ctx.db.query('UPDATE balances SET available = 2 WHERE owner = $1', [user.id])
    expect(await user.call('reply_to_contact', input)).toMatchObject({
      status: 402,
      body: { error: 'insufficient_credits' },
    })
    expect(await findStanding(stack.ctx.db, user.id, id)).toMatchObject({ used: 1 })
  })

  it('answers a tool with the output, as HTTP does', async () => {
    const user = await stack.user()
    const contact = await firstContact(user, onFirst(user))
    await standingFor(stack.ctx, user, { perDay: 1 })
    const agent = await Agent.connect(stack.publicUrl, user.key)
    const say = (message: string) =>
      agent.use('write_action', { app, action: 'reply_to_contact', input: { contact_id: contact, message } })
    expect(await say('By a tool')).toMatchObject({ isError: false, body: { message_id: expect.any(String) as string } })
    expect(await say('Once more')).toMatchObject({ isError: false, body: { status: 'awaiting_confirmation' } })
    expect(await effectsOf(user)).toHaveLength(1)
    await agent.close()
  })

  it('lets its calls wait for the app and for the person as approved ones do', async () => {
    const user = await stack.user()
    await standingFor(stack.ctx, user)
    const ask = async (message: string) => {
      const { status, body } = await reply(user, message, { Prefer: 'wait=2' })
      expect({ status, body }).toMatchObject({ status: 202, body: { status: 'running' } })
      return body['call_id']
    }
    await stack.sandbox.fault('block', { path: '/inbox' })
    const blocked = await ask('Blocked')
    await expect
      .poll(() => user.record(blocked), { interval: 300 })
      .toMatchObject({ status: 'running', waiting_for: 'blocked' })
    await stack.sandbox.clearFaults()
    await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
    expect(await user.record(blocked, 20)).toMatchObject({ status: 'executed' })

    await stack.sandbox.fault('expire', { path: '/inbox' })
    const signedOut = await ask('Signed out')
    await expect
      .poll(() => user.record(signedOut), { interval: 300 })
      .toMatchObject({ status: 'running', waiting_for: 'reconnect' })
    await stack.sandbox.clearFaults()
    const { account, label, session } = user.account.seeded
    await connect(stack.ctx, { owner: user.id, app, externalId: account, label, session })
    expect(await user.record(signedOut, 20)).toMatchObject({ status: 'executed' })
    expect(await effectsOf(user)).toHaveLength(2)
  })

  describe('that is revoked', () => {
    it('takes back every call of it that has not begun to be sent, and approves no more', async () => {
      const user = await stack.user()
      const contact = await firstContact(user, onFirst(user))
      const id = await standingFor(stack.ctx, user)
      const other = await standingFor(stack.ctx, user, { endpoint: 'send_listings_to_contact' })
      const callIds: string[] = []
      await setAppPaused(stack.ctx, app, true, 'operator')
      try {
        for (const message of ['1', '2', '3']) {
          const input = { contact_id: contact, message }
          const { body } = await user.call('reply_to_contact', input, { Prefer: 'wait=0' })
          callIds.push(String(body['call_id']))
        }
        const share = { contact_id: contact, listing_ids: ['AD-1'] }
        const { body } = await user.call('send_listings_to_contact', share, { Prefer: 'wait=0' })
        expect(await revokeStanding(stack.ctx, (await stack.user()).id, id)).toBeUndefined()
        expect(await revokeStanding(stack.ctx, user.id, id)).toBe(3)
        expect(await revokeStanding(stack.ctx, user.id, id)).toBeUndefined()
        // Their runs end although the queue stands still.
        for (const callId of callIds) await stack.ctx.temporal.workflow.getHandle(callId).result()
        expect(await rowOf(body['call_id'])).toMatchObject({ status: 'running', decided_by: other })
      } finally {
        await setAppPaused(stack.ctx, app, false, 'operator')
      }
      for (const callId of callIds)
        expect(await user.record(callId)).toMatchObject({ status: 'cancelled', credits_used: 0 })
      waits(await reply(user, '4'))
      expect(await effectsOf(user)).toEqual([])
      await balancedLedger(stack.ctx, user.id)
    })

    it('stops a call that was being sent at that moment, and that the app then blocked', async () => {
      const user = await stack.user()
      const contact = await firstContact(user, onFirst(user))
      const id = await standingFor(stack.ctx, user)
      await setAppPaused(stack.ctx, app, true, 'operator')
      let callId: string
      try {
        const input = { contact_id: contact, message: 'Blocked' }
        callId = String((await user.call('reply_to_contact', input, { Prefer: 'wait=0' })).body['call_id'])
        // As the rows are between the right to send and the answer.
        await stack.ctx.db.query(`UPDATE calls SET send = 'sending' WHERE id = $1`, [callId])
        expect(await revokeStanding(stack.ctx, user.id, id)).toBe(0)
        await stack.ctx.db.query('SELECT block_call($1, 0)', [callId])
        await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
        expect(await rowOf(callId)).toMatchObject({ status: 'running', send: 'ready' })
      } finally {
        await setAppPaused(stack.ctx, app, false, 'operator')
      }
      expect(await user.record(callId, 20)).toMatchObject({ status: 'cancelled', credits_used: 0 })
      expect(await effectsOf(user)).toEqual([])
      await balancedLedger(stack.ctx, user.id)
    })

    it('and a call that is accepted at that moment: it is sent, taken back or waits, and nothing comes after', async () => {
      const user = await stack.user()
      const contact = await firstContact(user, onFirst(user))
      const seen = new Map<string, number>()
      for (let round = 0; round < 8; round++) {
        const id = await standingFor(stack.ctx, user)
        const asked = Array.from({ length: 4 }, (_, n) =>
          user.call('reply_to_contact', { contact_id: contact, message: `${round}/${n}` }, { Prefer: 'wait=0' }),
        )
        await sleep(round * round * 40)
        expect(await revokeStanding(stack.ctx, user.id, id)).toBeTypeOf('number')
        for (const { body } of await Promise.all(asked)) {
          const callId = String(body['call_id'])
          const row = await rowOf(callId)
          const record = row?.['decided_by'] === id ? await user.record(callId, 20) : row
          const status = String(record?.['status'])
          expect(row?.['decided_by']).toBe(status === 'awaiting_confirmation' ? null : id)
          seen.set(status, (seen.get(status) ?? 0) + 1)
        }
        const { rows } = await stack.ctx.db.query(
          `SELECT FROM calls c JOIN standing_approvals s ON s.id = c.decided_by
           WHERE s.id = $1 AND (c.status = 'running' OR c.decided_at > s.revoked_at)`,
          [id],
        )
        expect(rows).toEqual([])
      }
      console.log('revoked at that moment:', Object.fromEntries(seen))
      for (const status of seen.keys()) expect(['executed', 'cancelled', 'awaiting_confirmation']).toContain(status)
      expect(await effectsOf(user)).toHaveLength(seen.get('executed') ?? 0)
      await balancedLedger(stack.ctx, user.id)
    })
  })

  it('is named on the pages of the calls that it approved', async () => {
    const user = await stack.user()
    const id = await standingFor(stack.ctx, user)
    const answer = await reply(user, 'Who approved this?')
    const callId = String(answer.headers.get('X-Request-Id'))
    const person = await user.person()
    for (const path of [`/confirm/${callId}`, `/calls/${callId}`]) {
      const page = await (await person.get(path)).text()
      expect(page).toContain(`href="/standing/${id}"`)
    }
  })
})
