import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept } from '../../core/calls/accept.ts'
import { decide, settle, withdraw } from '../../core/calls/rows.ts'
import { block } from '../../core/calls/blocks.ts'
import { reserveAgain, takeRightToSend } from '../../core/calls/sending-rows.ts'
import type { Plan } from '../../core/users/rows.ts'
import { refundCall } from '../../core/operators/operate.ts'
import { changePlan } from '../../core/credits/plans.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { app, newOwner } from '../api/http/owners.ts'
import type { Owner } from '../api/http/owners.ts'
import { balancedLedger } from '../support/ledger.ts'
import { check, timeout } from './check.ts'
import { Book, monthlyCredits } from './book.ts'

/** What happens to the credits of one owner. `call` picks one of the calls that there are; `stale`: by an attempt that is over. */
type Step =
  | { readonly do: 'accept'; readonly endpoint: 'list_listings' | 'add_contact_note' | 'reply_to_contact' }
  | {
      readonly do: 'settle'
      readonly call: number
      readonly as: 'executed' | 'failed' | 'unknown'
      readonly stale: boolean
    }
  | { readonly do: 'decide'; readonly call: number; readonly as: 'approved' | 'rejected' | 'cancelled' }
  | { readonly do: 'block'; readonly call: number; readonly stale: boolean }
  | { readonly do: 'send' | 'withdraw' | 'reserve' | 'refund'; readonly call: number }
  | { readonly do: 'plan'; readonly plan: Plan }
  | { readonly do: 'month' }

/** Of the one try that sends: its process is not there to hold the lock, so it counts as gone when somebody asks. */
const sender = 1

const call = fc.nat({ max: 40 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      endpoint: fc.constantFrom('list_listings' as const, 'add_contact_note' as const, 'reply_to_contact' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      call,
      as: fc.constantFrom('executed' as const, 'executed' as const, 'failed' as const, 'unknown' as const),
      stale: fc.nat({ max: 4 }).map((n) => n === 0),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      call,
      as: fc.constantFrom('approved' as const, 'approved' as const, 'rejected' as const, 'cancelled' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('block' as const), call, stale: fc.boolean() }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'send' as const,
        'withdraw' as const,
        'reserve' as const,
        'reserve' as const,
        'refund' as const,
      ),
      call,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      plan: fc.constantFrom('small' as const, 'medium' as const, 'large' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('month' as const) }) },
)

