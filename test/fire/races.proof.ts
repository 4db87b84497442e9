import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { WorkflowHandle } from '@temporalio/client'
import proto from '@temporalio/proto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../core/keys/rows.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { Person } from '../support/person.ts'
import { brokenPromises } from '../support/promises.ts'
import { seededRandom } from '../support/random.ts'
import type { TestUser } from '../support/user.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

const rounds = Number(process.env['FIRE_ROUNDS'] ?? 200)
const seed = Number(process.env['FIRE_SEED'] ?? Math.floor(Math.random() * 1_000_000))
/** So many that their calls meet, and so few that a batch fits into the time to decide. */
const racersAtMost = 40
/** The time to decide: twice as long each time that a call's form was not in hand `margin` before its end, in seconds. */
const expiry = { first: 12, longest: 96, margin: 4.5 }

/** When somebody acts, in ms after the end of the time to decide. */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [-25, 25],
  [-40, 10],
  [-800, 0],
  [0, 60],
  // On a busy machine a send begins late, and so does the engine's timer: here some are sent, or expire.
  [-4000, -500],
  [300, 4000],
]
/** Run when the machine was so slow that nothing was sent, or nothing expired. */
const wide: typeof ranges = [
  [-24_000, -500],
  [300, 24_000],
]
const outcomes = ['cancelled', 'executed', 'expired', 'rejected']

interface Racer {
  readonly user: TestUser
  readonly contact: string
  /** The same person at both API processes. */
  readonly at: readonly [Person, Person]
}

interface Round {
  readonly racer: Racer
  readonly callId: string
  readonly mark: string
  readonly approve: number
  readonly reject: number
  readonly cancel: number
}

