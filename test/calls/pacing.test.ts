import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyPacing } from '../../core/temporal/pacing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { handedOver, queuedAt } from '../support/history.ts'
import { balancedLedger } from '../support/ledger.ts'
import { forgetRates, queueRates } from '../support/rates.ts'
import type { Answer, TestUser } from '../support/user.ts'
import { endLeadership } from '../support/leadership.ts'

const patient = { Prefer: 'wait=50' }

/** The engine notes a send as handed over after it was, on a busy machine some later than others, in ms. A doubled pace shows all the same. */
const slack = 1_000

/** Checks a token bucket: in no stretch of time more than `burst` and what the rate allows. */
function expectPaced(moments: readonly number[], perSecond: number, burst: number): void {
  const sorted = moments.toSorted((a, b) => a - b)
  for (const [i, from] of sorted.entries()) {
    for (let j = i; j < sorted.length; j++) {
      const seconds = ((sorted[j] ?? from) - from + slack) / 1000
      expect(j - i + 1, `sends within ${seconds} s`).toBeLessThanOrEqual(burst + perSecond * seconds)
    }
  }
}

describe('pacing', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  const note = (user: TestUser, contact: string, text: string): Promise<Answer> =>
    user.call('add_contact_note', { contact_id: contact, note: text }, patient)

  it('stands on the engine: 20 sends a second for the app and 2 for each account', async () => {
    await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 20, perAccount: 2 })
  })

  it('is put in place again when the sweeper that leads changes', async () => {
    await forgetRates(stack.ctx)
    expect(await queueRates(stack.ctx)).toEqual({ perApp: undefined, perAccount: undefined })
    await endLeadership(stack)
    await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 20, perAccount: 2 })
  })

  it('spreads 40 calls at once of one account, delays nobody else, and never earns the ban of the app', async () => {
    const [busy, calm] = [await stack.user(), await stack.user()]
    const contact = await firstContact(busy)
    await sleep(1_500)
    const flood = Promise.all(Array.from({ length: 39 }, (_, i) => note(busy, contact, `Note ${i}`)))
    const meanwhile: string[] = []
    for (let i = 0; i < 5; i++) {
      await sleep(1_500)
      const answer = await calm.call('list_listings', { limit: 1 }, patient)
      expect(answer.status).toBe(200)
      meanwhile.push(answer.headers.get('X-Request-Id') ?? '')
    }
    const executed = await flood
    // A ban would show as TARGET_BLOCKED.
    expect(new Set(executed.map(({ status }) => status))).toEqual(new Set([200]))

    const effects = await stack.sandbox.effects(busy.account.seeded.account)
    expect(effects).toHaveLength(executed.length)
    const moments = await handedOver(
      stack.ctx,
      executed.map(({ headers }) => headers.get('X-Request-Id') ?? ''),
    )
    expectPaced(moments, 2, 3)
    // Told by turns, not by seconds, which a busy machine has too many of: behind the other account it would be all that are left.
    const started = await handedOver(stack.ctx, meanwhile)
    const queued = await Promise.all(meanwhile.map((id) => queuedAt(stack.ctx, id)))
    const overtaken = started.map((at) => {
      const since = Math.max(...queued.filter((moment) => moment <= at))
      return moments.filter((moment) => moment > since && moment < at).length
    })
    expect(Math.max(...overtaken), `sends before those of another account: ${overtaken.join(', ')}`).toBeLessThan(6)
    expect(Math.max(...moments), 'they came in the middle of it').toBeGreaterThan(Math.min(...started))
    const sent = effects.map(({ at }) => Date.parse(at))
    const seconds = (Math.max(...sent) - Math.min(...sent)) / 1000
    expect(seconds, 'and it is not slower than it has to be').toBeLessThan((executed.length / 2) * 5)
    await balancedLedger(stack.ctx, busy.id)
  })

  it.each([
    ['at most 20 a second to an app, over many accounts', null, 20, 70],
    ['no more to an app than an operator allows', 5, 5, 20],
  ] as const)('sends %s', async (_what, appRate, perSecond, count) => {
    await stack.ctx.db.query(
      `INSERT INTO app_controls (app, app_rate) VALUES ($1, $2) ON CONFLICT (app) DO UPDATE SET app_rate = excluded.app_rate`,
      [stack.sandbox.slug, appRate],
    )
    await applyPacing(stack.ctx, stack.sandbox.slug)
    await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: perSecond, perAccount: 2 })
    const accounts = Array.from({ length: count / 2 }, () => 'agency' as const)
    const users = await Promise.all([stack.user({ accounts }), stack.user({ accounts })])
    // All of them wait in the queue before anything is sent: nothing but the pace holds them back then.
    await stack.stopWorker()
    const asked = await Promise.all(
      users.flatMap((user) =>
        user.accounts.map(({ id }) =>
          user.call('list_listings', { limit: 1 }, { Prefer: 'wait=0', 'X-Callgate-Account': id }),
        ),
      ),
    )
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([202]))
    await stack.startWorker()
    const ids = asked.map(({ body }) => String(body['call_id']))
    expectPaced(await handedOver(stack.ctx, ids), perSecond, perSecond + 1)
  })
})