/** Promise 4, after every step of any story, against a book kept beside the database. */
describe('the ledger', { timeout }, () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
    // So small that they run out, and a month that ends when the test says so.
    for (const [plan, credits] of Object.entries(monthlyCredits))
      await gateway.ctx.db.query('UPDATE plans SET monthly_credits = $2 WHERE name = $1', [plan, credits])
    await gateway.ctx.db.query(`
      CREATE TABLE test_clock (month date);
      INSERT INTO test_clock VALUES ('2026-01-01');
      CREATE OR REPLACE FUNCTION this_month() RETURNS date LANGUAGE sql STABLE AS 'SELECT month FROM test_clock'`)
  })
  afterAll(() => gateway.stop())

  let made = 0
  async function tryAccept(owner: Owner, name: string): Promise<{ id: string; credits: number } | 'poor'> {
    const endpoint = gateway.ctx.apps.get(app)?.endpoints.get(name)
    if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
    const input = { text: String(++made) }
    // As after a success: what is paused takes no calls.
    await gateway.ctx.db.query('DELETE FROM pauses')
    try {
      const { callId } = await accept(gateway.ctx, {
        owner: owner.id,
        keyId: owner.keyId,
        endpoint,
        input,
        account: undefined,
        idempotencyKey: undefined,
      })
      return { id: callId, credits: endpoint.credits }
    } catch (error) {
      if (error instanceof CallgateError && error.code === 'insufficient_credits') return 'poor'
      throw error
    }
  }

  async function take(owner: Owner, book: Book, next: Step): Promise<void> {
    const { ctx } = gateway
    if (next.do === 'accept') {
      const accepted = await tryAccept(owner, next.endpoint)
      book.accept(accepted, next.endpoint === 'reply_to_contact')
      return
    }
    if (next.do === 'plan') {
      expect(await changePlan(ctx, owner.id, next.plan), 'topped up').toBe(book.changePlan(next.plan))
      return
    }
    if (next.do === 'month') {
      await ctx.db.query(`UPDATE test_clock SET month = month + interval '1 month'`)
      book.turnMonth()
      return
    }
    const one = book.call(next.call)
    if (one === undefined) return
    const { id, attempt } = one
    switch (next.do) {
      case 'settle': {
        const end = next.as === 'executed' && one.held === null ? 'failed' : next.as
        const stands = await settle(ctx.db, id, next.stale ? attempt - 1 : attempt, { status: end }, sender)
        if (!next.stale) book.settle(one, end)
        expect(stands).toBe(one.status)
        return
      }
      case 'decide': {
        const won = await decide(ctx.db, id, next.as, owner.id)
        expect(won).toBe(book.decide(one, next.as))
        return
      }
      case 'block': {
        const until = await block(ctx.db, id, next.stale ? attempt - 1 : attempt)
        expect(until !== null).toBe(!next.stale && book.block(one))
        return
      }
      case 'send':
        expect(await takeRightToSend(ctx.db, { id, attempt, round: 1 }, sender)).toBe(book.send(one))
        return
      case 'withdraw':
        expect(await withdraw(ctx.db, id)).toBe(book.withdraw(one))
        return
      case 'reserve':
        // As the workflow does: only a call that goes on reserves again.
        if (one.status === 'running') expect(await reserveAgain(ctx.db, id)).toBe(book.reserve(one))
        return
      case 'refund':
        expect(await refundCall(ctx, id, 'a test', 'operator:test')).toBe(book.refund(one))
    }
  }

  async function agrees(owner: Owner, book: Book): Promise<void> {
    const { db } = gateway.ctx
    const { rows } = await db.query('SELECT available, reserved FROM balances WHERE owner = $1', [owner.id])
    expect(rows).toEqual([{ available: book.available, reserved: book.reserved }])
    await balancedLedger(gateway.ctx, owner.id)
    const { rows: calls } = await db.query(
      `SELECT c.id, c.status, c.attempt, c.credits_used AS used, to_char(c.reserved_month, 'YYYY-MM-DD') AS held,
         coalesce(sum(amount) FILTER (WHERE kind = 'reserve'), 0)::integer
           - coalesce(sum(amount) FILTER (WHERE kind = 'release'), 0)::integer
           - coalesce(sum(amount) FILTER (WHERE kind = 'capture'), 0)::integer AS open,
         count(*) FILTER (WHERE kind = 'capture')::integer AS captures,
         coalesce(sum(amount) FILTER (WHERE kind = 'capture'), 0)::integer AS captured,
         coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0)::integer AS refunded
       FROM calls c LEFT JOIN ledger l ON l.call_id = c.id WHERE c.owner = $1 GROUP BY c.id ORDER BY c.id`,
      [owner.id],
    )
    expect(calls).toEqual(
      book.calls.map(({ id, status, attempt, held, used, refunded, credits }) => ({
        id,
        status,
        attempt,
        held,
        used,
        open: held === null ? 0 : credits,
        captures: used > 0 ? 1 : 0,
        captured: used,
        refunded,
      })),
    )
  }

  it('agrees with the balance, call by call, after every step of any story', async () => {
    const stories = fc.array(step, { minLength: 10, maxLength: 45 })
    await check(
      fc.asyncProperty(stories, async (story) => {
        const owner = await newOwner(gateway)
        const { rows } = await gateway.ctx.db.query<{ month: string }>(
          `SELECT to_char(month, 'YYYY-MM-DD') AS month FROM test_clock`,
        )
        const book = new Book('small', rows[0]?.month ?? '')
        for (const next of story) {
          await take(owner, book, next)
          await agrees(owner, book)
        }
      }),
      45,
    )
  })
})
