import type { Context } from '../context.ts'
import { refuse } from '../approvals/prepare-rows.ts'
import { keptError } from '../calls/payload.ts'
import { selectCalls, settle } from '../calls/rows.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Db } from '../database/pool.ts'
import { nudgeCall } from '../temporal/call-runs.ts'

/** An open call `c` whose connector or endpoint was removed. */
const unserved = `c.status IN ('awaiting_confirmation', 'running') AND (k.removed_at IS NOT NULL OR c.endpoint <> ALL (k.endpoints))`
const batch = 200

/**
 * Ends waiting calls of removed connectors and endpoints, and releases their reserved credits. A
 * call that is being sent ends by itself. A process that has not noticed the removal may accept
 * calls for a moment, so a row counts as settled only a minute after its change.
 */
export async function endUnserved(ctx: Context): Promise<void> {
  const { rowCount } = await ctx.db.query('SELECT FROM added_connectors WHERE NOT settled LIMIT 1')
  if (rowCount === 0) return
  for (let rows = await openCalls(ctx.db); rows.length > 0; rows = await openCalls(ctx.db)) {
    for (const row of rows) await end(ctx, row)
    if (rows.length < batch) break
  }
  await ctx.db.query(
    `UPDATE added_connectors k SET settled = true WHERE NOT settled AND changed_at < clock_timestamp() - interval '1 minute'
       AND NOT EXISTS (SELECT FROM calls c WHERE c.app = k.slug AND ${unserved})`,
  )
}

async function openCalls(db: Db): Promise<readonly CallRow[]> {
  const { rows } = await db.query<CallRow>(
    `${selectCalls} JOIN added_connectors k ON k.slug = c.app
     WHERE NOT k.settled AND ${unserved} AND (c.status = 'awaiting_confirmation' OR c.send = 'ready') ORDER BY c.id LIMIT $1`,
    [batch],
  )
  return rows
}

async function end(ctx: Context, row: CallRow): Promise<void> {
  const message = `An operator took ${row.app}.${row.endpoint} away before this call was sent. Nothing was sent.`
  const kept = keptError(ctx, row, 'definition_changed', {}, message)
  const isWaiting = row.status === 'awaiting_confirmation'
  if (isWaiting) await refuse(ctx.db, row, kept)
  else await settle(ctx.db, row.id, row.attempt, { status: 'failed', ...kept })
  await nudgeCall(ctx, row.id)
}
