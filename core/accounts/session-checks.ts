import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { errorName } from '../error-labels.ts'
import { pacingKey } from '../secrets/crypto.ts'
import { noteDone } from '../sweep/chores.ts'
import { after } from '../temporal/deadline.ts'
import { appQueue } from '../temporal/task-queues.ts'

/** Concurrent checks per app: an app that does not answer delays only its own accounts. */
const perApp = 10
/** How long one check may wait for its turn and its answer (ms); then it runs the next day. */
const longest = 3_600_000

interface DueAccount {
  readonly id: string
  readonly app: string
}

/**
 * Checks daily, on the app's rate-limited queue, whether sessions still work, so that users learn
 * of it before a call needs them. All state is in the rows: checks resume after a crash.
 */
export class SessionChecks {
  readonly #ctx: Context
  readonly #running = new Map<string, number>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Starts due checks up to the limit per app, without waiting for them. */
  async round(): Promise<void> {
    const { db, apps } = this.#ctx
    const room = apps.all
      .map(({ slug }) => ({ slug, left: perApp - (this.#running.get(slug) ?? 0) }))
      .filter(({ left }) => left > 0)
    for (const account of await claimDue(db, room)) void this.#check(account)
    await noteIfCaughtUp(db)
  }

  async #check({ id, app }: DueAccount): Promise<void> {
    const { temporal, log } = this.#ctx
    this.#running.set(app, (this.#running.get(app) ?? 0) + 1)
    try {
      const asked = temporal.activity.execute('checkAccount', {
        id: `session-of-${id}`,
        taskQueue: appQueue(app),
        args: [id],
        idReusePolicy: 'ALLOW_DUPLICATE',
        idConflictPolicy: 'USE_EXISTING',
        scheduleToCloseTimeout: longest,
        startToCloseTimeout: '30s',
        retry: { maximumAttempts: 2 },
        priority: { priorityKey: 5, fairnessKey: pacingKey(id) },
        summary: `does the session of an account of ${app} still work`,
      })
      await Promise.race([asked, after(longest)])
    } catch (error) {
      // App, queue, worker or Temporal was unavailable: the next check is the next day.
      log.debug({ app, account: id, reason: errorName(error) }, 'whether a session works was not told')
    } finally {
      this.#running.set(app, (this.#running.get(app) ?? 1) - 1)
    }
  }
}

/** Claims due accounts up to each app's room, next due in 23 to 25 hours. Skips paused apps. */
async function claimDue(
  db: Db,
  room: readonly { readonly slug: string; readonly left: number }[],
): Promise<readonly DueAccount[]> {
  const { rows } = await db.query<DueAccount>({
    name: 'due-session-checks',
    text: `UPDATE accounts SET session_check_at = clock_timestamp() + interval '23 hours' + random() * interval '2 hours'
      WHERE id IN (
        SELECT due.id FROM unnest($1::text[], $2::integer[]) AS w(app, room) CROSS JOIN LATERAL (
          SELECT a.id FROM accounts a WHERE a.app = w.app AND a.state = 'connected' AND a.session_check_at <= clock_timestamp()
            AND NOT EXISTS (SELECT FROM app_controls c WHERE c.app = w.app AND c.paused)
          ORDER BY a.session_check_at LIMIT w.room) due)
      RETURNING id, app`,
    values: [room.map(({ slug }) => slug), room.map(({ left }) => left)],
  })
  return rows
}

/** For monitoring: records that no account is overdue by an hour. At most once a minute. */
async function noteIfCaughtUp(db: Db): Promise<void> {
  const { rows } = await db.query<{ caught_up: boolean }>({
    name: 'session-checks-caught-up',
    text: `SELECT NOT EXISTS (SELECT FROM chores WHERE name = 'session_checks' AND done_at > clock_timestamp() - interval '1 minute')
      AND NOT EXISTS (SELECT FROM accounts a WHERE a.state = 'connected' AND a.session_check_at < clock_timestamp() - interval '1 hour'
        AND NOT EXISTS (SELECT FROM app_controls c WHERE c.app = a.app AND c.paused)) AS caught_up`,
  })
  if (rows[0]?.caught_up === true) await noteDone(db, 'session_checks')
}
