import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findStanding } from '../../core/approvals/standing-rows.ts'
import type { FailPoint } from '../../core/fail-point.ts'
import { loadApps } from '../../connectors/registry.ts'
import { died } from '../fire/lane.ts'
import { startGateway } from '../fire/gateway.ts'
import type { Gateway } from '../fire/gateway.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { withinOneDay } from '../support/one-day.ts'
import { standingFor } from '../support/standing.ts'
import type { TestUser } from '../support/user.ts'

describe('a standing approval, over real processes', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.stop())

  const parts = () => ({
    db: gateway.db,
    secrets: gateway.secrets,
    apps: loadApps({ sandboxUrl: gateway.site.sandboxUrl }),
  })
  const effectsOf = (user: TestUser) => gateway.sandbox.effects(user.account.seeded.account)

  const statusOf = async (callId: string): Promise<string | undefined> => {
    const { rows } = await gateway.db.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [callId])
    return rows[0]?.status
  }

  it('with a budget of 5: of 50 calls at once over two API processes 5 are sent and 45 wait', async () => {
    const [api, url, worker] = await Promise.all([gateway.startApi(), gateway.anotherApi(), gateway.startWorker()])
    const user = await gateway.user()
    const contact = await firstContact(user)
    await withinOneDay(30)
    const id = await standingFor(parts(), user, { perDay: 5 })
    const urls = [gateway.publicUrl, url]
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const answer = await fetch(`${urls[n % 2]}/api/v1/property-advertising/reply_to_contact`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${user.key}`, 'Content-Type': 'application/json', Prefer: 'wait=50' },
          body: JSON.stringify({ contact_id: contact, message: `Number ${n}` }),
        })
        const body = (await answer.json()) as { status?: string; message_id?: string }
        return body.message_id === undefined ? `${answer.status} ${body.status}` : `${answer.status} sent`
      }),
    )
    const counts: Record<string, number> = {}
    for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
    expect(counts).toEqual({ '200 sent': 5, '202 awaiting_confirmation': 45 })
    expect(await effectsOf(user)).toHaveLength(5)
    expect(await findStanding(gateway.db, user.id, id)).toMatchObject({ used: 5, used_today: 5 })
    expect(await balancedLedger(gateway, user.id)).toEqual({ captured: 1 + 5 * 3, reserved: 45 * 3 })
    await Promise.all([api.kill(), worker.kill()])
    await gateway.killAll()
  })

  it.for(['accept.after-commit', 'start.before-answer'] as const satisfies readonly FailPoint[])(
    'a call that it approved is sent once although its API process dies (%s)',
    async (point) => {
      const [first, worker] = await Promise.all([gateway.startApi(), gateway.startWorker()])
      const user = await gateway.user()
      const contact = await firstContact(user)
      const id = await standingFor(parts(), user)
      await first.kill()
      const api = await gateway.startApi(point)
      const input = { contact_id: contact, message: `Through ${point}` }
      await expect(user.call('reply_to_contact', input)).rejects.toThrow()
      await died(api, point)
      const { rows } = await gateway.db.query<{ id: string }>('SELECT id FROM calls WHERE decided_by = $1', [id])
      const callId = rows[0]?.id ?? ''
      expect(rows).toHaveLength(1)
      if (point === 'accept.after-commit') expect(await statusOf(callId)).toBe('running')

      const next = await gateway.startApi()
      await expect.poll(() => statusOf(callId)).toBe('executed')
      expect(await effectsOf(user)).toHaveLength(1)
      expect(await balancedLedger(gateway, user.id)).toEqual({ captured: 4, reserved: 0 })
      await Promise.all([next.kill(), worker.kill()])
    },
  )
})