describe('races between two API processes', () => {
  let gateway: Gateway
  let urls: readonly [string, string]
  beforeAll(async () => {
    gateway = await startGateway()
    const [, other] = await Promise.all([gateway.startApi(), gateway.anotherApi(), gateway.startWorker()])
    urls = [gateway.publicUrl, other]
  })
  afterAll(() => gateway.stop())

  it(
    `approve, reject, cancel and expire at the same moment have one winner, and everybody is told the same: ${rounds} rounds, seed ${seed}`,
    { timeout: 120_000 + rounds * 3_000 },
    async () => {
      console.log(`races: ${rounds} rounds, FIRE_SEED=${seed}`)
      const random = seededRandom(seed)
      const racers: Racer[] = []
      while (racers.length < Math.min(racersAtMost, rounds)) racers.push(...(await Promise.all([racer(), racer()])))
      const ran: Round[] = []
      // Every user takes part in each batch; a batch's calls all expire within the same second.
      for (let batch = 0, seconds = expiry.first; ran.length < rounds; batch++) {
        const wanted = racers.slice(0, rounds - ran.length)
        const tried = await Promise.all(wanted.map((one) => race(one, `batch ${batch}`, { seconds, random, ranges })))
        const late = tried.filter((round) => round === null).length
        ran.push(...tried.filter((round) => round !== null))
        // No race: the machine was too slow for it. Others are run in their place, with more time.
        if (late > 0) {
          expect(seconds, `${late} calls could not be shown in time`).toBeLessThan(expiry.longest)
          seconds *= 2
          console.log(`races: ${late} calls shown too late, ${seconds} s to decide from now on`)
          await Promise.all(racers.map(({ user }) => decideWithin(user, seconds)))
        }
      }
      const winners = new Map<string, number>()
      const judgeAll = async (queue: Round[]): Promise<void> => {
        const lane = async (): Promise<void> => {
          for (let round = queue.shift(); round !== undefined; round = queue.shift()) {
            const status = await judge(round)
            winners.set(status, (winners.get(status) ?? 0) + 1)
          }
        }
        await Promise.all(Array.from({ length: 8 }, lane))
        console.log('races: winners', Object.fromEntries(winners))
      }
      await judgeAll([...ran])
      if (outcomes.some((outcome) => !winners.has(outcome))) {
        await Promise.all(racers.map(({ user }) => decideWithin(user, expiry.longest)))
        const timing = { seconds: expiry.longest, random, ranges: wide }
        const more = await Promise.all(racers.map((one) => race(one, 'far apart', timing)))
        ran.push(...more.filter((round) => round !== null))
        await judgeAll(more.filter((round) => round !== null))
      }
      expect([...winners.keys()].sort()).toEqual(outcomes)
      for (const { user } of racers) {
        const mine = ran.filter(({ racer: one }) => one.user === user)
        const effects = await gateway.sandbox.effects(user.account.seeded.account)
        expect(await brokenPromises(gateway.db, mine, effects)).toEqual([])
        await balancedLedger(gateway, user.id)
      }
    },
  )

  async function racer(): Promise<Racer> {
    const user = await gateway.user()
    await decideWithin(user, expiry.first)
    const person = await user.person()
    return { user, contact: await firstContact(user), at: [person, person.at(urls[1])] }
  }

  const decideWithin = (user: TestUser, expirySeconds: number): Promise<void> =>
    setConfirm(gateway, user.id, 'property-advertising', 'reply_to_contact', { expirySeconds })

  /** All of them act on the same call, each at a moment drawn at random around the end of its time. Null: it was not shown in time. */
  async function race(
    one: Racer,
    name: string,
    { seconds, random, ranges: among }: { seconds: number; random: () => number; ranges: typeof ranges },
  ): Promise<Round | null> {
    const mark = `${name} ${one.user.id}`
    // Drawn before anything is waited for, so that the seed decides and not the order of the answers.
    // From as close as it gets to so far apart that an approved call may be on its way already, or that all are too late.
    const [from, to] = among[Math.floor(random() * among.length)] ?? [0, 0]
    const offsets = [random(), random(), random()].map((part) => from + (to - from) * part)
    const sides = [random(), random(), random()].map((part): 0 | 1 => (part < 0.5 ? 0 : 1))
    const readyBy = Date.now() + Math.min((seconds - expiry.margin) * 1_000, seconds * 1_000 + from)
    const asked = await one.user.call('reply_to_contact', { contact_id: one.contact, message: mark })
    if (Date.now() > readyBy) return null
    expect(asked).toMatchObject({ status: 202, body: { status: 'awaiting_confirmation' } })
    const callId = String(asked.body['call_id'])
    // What it is about may still be looked up in the app: until then there is nothing to approve.
    let form = await one.at[0].findConfirmForm(callId)
    while (form === undefined && Date.now() < readyBy) {
      await sleep(200)
      form = await one.at[0].findConfirmForm(callId)
    }
    if (Date.now() > readyBy || form === undefined) return null
    const expiresAt = Date.parse(String(asked.body['expires_at']))
    const turn = (n: number) => sleep(Math.max(0, expiresAt + (offsets[n] ?? 0) - Date.now()))
    const post = async (n: number, decision: 'approve' | 'reject'): Promise<number> => {
      await turn(n)
      const side = sides[n] ?? 0
      return (await one.at[side].post(`/confirm/${callId}`, { ...form, decision })).status
    }
    const cancel = async (): Promise<number> => {
      await turn(2)
      const answer = await fetch(`${urls[sides[2] ?? 0]}/api/v1/calls/${callId}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${one.user.key}` },
      })
      await answer.arrayBuffer()
      return answer.status
    }
    const [approved, rejected, cancelled] = await Promise.all([post(0, 'approve'), post(1, 'reject'), cancel()])
    return { racer: one, callId, mark, approve: approved, reject: rejected, cancel: cancelled }
  }

  /** What each was told fits the one decision that stands; both processes and the engine say the same. */
  async function judge({ racer: { user, at }, callId, approve, reject, cancel }: Round): Promise<string> {
    const engine: unknown = await ended(gateway, callId)
    const records = await Promise.all(
      urls.map(async (url) => {
        const answer = await fetch(`${url}/api/v1/calls/${callId}`, {
          headers: { Authorization: `Bearer ${user.key}` },
        })
        return (await answer.json()) as { status: string }
      }),
    )
    expect(records[1]).toEqual(records[0])
    const status = records[0]?.status ?? ''
    const { rows } = await gateway.db.query<{ decision: string; send: string }>(
      'SELECT decision, send FROM calls WHERE id = $1',
      [callId],
    )
    const { decision, send } = rows[0] ?? {}
    const no = 409
    const told = { approve, reject, cancel }
    if (status === 'executed') expect(told).toEqual({ approve: 303, reject: no, cancel: no })
    else if (status === 'rejected') expect(told).toEqual({ approve: no, reject: 303, cancel: no })
    else if (status === 'expired') expect(told).toEqual({ approve: no, reject: no, cancel: no })
    // Approved, and taken back before its sending began.
    else if (decision === 'approved')
      expect({ ...told, send }).toEqual({ approve: 303, reject: no, cancel: 200, send: 'withdrawn' })
    else expect(told).toEqual({ approve: no, reject: no, cancel: 200 })
    // A call that was decided before the engine heard of it has no run.
    if (engine === null) expect(['rejected', 'cancelled', 'expired']).toContain(status)
    else expect(engine).toBe(status)
    const pages = await Promise.all(at.map((person) => person.get(`/confirm/${callId}`)))
    expect(pages.map((page) => page.status)).toEqual([200, 200])
    return status
  }

  it('of 200 parallel calls of cost 1 with a balance of 10 exactly 10 happen', async () => {
    await gateway.db.query(`INSERT INTO plans VALUES ('ten', 10)`)
    const user = await gateway.user()
    await gateway.db.query(`UPDATE users SET plan = 'ten' WHERE id = $1`, [user.id])
    // Five keys of one owner: one alone would meet the limiter.
    const keys = [user.key]
    while (keys.length < 5) keys.push((await createKey(gateway, { owner: user.id, name: 'more', apps: null })).key)
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const answer = await fetch(`${urls[n % 2]}/api/v1/property-advertising/list_listings`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${keys[n % 5]}`, 'Content-Type': 'application/json' },
          body: '{}',
        })
        return { status: answer.status, error: ((await answer.json()) as { error?: string }).error }
      }),
    )
    const counts = new Map<string, number>()
    for (const { status, error } of answers) {
      const what = `${status} ${error ?? 'done'}`
      counts.set(what, (counts.get(what) ?? 0) + 1)
    }
    expect(Object.fromEntries(counts)).toEqual({ '200 done': 10, '402 insufficient_credits': 190 })
    expect(await balancedLedger(gateway, user.id)).toEqual({ captured: 10, reserved: 0 })
    const { rows } = await gateway.db.query('SELECT available FROM balances WHERE owner = $1', [user.id])
    expect(rows).toEqual([{ available: 0 }])
  })
})

/** What the call's run came to; null when there is none. When it has not ended by now, an error that tells what the run has come to. */
async function ended(gateway: Gateway, callId: string): Promise<unknown> {
  const run = gateway.temporal.workflow.getHandle(callId)
  try {
    return await gateway.temporal.connection.withDeadline(Date.now() + 60_000, () => run.result())
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw new Error(`a run does not end:\n${await storyOf(gateway, run)}`, { cause: error })
  }
}

/** What happened in a run and when, why its tasks failed, what it waits for, and where its row stands. */
async function storyOf({ db }: Gateway, run: WorkflowHandle): Promise<string> {
  const [{ events }, { raw }, { rows }] = await Promise.all([
    run.fetchHistory(),
    run.describe(),
    db.query('SELECT status, decision, send, attempt, waiting_for, check_at FROM calls WHERE id = $1', [
      run.workflowId,
    ]),
  ])
  const told = (events ?? []).map((event) => {
    const at = new Date(Number(String(event.eventTime?.seconds)) * 1000 + (event.eventTime?.nanos ?? 0) / 1e6)
    const name = proto.temporal.api.enums.v1.EventType[event.eventType ?? 0]
    return `${at.toISOString()} ${String(event.eventId)} ${name} ${JSON.stringify(aboutEvent(event))}`
  })
  const { pendingActivities, pendingWorkflowTask } = raw
  return [...told, JSON.stringify({ rows, pendingActivities, pendingWorkflowTask })].join('\n')
}

/** What tells one event of its kind from another: timers by number, activities by name, failures by their text. */
function aboutEvent(event: proto.temporal.api.history.v1.IHistoryEvent): unknown {
  const failed = event.workflowTaskFailedEventAttributes
  return {
    timer: (event.timerStartedEventAttributes ?? event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes)
      ?.timerId,
    after: event.timerStartedEventAttributes?.startToFireTimeout?.seconds?.toString(),
    activity: event.activityTaskScheduledEventAttributes?.activityType?.name,
    marker: event.markerRecordedEventAttributes?.markerName,
    failed: failed && { cause: failed.cause, message: failed.failure?.message },
  }
}
