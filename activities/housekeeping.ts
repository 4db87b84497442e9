import { columns } from '../core/calls/payload.ts'
import type { Context } from '../core/context.ts'
import { pacingKey } from '../core/secrets/crypto.ts'
import { appQueue } from '../core/temporal/task-queues.ts'

/** An account whose session is to be looked at, and where. */
export interface AccountToCheck {
  readonly id: string
  readonly taskQueue: string
  readonly pacingKey: string
}

/** So many rows at once: a purge must not hold up the calls of the day, nor a statement last longer than it may. */
const batch = 1_000

/** Activities of the daily housekeeping, on the "callgate" queue. */
export function housekeepingActivities(ctx: Context) {
  return {
    /**
     * Deletes what old final calls said and answered, and their idempotency keys; what became of them, and the ledger, stay.
     * Returns how many calls were emptied.
     */
    async purgePayloads(): Promise<number> {
      let emptied = 0
      for (let next = await emptyCalls(ctx, ''); next !== undefined; next = await emptyCalls(ctx, next.last))
        emptied += next.emptied
      while ((await deleteKeys(ctx)) === batch);
      return emptied
    },

    /**
     * The next accounts, by id, whose sessions were working when they were last used. Those of an app that is off, or that an operator has
     * paused, are left out: each would be waited for until its time is over, and the next day's housekeeping with it.
     */
    async accountsToCheck(after: string): Promise<readonly AccountToCheck[]> {
      const { rows } = await ctx.db.query<{ id: string; app: string }>(
        `SELECT id, app FROM accounts a WHERE state = 'connected' AND id > $1 AND app <> ALL($2)
           AND NOT EXISTS (SELECT FROM app_controls c WHERE c.app = a.app AND c.paused) ORDER BY id LIMIT 50`,
        [after, [...ctx.apps.broken.keys()]],
      )
      return rows.map(({ id, app }) => ({ id, taskQueue: appQueue(app), pacingKey: pacingKey(id) }))
    },
  }
}

/** Looks at the next calls after that id, whether or not there is something to empty. Undefined: there are no more. */
async function emptyCalls(
  { db, config }: Context,
  after: string,
): Promise<{ readonly last: string; readonly emptied: number } | undefined> {
  const { rows } = await db.query<{ last: string | null; emptied: number }>(
    `WITH span AS (SELECT id FROM calls WHERE id > $2 ORDER BY id LIMIT $3),
       forgotten AS (DELETE FROM findings WHERE call_id IN (SELECT id FROM span) AND asked_at < now() - make_interval(days => $1)),
       emptied AS (
         UPDATE calls SET ${columns.map((column) => `${column} = NULL`).join(', ')}, client = NULL
         WHERE id IN (SELECT id FROM span) AND status NOT IN ('awaiting_confirmation', 'running')
           AND created_at < now() - make_interval(days => $1) AND updated_at < now() - make_interval(days => $1)
           AND coalesce(${columns.join(', ')}) IS NOT NULL
         RETURNING id),
       files_gone AS (DELETE FROM call_files WHERE call_id IN (SELECT id FROM emptied)),
       rounds_emptied AS (UPDATE rounds SET request = NULL, preview = NULL WHERE call_id IN (SELECT id FROM emptied))
     SELECT (SELECT max(id) FROM span) AS last, (SELECT count(*)::integer FROM emptied) AS emptied`,
    [config.retentionDays, after, batch],
  )
  const { last = null, emptied = 0 } = rows[0] ?? {}
  return last === null ? undefined : { last, emptied }
}

/** Deletes old idempotency keys of calls that were emptied, and returns how many. A key stands for its call for a day at least. */
async function deleteKeys({ db, config }: Context): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM idempotency_keys WHERE (line, key, turn) IN (
       SELECT k.line, k.key, k.turn FROM idempotency_keys k JOIN calls c ON c.id = k.call_id
       WHERE k.created_at < now() - make_interval(days => greatest($1, 1)) AND c.input IS NULL LIMIT $2)`,
    [config.retentionDays, batch],
  )
  return rowCount ?? 0
}

export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
