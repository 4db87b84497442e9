import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FailPoint } from '../../core/fail-point.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { died, inEach, openLanes } from './lane.ts'
import type { Lane, Wanted } from './lane.ts'

describe('an API process that kills itself', () => {
  let lanes: Lane[] = []
  beforeAll(async () => {
    lanes = await openLanes()
  })
  afterAll(async () => {
    for (const lane of lanes.toReversed()) await lane.gateway.stop()
  })

  afterEach(async () => {
    await Promise.all(lanes.map(({ gateway }) => gateway.killAll()))
  })

  const lost = (what: Promise<unknown>): Promise<'answered' | 'lost'> =>
    what.then(
      () => 'answered' as const,
      () => 'lost' as const,
    )

  /** Approves where that is due; a worker sends it; then everything holds. */
  async function sentOnce(lane: Lane, callId: string, wanted: Wanted): Promise<void> {
    if (lane.kind === 'approved write') expect((await lane.user.approve(callId)).status).toBe(303)
    await executedOnce(lane, callId, wanted)
  }

  async function executedOnce(lane: Lane, callId: string, wanted: Wanted) {
    const { kind } = lane
    const status = await lane.end(callId)
    const { error } = await lane.user.record(callId)
    expect({ kind, status, error }).toEqual({ kind, status: 'executed', error: undefined })
    expect(await lane.seen(callId, wanted)).toMatchObject({ effects: lane.isRead ? 0 : 1, reserved: false })
    await finish(lane, callId)
  }

  async function finish(lane: Lane, callId: string): Promise<void> {
    await lane.gateway.temporal.workflow.getHandle(callId).result()
    await lane.checkPromises()
  }

  it('before accept commits: there is no call, and the client may ask again with the same key', () =>
    inEach(lanes, async (lane) => {
      const { gateway } = lane
      const api = await gateway.startApi('accept.before-commit')
      const wanted = lane.mark()
      expect(await lost(lane.ask(wanted))).toBe('lost')
      await died(api, 'accept.before-commit')
      expect(await lane.accepted(wanted)).toBeUndefined()
      const held = `SELECT FROM calls WHERE owner = $1 AND status IN ('running', 'awaiting_confirmation')`
      expect((await gateway.db.query(held, [lane.user.id])).rowCount).toBe(0)
      expect((await lane.effects()).filter(({ body }) => JSON.stringify(body).includes(wanted.mark))).toEqual([])

      await restart(lane)
      await sentOnce(lane, await lane.asked(wanted), wanted)
    }))

  it('after the acceptance, before the start: the sweeper starts the call', () =>
    inEach(lanes, async (lane) => {
      const api = await lane.gateway.startApi('accept.after-commit')
      const wanted = lane.mark()
      expect(await lost(lane.ask(wanted))).toBe('lost')
      await died(api, 'accept.after-commit')
      const callId = await lane.known(wanted)
      expect(await lane.seen(callId, wanted)).toEqual(accepted(lane))
      expect(await lane.signals(callId)).toBeNull()

      await restart(lane)
      await sentOnce(lane, callId, wanted)
    }))

  it('after the start, before the answer: the same key finds the same call', () =>
    inEach(lanes, async (lane) => {
      const api = await lane.gateway.startApi('start.before-answer')
      const wanted = lane.mark()
      expect(await lost(lane.ask(wanted))).toBe('lost')
      await died(api, 'start.before-answer')
      const callId = await lane.known(wanted)
      expect(await lane.seen(callId, wanted)).toEqual(accepted(lane))
      expect(await lane.signals(callId)).toBe(0)

      // Before a worker is there, so that it is certainly not final yet.
      await lane.gateway.startApi()
      expect(await lane.asked(wanted)).toBe(callId)
      await lane.gateway.startWorker()
      await sentOnce(lane, callId, wanted)
    }))

  const accepted = (lane: Lane) => ({
    status: lane.kind === 'approved write' ? 'awaiting_confirmation' : 'running',
    send: 'ready',
    decision: null,
    reserved: true,
    effects: 0,
  })

  const decisions: readonly { at: FailPoint; when: string; signals: number }[] = [
    { at: 'decide.after-commit', when: 'decision committed, not signalled', signals: 0 },
    { at: 'decide.before-answer', when: 'decision signalled, not answered', signals: 1 },
  ]
  it.for(decisions)('$when: what was decided stands ($at)', ({ at, signals }) =>
    inEach(lanes, async (lane) => {
      const { gateway, user } = lane
      const api = await gateway.startApi(at)
      const wanted = lane.mark()
      const callId = await lane.asked(wanted)
      const isApproval = lane.kind === 'approved write'
      expect(await lost(isApproval ? user.approve(callId) : user.cancel(callId))).toBe('lost')
      await died(api, at)
      expect(await lane.seen(callId, wanted)).toMatchObject(
        isApproval
          ? { status: 'running', decision: 'approved', send: 'ready', reserved: true, effects: 0 }
          : { status: 'cancelled', send: 'withdrawn', reserved: false, effects: 0 },
      )
      // While the dead process still holds the run's task, the engine keeps a signal back from the history.
      await expect.poll(() => lane.signals(callId)).toBe(signals)

      await restart(lane)
      if (isApproval) {
        await executedOnce(lane, callId, wanted)
        return
      }
      expect((await user.cancel(callId)).status).toBe(409)
      await gateway.temporal.workflow.getHandle(callId).result()
      expect(await lane.seen(callId, wanted)).toMatchObject({ status: 'cancelled', effects: 0 })
      await finish(lane, callId)
    }),
  )

  describe('when the time to decide ends', () => {
    const expirySeconds = 8
    let lane: Lane
    beforeAll(async () => {
      const found = lanes.find(({ kind }) => kind === 'approved write')
      if (found === undefined) throw new Error('no lane')
      lane = found
      await setConfirm(lane.gateway, lane.user.id, 'property-advertising', 'reply_to_contact', { expirySeconds })
    })

    async function waiting(at: FailPoint) {
      const api = await lane.gateway.startApi(at)
      const wanted = lane.mark()
      const callId = await lane.asked(wanted)
      const person = await lane.user.person()
      const form = await person.confirmForm(callId)
      const { rows } = await lane.gateway.db.query<{ at: Date }>('SELECT expires_at AS at FROM calls WHERE id = $1', [
        callId,
      ])
      const expiresAt = rows[0]?.at.getTime() ?? 0
      const approve = () => person.post(`/confirm/${callId}`, { ...form, decision: 'approve' })
      return { api, wanted, callId, approve, until: (ms: number) => sleep(Math.max(0, expiresAt + ms - Date.now())) }
    }

    it('an approval in the last moment counts, although nothing runs when the time is over', async () => {
      const call = await waiting('decide.after-commit')
      await call.until(-3_000)
      expect(await lost(call.approve())).toBe('lost')
      await died(call.api, 'decide.after-commit')
      expect(await lane.seen(call.callId, call.wanted)).toMatchObject({ decision: 'approved', effects: 0 })
      await call.until(500)
      await restart(lane)
      await executedOnce(lane, call.callId, call.wanted)
    })

    it('an approval that was not committed in time is none', async () => {
      const call = await waiting('decide.before-commit')
      await call.until(-3_000)
      expect(await lost(call.approve())).toBe('lost')
      await died(call.api, 'decide.before-commit')
      expect(await lane.seen(call.callId, call.wanted)).toMatchObject({
        status: 'awaiting_confirmation',
        decision: null,
      })
      await call.until(0)
      await expired(call)
    })

    it('an expiry and an approval at the same moment leave one of them', async () => {
      const call = await waiting('expire.before-commit')
      await call.until(-20)
      const answer = await call.approve().then(
        ({ status }) => status,
        () => null,
      )
      const seen = await lane.seen(call.callId, call.wanted)
      if (seen.decision === 'approved') {
        // The approval was first: the run reads it and never comes to the point where it would expire the call.
        expect([303, null]).toContain(answer)
        await call.api.kill()
        await restart(lane)
        return executedOnce(lane, call.callId, call.wanted)
      }
      expect([409, null]).toContain(answer)
      await died(call.api, 'expire.before-commit')
      expect(await lane.seen(call.callId, call.wanted)).toMatchObject({
        status: 'awaiting_confirmation',
        decision: null,
      })
      await expired(call)
    })

    async function expired(call: Awaited<ReturnType<typeof waiting>>): Promise<void> {
      await restart(lane)
      expect((await call.approve()).status).toBe(409)
      expect(await lane.end(call.callId)).toBe('expired')
      expect(await lane.seen(call.callId, call.wanted)).toMatchObject({ effects: 0, reserved: false })
      expect((await call.approve()).status).toBe(409)
      await finish(lane, call.callId)
    }
  })

  async function restart({ gateway }: Lane): Promise<void> {
    await Promise.all([gateway.startApi(), gateway.startWorker()])
  }
})
