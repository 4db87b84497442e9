import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, findKey, revokeKey } from '../../core/keys/rows.ts'
import { listKeys, makeKey, mostKeys, rotateKey } from '../../core/keys/keys.ts'
import { setKeyApps } from '../../core/keys/limits.ts'
import type { NewKey } from '../../core/keys/keys.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { TestUser } from '../support/user.ts'

const app = 'property-advertising'

describe('a key and those that replace it', () => {
  let stack: Stack
  let secondApi: string
  beforeAll(async () => {
    stack = await startStack()
    secondApi = await stack.anotherApi()
  })
  afterAll(() => stack.stop())

  const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)

  const madeOf = (made: NewKey | string | undefined): NewKey => {
    if (typeof made !== 'object') throw new Error(`no key: ${made}`)
    return made
  }

  /** The same person with another key. */
  const using = ({ id, email, password, accounts, publicUrl }: TestUser, made: { id: string; key: string }): TestUser =>
    new TestUser({ id, email, password, accounts, publicUrl, key: made.key, keyId: made.id })

  /** The person with the key that replaces theirs, which stays valid for so many hours. */
  const after = async (user: TestUser, hours: number): Promise<TestUser> =>
    using(user, madeOf(await rotateKey(stack.ctx, user.id, user.keyId, hours)))

  const sibling = async (user: TestUser): Promise<TestUser> =>
    using(user, await createKey(stack.ctx, { owner: user.id, name: 'another', apps: null }))

  async function asked(user: TestUser, message: string): Promise<string> {
    const { status, body } = await user.call('reply_to_contact', { contact_id: await firstContact(user), message })
    expect(status).toBe(202)
    return String(body['call_id'])
  }

  const endOf = async (callId: string): Promise<Record<string, unknown> | undefined> => {
    await stack.ctx.temporal.workflow.getHandle(callId).result()
    const { rows } = await stack.ctx.db.query<Record<string, unknown>>(
      'SELECT status, error_code AS code FROM calls WHERE id = $1',
      [callId],
    )
    return rows[0]
  }

  const ended = (user: TestUser) => revokeKey(stack.ctx, user.id, user.keyId)
  const narrowed = (user: TestUser) => setKeyApps(stack.ctx, user.id, user.keyId, ['crm'])
  const sent = { status: 'executed', code: null }
  const failed = (code: string) => ({ status: 'failed', code })

  /** What happens to the key between its call and the approval, and what becomes of the call. */
  const endings: readonly [what: string, change: (user: TestUser) => Promise<unknown>, end: object][] = [
    ['replaced, and ended at once', (user) => after(user, 0), sent],
    ['replaced, and still valid beside its successor', (user) => after(user, 24), sent],
    ['replaced, and revoked before its time', async (user) => (await after(user, 24)) && ended(user), sent],
    ['replaced twice, and ended', async (user) => after(await after(user, 0), 0), sent],
    [
      'replaced by a key that was revoked, and is still valid itself',
      async (user) => ended(await after(user, 24)),
      sent,
    ],
    [
      'replaced and narrowed, and its successor was not',
      async (user) => (await after(user, 24)) && narrowed(user),
      sent,
    ],
    [
      'replaced twice and ended, and the last of the three was revoked before the one between',
      async (user) => ended(await after(await after(user, 0), 24)),
      sent,
    ],
    ['revoked, and nothing replaced it', ended, failed('api_key_invalid')],
    [
      'replaced and ended, and its successor was revoked',
      async (user) => ended(await after(user, 0)),
      failed('api_key_invalid'),
    ],
    [
      'replaced and ended, and its successor was narrowed',
      async (user) => narrowed(await after(user, 0)),
      failed('access_not_granted'),
    ],
    [
      'revoked beside another key of the owner',
      async (user) => (await sibling(user)) && ended(user),
      failed('api_key_invalid'),
    ],
  ]

  it.each(endings)('a call that waits, whose key was %s', async (_, change, end) => {
    const user = await stack.user()
    const callId = await asked(user, 'Waits over it')
    await change(user)
    const page = await (await (await user.person()).get(`/confirm/${callId}`)).text()
    expect(page.includes('nothing would be sent even if you approve')).toBe(end !== sent)
    expect((await user.approve(callId)).status).toBe(303)
    expect(await endOf(callId)).toEqual(end)
    expect(await effectsOf(user)).toHaveLength(end === sent ? 1 : 0)
    await balancedLedger(stack.ctx, user.id)
  })

  it('says, where a narrowed successor is in the way, which key must be let in', async () => {
    const user = await stack.user()
    const callId = await asked(user, 'Which key?')
    const heir = await after(user, 0)
    await narrowed(heir)
    await user.approve(callId)
    await endOf(callId)
    await setKeyApps(stack.ctx, user.id, heir.keyId, null)
    expect(await heir.record(callId)).toMatchObject({
      error: {
        error: 'access_not_granted',
        request_access_url: expect.stringContaining(`?key=${heir.keyId}`) as string,
      },
    })
  })

  it('the successor sees what its predecessor asked for, waits for it, and takes it back', async () => {
    const user = await stack.user()
    const [waits, taken] = [await asked(user, 'One'), await asked(user, 'Two')]
    const heir = await after(user, 0)
    expect((await user.send('GET', `/calls/${waits}`)).body['error']).toBe('api_key_invalid')
    expect((await heir.cancel(taken)).body).toMatchObject({ status: 'cancelled' })
    await user.approve(waits)
    expect(await heir.record(waits, 20)).toMatchObject({ status: 'executed' })
  })

  describe('with the same Idempotency-Key', () => {
    const note = async (user: TestUser, contact_id: string, text = 'Once', key = 'once') => {
      const { status, headers, body } = await user.call(
        'add_contact_note',
        { contact_id, note: text },
        { 'Idempotency-Key': key },
      )
      return {
        status,
        id: headers.get('X-Request-Id'),
        replayed: headers.get('Idempotent-Replayed') === 'true',
        error: body['error'],
      }
    }

    it('a successor is given the call of its predecessor, over two replacements, and the same refusal', async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      const first = await note(user, contact)
      const third = await after(await after(user, 24), 24)
      expect(await note(third, contact)).toEqual({ ...first, replayed: true })
      expect(await note(third, contact, 'Other')).toMatchObject({ status: 422, error: 'idempotency_key_reused' })
      expect(await effectsOf(user)).toHaveLength(1)
    })

    it('a predecessor is given no call of its successor: it makes its own, and each goes on with its own', async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      const heir = await after(user, 24)
      const young = await note(heir, contact)
      const old = await note(user, contact, 'Even other words')
      expect(old).toMatchObject({ status: 200, replayed: false })
      expect(await note(user, contact, 'Even other words')).toEqual({ ...old, replayed: true })
      expect(await note(heir, contact)).toEqual({ ...young, replayed: true })
      // What comes after both goes on with the younger one.
      expect(await note(await after(heir, 24), contact)).toEqual({ ...young, replayed: true })
      expect(await effectsOf(user)).toHaveLength(2)
    })

    it('two keys of an owner that do not replace each other have nothing in common', async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      const one = await note(user, contact)
      const two = await note(await sibling(user), contact, 'Other words')
      expect([two.status, two.replayed, two.id === one.id]).toEqual([200, false, false])
    })

    it('50 posts at once, half of them by the successor, of which the predecessor’s was first, are one call', async () => {
      const user = await stack.user()
      const contact_id = await firstContact(user)
      const heir = await after(user, 24)
      const post = async ({ key }: TestUser, url: string) => {
        const response = await fetch(`${url}/${app}/add_contact_note`, {
          method: 'POST',
          headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'fifty' },
          body: JSON.stringify({ contact_id, note: 'Fifty times' }),
        })
        await response.arrayBuffer()
        return [response.status, response.headers.get('X-Request-Id')]
      }
      const first = await post(user, stack.url)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => post(i % 2 ? heir : user, i % 4 < 2 ? stack.url : secondApi)),
      )
      expect(new Set(answers.map(String))).toEqual(new Set([String(first)]))
      expect(await effectsOf(user)).toHaveLength(1)
    })

    it('a predecessor and its successor at the same moment make one call or two, and each is told of one that is its own to see', async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      const heir = await after(user, 24)
      for (let round = 0; round < 4; round++) {
        const key = `both-${round}`
        const [old, young] = await Promise.all([note(user, contact, key, key), note(heir, contact, key, key)])
        expect([old.status, young.status, old.replayed]).toEqual([200, 200, false])
        expect(young.replayed).toBe(young.id === old.id)
        const effects = (await effectsOf(user)).filter(({ body }) => JSON.stringify(body).includes(key))
        expect(effects).toHaveLength(young.replayed ? 1 : 2)
        expect(await note(heir, contact, key, key)).toMatchObject({ id: young.id, replayed: true })
      }
      await balancedLedger(stack.ctx, user.id)
    })
  })

  it('an equal call that waits is told to its key and those after it, and asked anew of all others', async () => {
    const user = await stack.user()
    const first = await asked(user, 'Equal')
    const heir = await after(user, 24)
    expect(await asked(heir, 'Equal')).toBe(first)
    expect(await asked(await sibling(user), 'Equal')).not.toBe(first)
    const young = await asked(heir, 'Of the successor')
    expect(await asked(user, 'Of the successor')).not.toBe(young)
    expect(await asked(heir, 'Of the successor')).toBe(young)
  })

  describe('are made one after the other', () => {
    const keysOf = ({ id }: TestUser) => listKeys(stack.ctx.db, id)

    it('a key has one successor, however many ask at once', async () => {
      const user = await stack.user({ accounts: [] })
      const made = await Promise.all(Array.from({ length: 5 }, () => rotateKey(stack.ctx, user.id, user.keyId, 24)))
      expect(made.filter((one) => one === 'replaced')).toHaveLength(4)
      expect(await keysOf(user)).toHaveLength(2)
      const again = stack.ctx.db.query(
        `INSERT INTO api_keys (id, owner, name, hash, hint, line, turn)
         SELECT 'key_by_hand', owner, name, '\\x00', hint, line, 1 FROM api_keys WHERE id = $1`,
        [user.keyId],
      )
      await expect(again).rejects.toThrow('api_keys_one_successor')
    })

    it('a replacement whose process dies before it is committed has changed nothing', async () => {
      const user = await stack.user({ accounts: [] })
      const { db } = stack.ctx
      const holder = await db.connect()
      try {
        await holder.query('BEGIN')
        // The last thing that a replacement writes waits here.
        await holder.query('LOCK TABLE audit_log IN SHARE ROW EXCLUSIVE MODE')
        const lost = rotateKey(stack.ctx, user.id, user.keyId, 0).then(
          () => 'done',
          () => 'lost',
        )
        const kill = async () =>
          (
            await db.query(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO audit_log%'`,
            )
          ).rowCount
        await expect.poll(kill, { interval: 50 }).toBe(1)
        expect(await lost).toBe('lost')
      } finally {
        await holder.query('ROLLBACK')
        holder.release()
      }
      expect(await keysOf(user)).toMatchObject([{ id: user.keyId, valid: true, expires_at: null, successor: null }])
      const heir = await after(user, 0)
      expect(await findKey(stack.ctx, user.key)).toBeUndefined()
      expect(await findKey(stack.ctx, heir.key)).toMatchObject({ id: heir.keyId })
    })

    it(`an owner has ${mostKeys} valid keys at most, however many are made at once`, async () => {
      const user = await stack.user({ accounts: [] })
      const { ctx } = stack
      const wanted = { owner: user.id, name: 'one more', apps: null, seesAll: false, days: null }
      const over = { owner: user.id, name: 'over', apps: null, expiresAt: new Date(Date.now() - 1_000) }
      await createKey(ctx, over)
      await Promise.all(
        Array.from({ length: mostKeys - 3 }, () =>
          createKey(ctx, { ...over, expiresAt: new Date(Date.now() + 60_000) }),
        ),
      )
      const made = await Promise.all(Array.from({ length: 6 }, () => makeKey(ctx, wanted)))
      expect(made.filter((one) => one === 'full')).toHaveLength(4)
      // One that goes on beside its successor would be one too many; one that ends at once makes room for it.
      expect(await rotateKey(ctx, user.id, user.keyId, 24)).toBe('full')
      expect(await keysOf(user)).toContainEqual(expect.objectContaining({ id: user.keyId, expires_at: null }))
      const heir = await after(user, 0)
      expect(await makeKey(ctx, wanted)).toBe('full')
      await revokeKey(ctx, user.id, heir.keyId)
      expect(await makeKey(ctx, wanted)).toMatchObject({ name: 'one more' })
      expect(await makeKey(ctx, wanted)).toBe('full')
    })
  })
})
