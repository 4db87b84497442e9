import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FailPoint } from '../../core/fail-point.ts'
import type { Gateway } from './gateway.ts'
import { died, inEach, openLanes } from './lane.ts'
import type { Lane, Seen } from './lane.ts'

describe('a worker that kills itself', () => {
  let lanes: Lane[] = []
  beforeAll(async () => {
    lanes = await openLanes()
    await Promise.all(lanes.map(({ gateway }) => gateway.startApi()))
  })
  afterAll(async () => {
    for (const lane of lanes.toReversed()) await lane.gateway.stop()
  })

  /** The write's row and effects when the worker is dead, and how many effects a read or a write has in the end. */
  const points: readonly {
    readonly at: FailPoint
    readonly when: string
    readonly seen: Pick<Seen, 'status' | 'send' | 'effects' | 'reserved'>
    readonly write: 'executed' | 'unknown'
  }[] = [
    {
      at: 'send.before-fence',
      when: 'before it takes the right to send: nothing was sent, and the next worker sends it',
      seen: { status: 'running', send: 'ready', effects: 0, reserved: true },
      write: 'executed',
    },
    {
      at: 'send.after-fence',
      when: 'between the right to send and the first byte: a read is read again, a write is unknown',
      seen: { status: 'running', send: 'sending', effects: 0, reserved: true },
      write: 'unknown',
    },
    {
      at: 'send.unanswered',
      when: 'after sending, before the answer: a read is read again, a write is unknown',
      seen: { status: 'running', send: 'sending', effects: 1, reserved: true },
      write: 'unknown',
    },
    {
      at: 'send.before-settling',
      when: 'after the answer, before settling: a read is read again, a write is unknown',
      seen: { status: 'running', send: 'sending', effects: 1, reserved: true },
      write: 'unknown',
    },
    {
      at: 'send.before-report',
      when: 'after settling, before reporting: the call has ended, and nothing is sent again',
      seen: { status: 'executed', send: 'sending', effects: 1, reserved: false },
      write: 'executed',
    },
  ]

  it.for(points)('$when ($at)', async ({ at, seen, write }) => {
    await inEach(lanes, async (lane) => {
      const { gateway, isRead } = lane
      const worker = await gateway.startWorker(at)
      if (at === 'send.unanswered') await gateway.sandbox.fault('slow', { ms: 20_000, path: lane.path })
      const wanted = lane.mark()
      const callId = await lane.begin(wanted)
      await died(worker, at)
      const { kind } = lane
      expect({ kind, ...(await lane.seen(callId, wanted)) }).toMatchObject({
        kind,
        ...seen,
        effects: isRead ? 0 : seen.effects,
      })

      const next = await gateway.startWorker()
      const status = isRead ? 'executed' : write
      expect({ kind, status: await lane.end(callId) }).toEqual({ kind, status })
      expect((await lane.seen(callId, wanted)).effects).toBe(isRead ? 0 : seen.effects || Number(write === 'executed'))
      expect(await lane.user.record(callId)).toMatchObject({
        status,
        credits_used: status === 'unknown' ? 0 : isRead ? 1 : 3,
      })
      await gateway.temporal.workflow.getHandle(callId).result()
      await lane.checkPromises()
      await next.kill()
    })
  })

  it.for(['undoes', 'finishes'] as const)(
    'during a refund, which the database %s: every sum agrees afterwards',
    async (fate) => {
      await inEach(lanes, async (lane) => {
        const { gateway, isRead, kind } = lane
        const wanted = { ...lane.mark(), refused: true }
        const callId = await lane.begin(wanted)
        // The refund has to wait for the balance, which somebody else holds.
        const holder = await gateway.db.connect()
        try {
          await holder.query('BEGIN')
          await holder.query('SELECT FROM balances WHERE owner = $1 FOR UPDATE', [lane.user.id])
          const worker = await gateway.startWorker('settle.unanswered')
          await died(worker, 'settle.unanswered')
          await expect.poll(() => waitingRefunds(gateway), { message: kind }).toHaveLength(1)
          const refunds = await waitingRefunds(gateway)
          expect(await lane.seen(callId, wanted)).toMatchObject({
            status: 'running',
            send: 'sending',
            reserved: true,
          })
          if (fate === 'undoes') await gateway.db.query('SELECT pg_terminate_backend($1)', refunds)
        } finally {
          await holder.query('ROLLBACK')
          holder.release()
        }

        const next = await gateway.startWorker()
        const status = fate === 'undoes' && !isRead ? 'unknown' : 'failed'
        expect({ kind, status: await lane.end(callId) }).toEqual({ kind, status })
        expect(await lane.seen(callId, wanted)).toMatchObject({ reserved: false, effects: 0 })
        await gateway.temporal.workflow.getHandle(callId).result()
        await lane.checkPromises()
        await next.kill()
      })
    },
  )
})

/** The server processes that were asked for a refund and wait for the balance. */
async function waitingRefunds({ db }: Gateway): Promise<number[]> {
  const { rows } = await db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%settle_call%'`,
  )
  return rows.map(({ pid }) => pid)
}
