import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept } from '../../core/calls/accept.ts'
import { decide, settle, withdraw } from '../../core/calls/rows.ts'
import { recoverCall } from '../../core/calls/recovery-rows.ts'
import { block } from '../../core/calls/blocks.ts'
import { nextAttempt, takeRightToSend } from '../../core/calls/sending-rows.ts'
import { resolveUnknown } from '../../core/calls/resolve.ts'
import { isFinal } from '../../schemas/call.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { app, newOwner } from '../api/http/owners.ts'
import type { Owner } from '../api/http/owners.ts'
import { check, timeout } from './check.ts'
import { apply, outcomesOf, started } from './machine.ts'
import type { Act, State } from './machine.ts'

/** Of every try: no process holds its lock, so it counts as gone when somebody asks. */
const sender = 1

const stale = fc.nat({ max: 3 }).map((n) => n === 0)
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      as: fc.constantFrom(
        'approved' as const,
        'approved' as const,
        'rejected' as const,
        'cancelled' as const,
        'expired' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      as: fc.constantFrom('executed' as const, 'failed' as const, 'unknown' as const),
      by: fc.constantFrom('sender' as const, 'sender' as const, 'another' as const, 'engine' as const),
      stale,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('send' as const, 'block' as const, 'again' as const, 'recover' as const),
      stale,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('withdraw' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('resolve' as const, 'time is over' as const) }) },
)

/** The life of a call in the database's own functions, for any order of what may happen to it, also at the same moment. */
describe('the states of a call', { timeout }, () => {
  let gateway: Gateway
  let owner: Owner
  beforeAll(async () => {
    gateway = await startGateway()
    owner = await newOwner(gateway)
    await gateway.ctx.db.query('UPDATE plans SET monthly_credits = 1000000')
  })
  afterAll(() => gateway.stop())

  let made = 0
  async function newCall(name: string): Promise<string> {
    const endpoint = gateway.ctx.apps.get(app)?.endpoints.get(name)
    if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
    const input = { text: String(++made) }
    const { id, keyId } = owner
    // As after a success: what is paused takes no calls.
    await gateway.ctx.db.query('DELETE FROM pauses')
    const request = { owner: id, keyId, endpoint, input, account: undefined, idempotencyKey: undefined }
    return (await accept(gateway.ctx, request)).callId
  }

  /** What the functions answer, as the machine would put it. */
  async function take(callId: string, attempt: number, next: Act): Promise<unknown> {
    const { db } = gateway.ctx
    const at = 'stale' in next && next.stale ? attempt - 1 : attempt
    switch (next.do) {
      case 'decide':
        return decide(db, callId, next.as, owner.id)
      case 'settle':
        if (next.by === 'engine') return settle(db, callId, null, { status: next.as })
        return settle(db, callId, at, { status: next.as }, next.by === 'sender' ? sender : sender + 1)
      case 'send':
        return takeRightToSend(db, { id: callId, attempt: at, round: 1 }, sender)
      case 'block':
        return (await block(db, callId, at)) !== null
      case 'again':
        return (await nextAttempt(db, callId, at, 'rate_limited', null)) !== null
      case 'recover':
        return recoverCall(db, callId, at, 3)
      case 'withdraw':
        return withdraw(db, callId)
      case 'resolve':
        return resolveUnknown(gateway.ctx, { owner: owner.id, callId, happened: true, by: 'owner' })
      case 'time is over': {
        const { rowCount } = await db.query(
          `UPDATE calls SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1 AND confirm`,
          [callId],
        )
        return rowCount === 1
      }
    }
  }

  async function read(callId: string): Promise<State> {
    const { rows } = await gateway.ctx.db.query<State>(
      `SELECT access, confirm, status, decision, send, attempt, tries, coalesce(expires_at < clock_timestamp(), false) AS over,
         resolution IS NOT NULL AS resolved FROM calls WHERE id = $1`,
      [callId],
    )
    if (rows[0] === undefined) throw new Error('the call is gone')
    return rows[0]
  }

  /** What holds whatever the machine says. */
  function judge(before: State, after: State): void {
    if (isFinal(before.status)) expect(after.status, 'a final status stands').toBe(before.status)
    if (before.decision !== null) expect(after.decision, 'a decision stands').toBe(before.decision)
    if (before.resolved) expect(after.resolved, 'a resolution stands').toBe(true)
    expect(after.attempt).toBeGreaterThanOrEqual(before.attempt)
    if (after.send === 'sending' && after.confirm) expect(after.decision, 'nothing is sent unapproved').toBe('approved')
    if (['rejected', 'expired'].includes(after.status)) expect(after.send).toBe('ready')
    if (after.status === 'cancelled') expect(after.send, 'a cancelled call was not sent').not.toBe('sending')
  }

  const names = fc.constantFrom('list_listings', 'add_contact_note', 'reply_to_contact', 'reply_to_contact')

  it('are those of the machine, one act after the other', async () => {
    await check(
      fc.asyncProperty(names, fc.array(act, { minLength: 3, maxLength: 25 }), async (name, acts) => {
        const callId = await newCall(name)
        let state = await read(callId)
        expect(state).toEqual(started(state))
        for (const next of acts) {
          const expected = apply(state, state.attempt, next)
          expect(await take(callId, state.attempt, next), JSON.stringify(next)).toEqual(expected.answer)
          const after = await read(callId)
          expect(after, JSON.stringify(next)).toEqual(expected.state)
          judge(state, after)
          state = after
        }
        await settle(gateway.ctx.db, callId, null, { status: 'failed' })
        await decide(gateway.ctx.db, callId, 'cancelled', owner.id)
      }),
      120,
    )
  })

  it('are those of some order, when several act at the same moment; of two decisions or ends one wins', async () => {
    const moments = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 9 })
    await check(
      fc.asyncProperty(names, moments, async (name, groups) => {
        const callId = await newCall(name)
        let state = await read(callId)
        for (const group of groups) {
          const { attempt } = state
          const answers = await Promise.all(group.map((next) => take(callId, attempt, next)))
          const after = await read(callId)
          expect(outcomesOf(state, attempt, group), JSON.stringify(group)).toContainEqual({ answers, state: after })
          const won = (kind: Act['do']): number =>
            group.filter((one, i) => one.do === kind && answers[i] === true).length
          expect(won('decide')).toBeLessThanOrEqual(1)
          expect(won('withdraw')).toBeLessThanOrEqual(1)
          expect(won('resolve')).toBeLessThanOrEqual(1)
          if (state.access === 'write' && won('block') + won('again') === 0)
            expect(won('send'), 'one right to send an attempt').toBeLessThanOrEqual(1)
          judge(state, after)
          state = after
        }
        await settle(gateway.ctx.db, callId, null, { status: 'failed' })
        await decide(gateway.ctx.db, callId, 'cancelled', owner.id)
      }),
      160,
    )
  })
})
