import { takeBack } from '../calls/rows.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { errorName } from '../error-labels.ts'
import { nudgeCall } from '../temporal/call-runs.ts'
import { askErasure, endAccess } from './ask.ts'
import { emptyAudit, emptyCalls, emptyRest } from './empty.ts'
import { erasedOwners } from './erased-list.ts'
import { noteErased, noteListed, openErasures } from './rows.ts'
import type { Erasure } from './rows.ts'

/** Owners of the list per query. */
const batch = 500

/**
 * One round over all open erasures. Each step is idempotent, so an interrupted round resumes where
 * it stopped. A failing erasure does not block the others.
 */
export async function eraseRound(ctx: Context, settledAfter?: number): Promise<void> {
  for (const erasure of await openErasures(ctx.db, settledAfter)) {
    try {
      await eraseOne(ctx, erasure)
    } catch (error) {
      ctx.log.error({ owner: erasure.owner, reason: errorName(error) }, 'an erasure was interrupted; it goes on')
    }
  }
}

/** Erases users again who reappeared because the database was restored from an older backup. */
export async function repeatErasures(ctx: Context): Promise<void> {
  const owners = await erasedOwners(ctx)
  for (let at = 0; at < owners.length; at += batch) {
    const { rows } = await ctx.db.query<{ id: string }>(
      'SELECT id FROM users u WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM erasures e WHERE e.owner = u.id)',
      [owners.slice(at, at + batch)],
    )
    for (const { id } of rows)
      if (await askErasure(ctx, id, 'restore'))
        ctx.log.warn({ owner: id }, 'somebody who had been erased came back with an older database; erased again')
  }
}

async function eraseOne(ctx: Context, { owner, asked_by: by, listed, late }: Erasure): Promise<void> {
  await transaction(ctx.db, (db) => endAccess(db, owner))
  // Calls that are being sent end first; the next round deletes their content.
  if ((await endCalls(ctx, owner, by)) > 0) return
  await emptyCalls(ctx.db, owner)
  await emptyAudit(ctx.db, owner)
  if (!(await emptyRest(ctx, owner))) return
  if (!listed) await noteListed(ctx, owner)
  if (late) await noteErased(ctx.db, owner)
}

/** Cancels waiting calls. Returns how many are left because they are being sent. */
async function endCalls(ctx: Context, owner: string, by: string): Promise<number> {
  const { rows } = await ctx.db.query<{ id: string }>(
    `SELECT id FROM calls WHERE owner = $1 AND status IN ('awaiting_confirmation', 'running') ORDER BY id`,
    [owner],
  )
  let left = 0
  for (const { id } of rows) {
    if (await takeBack(ctx.db, id, by)) await nudgeCall(ctx, id, 'cancelled')
    else left++
  }
  return left
}
