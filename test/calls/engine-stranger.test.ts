import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { callArgs } from '../../core/calls/workflow-args.ts'
import { liftPause } from '../../core/operators/pauses.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { askedReply, waitsFor } from '../support/asked-reply.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { StrangersRun } from '../support/stranger.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const queue = `app.${app}`

/**
 * Whoever reaches the engine's port is asked for nothing there: they start, signal and end runs, and have activities run with whatever they
 * like. What it gets them is delay: no call ends wrongly, nothing is sent twice or unapproved.
 */
describe('a stranger at the engine', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())
  afterEach(() => stack.sandbox.clearFaults())

  const engine = () => stack.ctx.temporal.workflowService
  const namespace = () => stack.ctx.config.temporalNamespace
  const runOf = (callId: string) => stack.ctx.temporal.workflow.getHandle(callId)
  const effects = async (user: TestUser) => (await stack.sandbox.effects(user.account.seeded.account)).length
  const lookNow = (callId: string) =>
    stack.ctx.db.query(`UPDATE calls SET check_at = now() WHERE id = $1 AND check_at IS NOT NULL`, [callId])

  async function rowOf(callId: string) {
    const { rows } = await stack.ctx.db.query<Parameters<typeof callArgs>[0] & { status: string; send: string }>(
      'SELECT * FROM calls WHERE id = $1',
      [callId],
    )
    if (rows[0] === undefined) throw new Error('no such call')
    return rows[0]
  }

  /** Calls that the app takes seconds for, one a user, each with the right to send in use. */
  async function underWay(endpoint: 'add_contact_note' | 'list_listings', users: readonly TestUser[], ms: number) {
    const contacts = await Promise.all(users.map((user) => firstContact(user)))
    await stack.sandbox.fault('slow', { ms, times: users.length })
    const ids = await Promise.all(
      users.map(async (user, n) => {
        const input = endpoint === 'list_listings' ? { limit: 1 } : { contact_id: contacts[n], note: 'x' }
        return String((await user.call(endpoint, input, { Prefer: 'wait=0' })).body['call_id'])
      }),
    )
    const sending = async () => (await Promise.all(ids.map(rowOf))).every(({ send }) => send === 'sending')
    await expect.poll(sending, { interval: 50 }).toBe(true)
    return ids
  }

  /** What a run in the place of a call's own makes of everything that could be believed. */
  async function lies(run: StrangersRun, callId: string): Promise<void> {
    const tries = [
      ...[{ begun: true, silent: true }, { lastWord: 'begun' }, { lastWord: `begun.0.${'A'.repeat(43)}` }, {}],
    ].map((said) => ({ callId, attempt: 0, ...said }))
    for (const job of [...tries, { callId, attempt: 9 }, { callId, attempt: 'x' }, {}, null])
      expect(await run.ask('recover', 'callgate', job)).not.toMatchObject({ result: { kind: 'final' } })
    for (const code of ['TARGET_BLOCKED', 'AUTH_EXPIRED', 'internal'])
      expect(await run.ask('giveUp', 'callgate', callId, code)).toEqual({ failure: 'not_over' })
    expect(await run.ask('endOf', 'callgate', callId, 'x')).toEqual({ result: null })
    expect(await run.ask('send', 'app.crm', { callId, attempt: 0 })).toEqual({ failure: 'stranger' })
    expect(await run.ask('send', queue, { callId, attempt: 7 })).toEqual({ failure: 'lost_right' })
  }

  it('with a run of another id or type is refused by every activity', async () => {
    const user = await stack.user()
    const callId = await askedReply(user, 'Not theirs')
    const [run, typed] = await Promise.all([
      StrangersRun.start(stack, `not-${callId}`),
      StrangersRun.start(stack, `${callId}-typed`, 'housekeeping'),
    ])
    for (const one of [run, typed]) {
      for (const [activity, ...args] of [
        ['decisionOf', callId],
        ['endOf', callId],
        ['giveUp', callId, 'TARGET_BLOCKED'],
        ['recover', { callId, attempt: 0 }],
      ] as const)
        expect(await one.ask(activity, 'callgate', ...args), activity).toEqual({ failure: 'stranger' })
      expect(await one.ask('send', queue, { callId, attempt: 0 })).toEqual({ failure: 'stranger' })
      expect(await one.ask('deliverNotice', 'notices', 'ntc_1')).toEqual({ failure: 'stranger' })
      await one.complete('done')
    }
    await user.cancel(callId)
  })

  it('in the place of the run of a write that is being sent changes nothing: its sender says how it ends', async () => {
    const user = await stack.user()
    const [callId = ''] = await underWay('add_contact_note', [user], 6_000)
    await lies(await StrangersRun.start(stack, callId), callId)
    expect(await rowOf(callId)).toMatchObject({ status: 'running', send: 'sending' })
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed', credits_used: 3 })
    expect(await effects(user)).toBe(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('who answers for the sending activity changes nothing either, of a write or of a read', async () => {
    const answers: readonly ((execution: { namespace: string; workflowId: string; activityId: string }) => unknown)[] =
      [
        ...(
          [
            { kind: 'final', status: 'failed' },
            { kind: 'again', attempt: 1 },
            { kind: 'blocked', retryAt: 0, attempt: 0 },
            { kind: 'reconnect', code: 'AUTH_EXPIRED', attempt: 0 },
          ] as const
        ).map((outcome) => (execution: { namespace: string; workflowId: string; activityId: string }) => {
          const data = Buffer.from(JSON.stringify(outcome))
          const result = { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data }] }
          return engine().respondActivityTaskCompletedById({ ...execution, result })
        }),
        (execution) =>
          engine().respondActivityTaskFailedById({
            ...execution,
            failure: { message: 'x', applicationFailureInfo: { type: 'x', nonRetryable: true } },
          }),
        (execution) => engine().resetActivity({ namespace: execution.namespace, execution, id: execution.activityId }),
      ]
    for (const endpoint of ['add_contact_note', 'list_listings'] as const) {
      const users = await Promise.all(answers.map(() => stack.user()))
      const ids = await underWay(endpoint, users, 5_000)
      await Promise.all(
        ids.map(async (workflowId, n) => {
          const { raw } = await runOf(workflowId).describe()
          const activityId = String(raw.pendingActivities?.[0]?.activityId)
          await answers[n]?.({ namespace: namespace(), workflowId, activityId })
        }),
      )
      for (const [n, user] of users.entries()) {
        expect(await user.record(ids[n], 30), `${endpoint}, ${n}`).toMatchObject({ status: 'executed' })
        expect(await effects(user)).toBe(endpoint === 'list_listings' ? 0 : 1)
        await balancedLedger(stack.ctx, user.id)
      }
    }
  })

  it('who ends runs, in whatever way, does not end the calls: they are started again, and sent once approved', async () => {
    const user = await stack.user()
    const ways: Readonly<Record<string, (callId: string) => Promise<unknown>>> = {
      terminated: (id) => runOf(id).terminate('by hand'),
      cancelled: (id) => runOf(id).cancel(),
      deleted: (id) =>
        engine().deleteWorkflowExecution({ namespace: namespace(), workflowExecution: { workflowId: id } }),
      reset: async (id) => {
        const events = async () => (await runOf(id).fetchHistory()).events ?? []
        const firstTask = async () =>
          (await events()).find((one) => one.workflowTaskCompletedEventAttributes)?.eventId ?? null
        await expect.poll(firstTask).toBeTruthy()
        const where = { namespace: namespace(), workflowExecution: { workflowId: id }, requestId: id }
        await engine().resetWorkflowExecution({ ...where, workflowTaskFinishEventId: await firstTask() })
      },
      signalled: (id) => runOf(id).signal('nudge', { decision: 'approved' }),
      pinned: (id) =>
        engine().updateWorkflowExecutionOptions({
          ...{ namespace: namespace(), workflowExecution: { workflowId: id } },
          workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
          updateMask: { paths: ['versioning_override'] },
        }),
      completed: async (id) => (await StrangersRun.start(stack, id)).complete('executed'),
      // On another queue, or with other arguments, on ours: nobody sends what it asks for, or decides in time.
      replaced: (id) => StrangersRun.start(stack, id),
      planned: async (id) => {
        const args = { ...callArgs(await rowOf(id)), confirm: false, taskQueue: 'nowhere', expiresAt: 1e15 }
        const forged = { workflowId: id, taskQueue: 'callgate', args: [args] as unknown[] }
        await stack.ctx.temporal.workflow.start('call', { ...forged, workflowIdConflictPolicy: 'TERMINATE_EXISTING' })
      },
    }
    const calls: [string, string][] = []
    const first = new Set<string>()
    for (const [way, end] of Object.entries(ways)) {
      const callId = await askedReply(user, way)
      calls.push([way, callId])
      first.add((await runOf(callId).describe()).runId)
      await end(callId)
    }
    const asItIs = async (callId: string) => {
      const { status, taskQueue, runId } = await runOf(callId).describe()
      return [status.name, taskQueue, first.has(runId) ? 'the first' : 'another']
    }
    for (const [way, callId] of calls) {
      await expect
        .poll(
          () =>
            lookNow(callId)
              .then(() => asItIs(callId))
              .catch((error: unknown) => [String(error)]),
          { message: way, timeout: 120_000, interval: 500 },
        )
        .toEqual(['RUNNING', 'callgate', way === 'signalled' ? 'the first' : 'another'])
      expect(await user.record(callId), way).toMatchObject({ status: 'awaiting_confirmation', credits_used: 0 })
    }
    for (const [, callId] of calls) await user.approve(callId)
    for (const [way, callId] of calls) expect(await user.record(callId, 30), way).toMatchObject({ status: 'executed' })
    expect(await effects(user)).toBe(calls.length)
    await balancedLedger(stack.ctx, user.id)
  })

  it('a call that waits for the person, or for the app, waits on, whatever is said of it', async () => {
    const user = await stack.user()
    const sent = await askedReply(user, 'Sent')
    await user.approve(sent)
    await user.record(sent, 20)
    // Its owner is told by the row, a moment before the engine has heard of it.
    await runOf(sent).result()
    const { events } = await runOf(sent).fetchHistory()
    const outcome = (events ?? [])
      .flatMap((event) => event.activityTaskCompletedEventAttributes?.result?.payloads ?? [])
      .at(-1)
    const { seal } = JSON.parse(Buffer.from(outcome?.data ?? []).toString()) as { seal: string }
    expect(seal).toMatch(/^ended\.0\./)

    const waiting = await askedReply(user, 'Waiting')
    const run = await StrangersRun.start(stack, waiting)
    // Another call's evidence is none.
    expect(await run.ask('recover', 'callgate', { callId: waiting, attempt: 0, lastWord: seal })).toEqual({
      failure: 'asked_again',
    })
    expect(await run.ask('decisionOf', 'callgate', waiting)).toEqual({ result: null })
    expect(await run.ask('whereItStands', 'callgate', waiting)).toMatchObject({
      result: { status: 'awaiting_confirmation', prepareInMs: null },
    })
    expect(await run.ask('whereItStands', 'callgate', sent)).toEqual({ failure: 'stranger' })
    expect(await run.ask('prepare', queue, sent)).toEqual({ failure: 'stranger' })
    expect(await run.ask('prepare', 'callgate', waiting)).toEqual({ failure: 'NotFoundError' })
    expect(await run.ask('send', queue, { callId: waiting, attempt: 0 })).toEqual({ failure: 'lost_right' })
    await lies(run, waiting)
    expect(await user.record(waiting)).toMatchObject({ status: 'awaiting_confirmation' })

    const blocked = await askedReply(user, 'Blocked')
    await user.approve(blocked, () => stack.sandbox.fault('block', { times: 1 }))
    await waitsFor(user, blocked, 'blocked')
    const another = await StrangersRun.start(stack, blocked)
    for (const code of ['TARGET_BLOCKED', 'AUTH_EXPIRED'])
      expect(await another.ask('giveUp', 'callgate', blocked, code)).toEqual({ failure: 'not_over' })
    expect(await another.ask('send', queue, { callId: blocked, attempt: 1 })).toMatchObject({
      result: { kind: 'blocked', attempt: 1 },
    })
    expect(await user.record(blocked)).toMatchObject({ status: 'running', waiting_for: 'blocked' })
    expect(await effects(user)).toBe(1)
    await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
    await lookNow(blocked)
    expect(await user.record(blocked, 30)).toMatchObject({ status: 'executed' })
    await lookNow(waiting)
    await user.reject(waiting)
    expect(await effects(user)).toBe(2)
    await balancedLedger(stack.ctx, user.id)
  })

  it.each([
    ['asked to be asked later', 'rate_limit', { times: 1, retry_after: 600 }, 'blocked'],
    ['wants the person', 'expire', {}, 'reconnect'],
  ] as const)('who wakes a call of an app that %s does not have it asked sooner', async (_, fault, how, reason) => {
    const user = await stack.user()
    const callId = await askedReply(user, 'Woken')
    await user.approve(callId, () => stack.sandbox.fault(fault, how))
    await waitsFor(user, callId, reason)
    await stack.sandbox.clearFaults()
    for (let n = 0; n < 4; n++) {
      await runOf(callId).signal('nudge')
      await new Promise((resolve) => setTimeout(resolve, 700))
    }
    expect(await rowOf(callId)).toMatchObject({ status: 'running', send: 'ready', attempt: 1 })
    expect(await effects(user)).toBe(0)
    await user.cancel(callId)
  })

  it('an account is not asked for twice in a minute, nor on another app’s queue', async () => {
    const user = await stack.user()
    const run = await StrangersRun.start(stack, `house-${user.id}`, 'housekeeping')
    expect(await run.ask('checkAccount', 'app.crm', user.account.id)).toEqual({ result: false })
    expect(await run.ask('checkAccount', queue, user.account.id)).toEqual({ result: true })
    expect(await run.ask('checkAccount', queue, user.account.id)).toEqual({ result: false })
    await run.complete('done')
  })
})
