import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readSettings, setConfirm } from '../../core/accounts/settings.ts'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { standingFor } from '../support/standing.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const endpoint = 'reply_to_contact'

/** Somebody reaches the database, and switches asking off for an owner. Only the owner can. */
describe('tampering with what asks first', () => {
  let stack: Stack
  const lines: string[] = []
  beforeAll(async () => {
    stack = await startStack({ logTo: { write: (line) => void lines.push(line) } })
  })
  afterAll(() => stack.stop())
  afterEach(() => void lines.splice(0))

  /** What somebody who can only write into the database can make of the switch. */
  const write = (user: TestUser, proof: string | null) =>
    stack.ctx.db.query(
      `INSERT INTO endpoint_settings (owner, app, endpoint, confirm, proof) VALUES ($1, $2, $3, false, $4)
       ON CONFLICT (owner, app, endpoint) DO UPDATE SET confirm = false, proof = excluded.proof`,
      [user.id, app, endpoint, proof],
    )

  async function proofOf(user: TestUser, of: string = endpoint, at: string = app): Promise<string> {
    const { rows } = await stack.ctx.db.query<{ proof: string | null }>(
      'SELECT proof FROM endpoint_settings WHERE owner = $1 AND app = $2 AND endpoint = $3',
      [user.id, at, of],
    )
    return rows[0]?.proof ?? 'none'
  }

  async function switchedOff(user: TestUser, of: string = endpoint, at: string = app): Promise<string> {
    await setConfirm(stack.ctx, user.id, at, of, { confirm: false })
    return proofOf(user, of, at)
  }

  const reply = async (user: TestUser, headers: Record<string, string> = {}) =>
    user.call(endpoint, { contact_id: await firstContact(user), message: 'As it is.' }, headers)
  const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)
  const warnings = () =>
    lines
      .map((line): unknown => JSON.parse(line))
      .filter((line) => JSON.stringify(line).includes('switched off without'))

  const proofs: Readonly<Record<string, (user: TestUser) => Promise<string | null>>> = {
    'no proof': async () => null,
    'an empty proof': async () => '',
    'a made-up proof': async () => `k1.${'A'.repeat(43)}`,
    'a proof by a key of nobody': async (user) => (await switchedOff(user)).replace(/^[^.]*/, 'k9'),
    'the proof of another endpoint': (user) => switchedOff(user, 'send_listings_to_contact'),
    'the proof of another app': (user) => switchedOff(user, endpoint, 'crm'),
    'the proof of another owner': async () => switchedOff(await stack.user({ accounts: [] })),
    'the proof of a standing approval': async (user) => {
      const id = await standingFor(stack.ctx, user, { only: { field: 'contact_id', values: ['somebody'] } })
      const { rows } = await stack.ctx.db.query<{ proof: string }>(
        'SELECT proof FROM standing_approvals WHERE id = $1',
        [id],
      )
      return rows[0]?.proof ?? null
    },
    'the proof of an approved call': async (user) => {
      const callId = String((await reply(user)).body['call_id'])
      await user.approve(callId)
      expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
      const { rows } = await stack.ctx.db.query<{ approval_proof: string }>(
        'SELECT approval_proof FROM calls WHERE id = $1',
        [callId],
      )
      return rows[0]?.approval_proof ?? null
    },
  }

  it.for(Object.keys(proofs))(
    'asking switched off in the database with %s: the call asks, and it is logged once',
    async (name) => {
      const user = await stack.user()
      const proof = (await proofs[name]?.(user)) ?? null
      const before = (await effectsOf(user)).length
      await write(user, proof)
      expect(await reply(user)).toMatchObject({ status: 202, body: { status: 'awaiting_confirmation' } })
      expect(await effectsOf(user)).toHaveLength(before)
      expect(warnings()).toEqual([expect.objectContaining({ level: 40, owner: user.id, app, endpoint })])
      if (proof) expect(lines.join('')).not.toContain(proof)
      expect((await readSettings(stack.ctx, user.id, app)).confirm.get(endpoint)?.confirm).toBeNull()
    },
  )

  it('asking switched off in the database sends no call that waits, nor one that was made to look as if it asked nobody', async () => {
    const user = await stack.user()
    const callId = String((await reply(user)).body['call_id'])
    await write(user, null)
    await stack.ctx.temporal.workflow.getHandle(callId).signal('nudge')
    expect(await user.record(callId, 1)).toMatchObject({ status: 'awaiting_confirmation' })
    await stack.ctx.db.query(
      `UPDATE calls SET confirm = false, expires_at = NULL, status = 'running', decision = 'approved', decided_at = now(),
         decided_by = owner WHERE id = $1`,
      [callId],
    )
    await stack.ctx.temporal.workflow.getHandle(callId).signal('nudge')
    expect(await user.record(callId, 20)).toMatchObject({ status: 'failed', error: { error: 'definition_changed' } })
    expect(await effectsOf(user)).toEqual([])
    await balancedLedger(stack.ctx, user.id)
  })

  it('a call that rightly asked nobody is not sent when the switch is not the owner’s any more', async () => {
    const user = await stack.user()
    const foreign = await switchedOff(user, 'send_listings_to_contact')
    await switchedOff(user)
    const contact = await firstContact(user)
    await setAppPaused(stack.ctx, app, true, 'operator')
    let callId = ''
    try {
      const answer = await user.call(endpoint, { contact_id: contact, message: 'Held.' }, { Prefer: 'wait=0' })
      expect(answer).toMatchObject({ status: 202, body: { status: 'running' } })
      callId = String(answer.body['call_id'])
      await write(user, foreign)
    } finally {
      await setAppPaused(stack.ctx, app, false, 'operator')
    }
    expect(await user.record(callId, 20)).toMatchObject({ status: 'failed', error: { error: 'definition_changed' } })
    expect(await effectsOf(user)).toEqual([])
    expect(warnings()).toEqual([expect.objectContaining({ level: 40, owner: user.id, app, endpoint })])
    await balancedLedger(stack.ctx, user.id)
  })

  it('the owner switches asking off and on again in the form of the app, and nothing of it is left to use', async () => {
    const user = await stack.user()
    const person = await user.person()
    const page = async () => (await person.get(`/apps/${app}`)).text()
    const choose = async (value: string) => {
      const form = { csrf: hidden(await page(), 'csrf'), action: 'confirm', [`confirm.${endpoint}`]: value }
      expect((await person.post(`/apps/${app}`, form)).status).toBe(303)
    }
    await choose('no')
    expect(await reply(user)).toMatchObject({ status: 200 })
    expect(await effectsOf(user)).toHaveLength(1)
    expect(await proofOf(user)).toMatch(/^k1\.[\w-]{43}$/)
    await choose('yes')
    expect(await proofOf(user)).toBe('none')
    expect((await reply(user)).status).toBe(202)
    await choose('')
    expect(await proofOf(user)).toBe('none')
    expect(await effectsOf(user)).toHaveLength(1)
    expect(warnings()).toEqual([])
  })

  it('the page says that a switch is not known to be the owner’s, until they choose again', async () => {
    const user = await stack.user()
    const person = await user.person()
    const page = async () => (await person.get(`/apps/${app}`)).text()
    const save = async (value: string) => {
      const form = { csrf: hidden(await page(), 'csrf'), action: 'confirm', [`confirm.${endpoint}`]: value }
      expect((await person.post(`/apps/${app}`, form)).status).toBe(303)
    }
    const words = 'Callgate cannot verify any more that you chose it'
    expect(await page()).not.toContain(words)
    for (const [value, status] of [
      ['', 202],
      ['no', 200],
    ] as const) {
      await write(user, null)
      expect(await page()).toContain(words)
      await save(value)
      expect(await page()).not.toContain(words)
      expect((await reply(user, { 'Idempotency-Key': `chosen ${value}` })).status).toBe(status)
    }
    expect(await effectsOf(user)).toHaveLength(1)
  })
})
