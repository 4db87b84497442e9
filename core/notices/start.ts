import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { callQueue } from '../temporal/task-queues.ts'
import { errorName } from '../error-labels.ts'
import { within } from '../temporal/deadline.ts'
import { failPoint } from '../fail-point.ts'
import { quietLeft } from './quiet.ts'
import type { Quiet } from './quiet.ts'
import { retryWindow } from './retry-policy.ts'

/** Arguments of a notification's workflow: ids only. */
export interface Delivery {
  readonly noticeId: string
  readonly targetId: string
}

/** Notifications started per round, and concurrently. */
const batch = 200
const lanes = 8
/** Maximum of started webhook notifications per target without a first attempt. */
const untriedAtMost = 50
/** Rows deleted per statement. */
const pruneBatch = 5_000

/** Starts due notifications. Temporal ignores those that run: may be repeated and interrupted. */
export async function startNotices(ctx: Context): Promise<void> {
  const due = [...(await dueSingly(ctx))]
  const lane = async (): Promise<void> => {
    // If Temporal is down, stop until the next round: calls wait for this round to end.
    for (let next = due.shift(); next !== undefined; next = due.shift()) if (!(await start(ctx, next))) due.length = 0
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  for (const one of await duePersonal(ctx)) {
    if (!(await start(ctx, one))) return
    await postponeOthers(ctx, one.targetId)
  }
}

/** Deletes old notifications and expired secrets, and fails notifications that queued too long. */
export async function pruneNotices(ctx: Pick<Context, 'db' | 'config'>): Promise<void> {
  await ctx.db.query(
    'UPDATE notice_targets SET old_secret = NULL, old_secret_until = NULL WHERE old_secret_until < now()',
  )
  while ((await giveUpCrowded(ctx.db)) === pruneBatch);
  const days = Math.max(1, ctx.config.retentionDays)
  for (let deleted = pruneBatch; deleted === pruneBatch;) {
    const { rowCount } = await ctx.db.query(
      'DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE ended_at < now() - make_interval(days => $1) LIMIT $2)',
      [days, pruneBatch],
    )
    deleted = rowCount ?? 0
  }
}

/**
 * Fails notifications that queued behind others of their target for the whole retry window. Without
 * recent attempts Callgate was down: they keep their turn. Returns how many, a batch at most.
 */
async function giveUpCrowded(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE notices SET state = 'failed', last_result = 'crowded', ended_at = clock_timestamp(), check_at = NULL
     WHERE id IN (
       SELECT n.id FROM notices n JOIN notice_targets t ON t.id = n.target
       WHERE n.state = 'pending' AND n.started_at IS NULL AND n.tries = 0
         AND n.created_at < now() - make_interval(secs => $1::double precision / 1000)
         AND t.channel = 'webhook' AND t.last_try_at > now() - interval '1 hour' LIMIT $2 FOR UPDATE OF n SKIP LOCKED)`,
    [retryWindow, pruneBatch],
  )
  return rowCount ?? 0
}

/** Targets with pending notifications, by index skip scan: does not read all of their rows. */
const busyTargets = `busy AS (
    (SELECT target FROM notices WHERE state = 'pending' ORDER BY target LIMIT 1)
    UNION ALL
    SELECT (SELECT target FROM notices WHERE state = 'pending' AND target > busy.target ORDER BY target LIMIT 1)
    FROM busy WHERE busy.target IS NOT NULL)`

// CASE, not OR: the planner estimates the OR as rare, and reads and sorts everything due.
/**
 * Round-robin over targets, so that one with thousands due does not block the others. Limits
 * webhooks in Temporal without a first attempt, per target; tests of all channels have no limit.
 */
async function dueSingly(ctx: Context): Promise<readonly Delivery[]> {
  const { rows } = await ctx.db.query<{ id: string; target: string }>({
    name: 'due-notices',
    text: `WITH RECURSIVE ${busyTargets}
      SELECT due.id, t.id AS target
      FROM busy JOIN notice_targets t ON t.id = busy.target
      CROSS JOIN LATERAL (
        SELECT count(*) AS many FROM notices
        WHERE target = t.id AND state = 'pending' AND started_at IS NOT NULL AND tries = 0) untried
      JOIN (VALUES (true), (false)) lane (waits) ON t.channel = 'webhook' OR NOT lane.waits
      CROSS JOIN LATERAL (
        SELECT id, check_at, row_number() OVER (ORDER BY check_at) AS turn FROM (
          SELECT id, check_at FROM notices
          WHERE target = t.id AND state = 'pending' AND (started_at IS NULL AND kind <> 'test') = lane.waits AND check_at <= now()
            AND CASE WHEN t.channel = 'webhook' THEN true ELSE kind = 'test' END
          ORDER BY check_at LIMIT CASE WHEN lane.waits THEN greatest(0, $2 - untried.many) ELSE $1 END) few) due
      ORDER BY due.turn, due.check_at LIMIT $1`,
    values: [batch, untriedAtMost],
  })
  return rows.map(({ id, target }) => ({ noticeId: id, targetId: target }))
}

/** One notification per target delivers all; prefers a running one. None in quiet hours. */
async function duePersonal(ctx: Context): Promise<Delivery[]> {
  const { rows } = await ctx.db.query<{ id: string; target: string; quiet: Quiet | null }>({
    name: 'due-personal-notices',
    text: `WITH RECURSIVE ${busyTargets}
      SELECT first.id, t.id AS target,
        (SELECT to_json(q) FROM (SELECT from_minute, to_minute, zone FROM quiet_hours WHERE owner = t.owner) q) AS quiet
      FROM busy JOIN notice_targets t ON t.id = busy.target AND t.channel <> 'webhook' AND t.mail_at <= now()
      CROSS JOIN LATERAL (SELECT id FROM notices WHERE target = t.id AND state = 'pending' AND kind <> 'test'
        ORDER BY started_at NULLS LAST, created_at LIMIT 1) first
      CROSS JOIN LATERAL (SELECT FROM notices WHERE target = t.id AND state = 'pending' AND kind <> 'test' AND check_at <= now()
        LIMIT 1) due LIMIT $1`,
    values: [batch],
  })
  const due: Delivery[] = []
  for (const { id, target, quiet } of rows) {
    const left = quiet === null ? 0 : quietLeft(quiet, new Date())
    if (left === 0) due.push({ noticeId: id, targetId: target })
    else
      await ctx.db.query(
        'UPDATE notice_targets SET mail_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1',
        [target, left / 1000],
      )
  }
  return due
}

/** False: Temporal did not accept it. */
async function start(ctx: Context, delivery: Delivery): Promise<boolean> {
  const { noticeId, targetId } = delivery
  try {
    failPoint('notice.before-start')
    await within(ctx, 5_000, () =>
      ctx.temporal.workflow.start('deliver', {
        workflowId: noticeId,
        taskQueue: callQueue,
        args: [delivery],
        // An operator may have terminated the workflow while the notification is pending.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `a notice to ${targetId}`,
      }),
    )
  } catch (error) {
    ctx.log.warn({ notice: noticeId, reason: errorName(error) }, 'the engine did not take a notice')
    return false
  }
  await ctx.db.query(
    `UPDATE notices SET started_at = coalesce(started_at, clock_timestamp()), check_at = clock_timestamp() + interval '1 hour'
     WHERE id = $1 AND state = 'pending'`,
    [noticeId],
  )
  return true
}

/** The started notification delivers these, too. */
async function postponeOthers(ctx: Context, target: string): Promise<void> {
  await ctx.db.query(
    `UPDATE notices SET check_at = clock_timestamp() + interval '5 minutes'
     WHERE target = $1 AND state = 'pending' AND kind <> 'test' AND check_at <= clock_timestamp()`,
    [target],
  )
}
