import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readSettings, setConfirm } from '../../core/accounts/settings.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { ageDataKeys, renewDataKeys } from '../../core/secrets/data-keys.ts'
import { isMarked } from '../../core/secrets/marks.ts'
import { demandPasskey } from '../../core/approvals/passkey-demand-rules.ts'
import { demandsProof } from '../../core/approvals/passkey-proofs.ts'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { standingFor } from '../support/standing.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const endpoint = 'reply_to_contact'
const each = { above: null }

/** Somebody reaches the database, and takes a demanded passkey away. Only the owner can. */
describe('tampering with what a passkey is demanded for', () => {
  let stack: Stack
  const lines: string[] = []
  beforeAll(async () => {
    stack = await startStack({ logTo: { write: (line) => void lines.push(line) } })
  })
  afterAll(() => stack.stop())
  afterEach(() => void lines.splice(0))

  const query = (text: string, values: unknown[]) => stack.ctx.db.query(text, values)
  const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)
  const reply = async (user: TestUser, headers: Record<string, string> = {}, contact?: string) =>
    user.call(endpoint, { contact_id: contact ?? (await firstContact(user)), message: 'As it is.' }, headers)
  const warnings = () => lines.filter((line) => line.includes('what a person demands a passkey for cannot be verified'))

  /** Who has a passkey: what of it signs is no matter here. */
  async function demander(wanted: { readonly above: string | null } | null = each): Promise<TestUser> {
    const user = await stack.user()
    await query(
      `INSERT INTO passkeys (id, owner, name, credential, public_key, counter) VALUES ($1, $2, '', $1, '', 0)`,
      [`pk_${user.id}`, user.id],
    )
    expect(await demandPasskey(stack.ctx, user.id, app, new Map([[endpoint, wanted]]))).toBe(true)
    return user
  }

  const tampered: Readonly<Record<string, (user: TestUser) => Promise<unknown>>> = {
    emptied: ({ id }) => query(`UPDATE passkey_demands SET demands = '{}' WHERE owner = $1`, [id]),
    'raised to an amount': ({ id }) =>
      query(`UPDATE passkey_demands SET demands = jsonb_set(demands, $2, '"1000000"') WHERE owner = $1`, [
        id,
        [`${app}/${endpoint}`, 'above'],
      ]),
    'said to be younger': ({ id }) =>
      query(`UPDATE passkey_demands SET demands = jsonb_set(demands, $2, '"2999-01-01"') WHERE owner = $1`, [
        id,
        [`${app}/${endpoint}`, 'since'],
      ]),
    'emptied with another owner’s proof': async ({ id }) => {
      const other = await demander(null)
      await query(
        `UPDATE passkey_demands d SET demands = o.demands, proof = o.proof FROM passkey_demands o WHERE d.owner = $1 AND o.owner = $2`,
        [id, other.id],
      )
    },
    'given a proof by a key of nobody': ({ id }) =>
      query(`UPDATE passkey_demands SET demands = '{}', proof = $2 WHERE owner = $1`, [
        id,
        demandsProof(stack.ctx, id, {}).replace(/^[^.]*/, 'k9'),
      ]),
    deleted: ({ id }) => query('DELETE FROM passkey_demands WHERE owner = $1', [id]),
    'deleted, in an account whose data key is new': async ({ id }) => {
      await query(`UPDATE accounts SET data_key_since = 'epoch' WHERE owner = $1`, [id])
      await renewDataKeys(stack.ctx, new Date(1))
      await query(`UPDATE accounts SET data_key_since = now() - interval '3 days' WHERE owner = $1`, [id])
      await ageDataKeys(stack.ctx)
      expect((await query('SELECT FROM accounts WHERE owner = $1 AND older_data_keys = 0', [id])).rowCount).toBe(1)
      await query('DELETE FROM passkey_demands WHERE owner = $1', [id])
    },
  }

  it.for(Object.keys(tampered))(
    '%s: whatever asks nobody, and what was approved in advance, asks its owner, who needs a passkey',
    async (name) => {
      const user = await demander()
      await setConfirm(stack.ctx, user.id, app, endpoint, { confirm: false })
      await standingFor(stack.ctx, user)
      await tampered[name]?.(user)
      const before = (await effectsOf(user)).length
      const asked = await reply(user)
      expect(asked).toMatchObject({ status: 202, body: { status: 'awaiting_confirmation' } })
      expect(warnings()).not.toEqual([])
      expect((await user.approve(asked.body['call_id'])).status).toBe(403)
      expect(await user.record(String(asked.body['call_id']), 1)).toMatchObject({ status: 'awaiting_confirmation' })
      expect(await effectsOf(user)).toHaveLength(before)
      const { demands } = await readSettings(stack.ctx, user.id, app)
      if (!name.startsWith('deleted')) expect(demands).toBe('unproven')
    },
  )

  it('an account that is connected later says so, too', async () => {
    const user = await demander()
    const id = await connect(stack.ctx, {
      owner: user.id,
      app: 'crm',
      externalId: 'later',
      label: 'later',
      session: { cookies: [], user_agent: null },
    })
    const { rows } = await stack.ctx.db.query<{ data_key: Buffer }>('SELECT data_key FROM accounts WHERE id = $1', [id])
    expect(rows.map((row) => isMarked(stack.ctx.secrets, id, row.data_key))).toEqual([true])
  })

  it('what was approved by nobody, or in advance, before the demand is not sent after it', async () => {
    const user = await demander(null)
    await setConfirm(stack.ctx, user.id, app, endpoint, { confirm: false })
    const free = { Prefer: 'wait=0', 'Idempotency-Key': 'free' }
    const contact = await firstContact(user)
    await setAppPaused(stack.ctx, app, true, 'operator')
    let [unasked, standing] = ['', '']
    try {
      unasked = String((await reply(user, free, contact)).body['call_id'])
      await setConfirm(stack.ctx, user.id, app, endpoint, { confirm: true })
      await standingFor(stack.ctx, user)
      standing = String((await reply(user, { ...free, 'Idempotency-Key': 'standing' }, contact)).body['call_id'])
      await setConfirm(stack.ctx, user.id, app, endpoint, { confirm: false })
      expect(await demandPasskey(stack.ctx, user.id, app, new Map([[endpoint, each]]))).toBe(true)
    } finally {
      await setAppPaused(stack.ctx, app, false, 'operator')
    }
    expect(await user.record(unasked, 20)).toMatchObject({ status: 'failed', error: { error: 'definition_changed' } })
    expect(await user.record(standing, 20)).toMatchObject({ status: 'cancelled' })
    expect(await effectsOf(user)).toEqual([])
    await balancedLedger(stack.ctx, user.id)
  })

  it('what a person approved before the demand is sent; what was approved since without a passkey, by whichever process, is not', async () => {
    const user = await demander(null)
    const contact = await firstContact(user)
    await setAppPaused(stack.ctx, app, true, 'operator')
    let [early, late] = ['', '']
    try {
      early = String((await reply(user, { 'Idempotency-Key': 'early' }, contact)).body['call_id'])
      late = String((await reply(user, { 'Idempotency-Key': 'late' }, contact)).body['call_id'])
      await user.approve(early)
      await user.approve(late)
      expect(await demandPasskey(stack.ctx, user.id, app, new Map([[endpoint, each]]))).toBe(true)
      // As a release that knows nothing of it would have decided a moment later.
      await query(`UPDATE calls SET decided_at = clock_timestamp() WHERE id = $1`, [late])
    } finally {
      await setAppPaused(stack.ctx, app, false, 'operator')
    }
    expect(await user.record(early, 20)).toMatchObject({ status: 'executed' })
    expect(await user.record(late, 20)).toMatchObject({ status: 'failed', error: { error: 'internal' } })
    expect(await effectsOf(user)).toHaveLength(1)
    await balancedLedger(stack.ctx, user.id)
  })
})
