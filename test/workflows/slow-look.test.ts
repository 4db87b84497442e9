import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { Client, Connection } from '@temporalio/client'
import type { WorkflowHandle } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import { bundleWorkflowCode, Worker, NativeConnection } from '@temporalio/worker'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { setUpEngineSdk } from '../../core/log.ts'
import type { CallArgs, SendOutcome } from '../../schemas/call.ts'
import { dormantPatches } from '../../workflows/dormant-patches.ts'
import { createDatabase, workflowBundle } from '../harness.ts'

type Event = temporal.api.history.v1.IHistoryEvent

/** An answer that a test gives when it likes; `asked` comes with the question. */
class Question<T> {
  private readonly ask = Promise.withResolvers<void>()
  private readonly reply = Promise.withResolvers<T>()
  readonly asked = this.ask.promise
  readonly answer = this.reply.resolve
  put(): Promise<T> {
    this.ask.resolve()
    return this.reply.promise
  }
}

interface Standing {
  readonly status: string
  readonly leftMs: number
  readonly prepareInMs: number | null
}

/** Whoever answers the workflow: each question in its order. */
interface Script {
  readonly looks: readonly Question<Standing>[]
  /** Whether it is over; nobody says so where a story does not ask. */
  readonly ends: Question<string | null>[]
  readonly prepared: Question<void>
  readonly sent: Question<SendOutcome>
}

const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error: console.error }
const script = (): Script => ({
  looks: Array.from({ length: 4 }, () => new Question<Standing>()),
  ends: [],
  prepared: new Question(),
  sent: new Question(),
})
const waits = (leftMs: number, prepareInMs: number | null = null): Standing => ({
  status: 'awaiting_confirmation',
  leftMs,
  prepareInMs,
})
const approved: Standing = { status: 'running', leftMs: 0, prepareInMs: null }
const executed: SendOutcome = { kind: 'final', status: 'executed' }

/** A call that waits with two timers, the second of which rings in a second, and is looked at once more. */
async function withTwoTimers(run: WorkflowHandle, looks: Script['looks']): Promise<void> {
  looks[0]?.answer(waits(3_500))
  await sleep(200)
  await run.signal('nudge')
  looks[1]?.answer(waits(1_000))
  await sleep(200)
  await run.signal('nudge')
}

/** Returns when the workflow has been told of this, in a task that goes on as a look lasts. */
async function toldOf(run: WorkflowHandle, kind: keyof Event, times = 1): Promise<void> {
  const told = async (): Promise<boolean> => {
    const { events = [] } = await run.fetchHistory()
    const at = events?.findLastIndex((event) => event[kind] != null) ?? -1
    if ((events ?? []).filter((event) => event[kind] != null).length < times) return false
    return at >= 0 && (events ?? []).slice(at).some((event) => event.workflowTaskStartedEventAttributes != null)
  }
  await expect.poll(told, { interval: 50 }).toBe(true)
  await sleep(200)
}

/**
 * A slow database lets a look at the row last until after other events. The first run sees those, and then the row; a replay sees both at once. The
 * answers come from the test, as the moments matter; the engine is real.
 */
describe('a look that lasts until after what comes meanwhile', () => {
  let connection: Connection
  let native: NativeConnection
  let client: Client
  let drop: () => Promise<void>
  let number = 0
  beforeAll(async () => {
    setUpEngineSdk(pino({ level: 'silent' }))
    const database = await createDatabase()
    drop = database.drop
    const address = inject('temporalAddress')
    connection = await Connection.connect({ address })
    native = await NativeConnection.connect({ address })
    client = new Client({ connection, namespace: database.namespace })
  })
  afterAll(async () => {
    await connection.close()
    await native.close()
    await drop()
  })

  const stories: Record<string, (run: WorkflowHandle, asked: Script) => Promise<void>> = {
    'the time rings while an approval is read': async (run, { looks: [first, second], sent }) => {
      first?.answer(waits(1_200))
      await sleep(500)
      await run.signal('nudge')
      await second?.asked
      await toldOf(run, 'timerFiredEventAttributes')
      second?.answer(approved)
      await sent.asked
      sent.answer(executed)
    },
    'the time rings while it is read that it is not over': async (run, { looks: [first, second, third], sent }) => {
      first?.answer(waits(1_200))
      await sleep(500)
      await run.signal('nudge')
      await second?.asked
      await toldOf(run, 'timerFiredEventAttributes')
      second?.answer(waits(3_000))
      await third?.asked
      third?.answer(approved)
      await sent.asked
      sent.answer(executed)
    },
    'what is to be shown is ready while the row is read': async (run, { looks, prepared, sent }) => {
      looks[0]?.answer(waits(60_000, 0))
      await prepared.asked
      await run.signal('nudge')
      await looks[1]?.asked
      prepared.answer()
      await toldOf(run, 'activityTaskCompletedEventAttributes')
      looks[1]?.answer(waits(60_000))
      await looks[2]?.asked
      looks[2]?.answer(approved)
      await sent.asked
      sent.answer(executed)
    },
    'the time rings, unheard, while an approval is read': async (run, { looks, sent }) => {
      await withTwoTimers(run, looks)
      await looks[2]?.asked
      await sleep(1_600)
      looks[2]?.answer(approved)
      await sent.asked
      sent.answer(executed)
    },
    'it is over while its send ends': async (run, { looks, ends, sent }) => {
      await withTwoTimers(run, looks)
      looks[2]?.answer(approved)
      await sent.asked
      const over = new Question<string | null>()
      ends.push(over)
      await run.signal('nudge')
      await over.asked
      sent.answer({ kind: 'final', status: 'executed' })
      await sleep(500)
      over.answer('executed')
    },
    'it is sent while its end is read': async (run, { looks, ends, sent }) => {
      looks[0]?.answer(approved)
      await sent.asked
      const over = new Question<string | null>()
      ends.push(over)
      await run.signal('nudge')
      await over.asked
      sent.answer(executed)
      await toldOf(run, 'activityTaskCompletedEventAttributes')
      over.answer(null)
    },
  }

  it.each(Object.entries(stories))('%s: its history replays', (_, tell) => replays(tell))

  it('somebody asks the run, and its time rings, while an approval is read: its history replays', () =>
    replays(
      async (run, { looks: [first, second], sent }) => {
        first?.answer(waits(2_400))
        await sleep(200)
        await run.signal('nudge')
        await second?.asked
        await run.signal('nudge')
        // Answered in the task after this one, which goes on meanwhile: the engine's SDK tells the approval then, and the workflow hears of it later.
        const asking = run.query('slowly')
        await toldOf(run, 'workflowExecutionSignaledEventAttributes', 2)
        second?.answer(approved)
        await asking
        await sent.asked
        sent.answer(executed)
      },
      bundleWorkflowCode({
        workflowsPath: path.join(import.meta.dirname, 'altered-slow-query.ts'),
        logger: silent,
      }),
    ))

  async function replays(
    tell: (run: WorkflowHandle, asked: Script) => Promise<void>,
    code: ReturnType<typeof workflowBundle> | ReturnType<typeof bundleWorkflowCode> = workflowBundle(),
  ): Promise<void> {
    const asked = script()
    const looks = new Set<string>()
    const ends = new Set<string>()
    const taskQueue = `slow-look-${++number}`
    const bundle = await code
    const worker = await Worker.create({
      connection: native,
      namespace: client.options.namespace,
      taskQueue,
      workflowBundle: bundle,
      patchActivationCallback: ({ patchId }) => !dormantPatches.has(patchId),
      activities: {
        whereItStands: () => asked.looks[numberIn(looks)]?.put(),
        endOf: () => asked.ends[numberIn(ends)]?.put() ?? null,
        prepare: () => asked.prepared.put(),
        send: () => asked.sent.put(),
      },
    })
    const history = await worker.runUntil(async () => {
      const run = await client.workflow.start('call', {
        workflowId: `call-${number}`,
        taskQueue,
        // A task that lasts is told to the engine after four fifths of this.
        workflowTaskTimeout: '2s',
        args: [callArgs(`call-${number}`, taskQueue)],
      })
      await asked.looks[0]?.asked
      await tell(run, asked)
      expect(await run.result()).toBe('executed')
      return run.fetchHistory()
    })
    await Worker.runReplayHistory({ workflowBundle: bundle }, history)
  }
})

/** Which question this is, from 0: one that is asked again, as its task was, is the same. */
function numberIn(asked: Set<string>): number {
  const { activityId } = Context.current().info
  asked.add(activityId)
  return [...asked].indexOf(activityId)
}

const callArgs = (callId: string, taskQueue: string): CallArgs => ({
  callId,
  owner: 'owner',
  app: 'app',
  endpoint: 'endpoint',
  account: 'account',
  access: 'write',
  confirm: true,
  acceptedAt: Date.now(),
  expiresAt: Date.now() + 60_000,
  taskQueue,
  pacingKey: '0'.repeat(32),
  attempt: 0,
})
