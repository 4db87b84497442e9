import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'

/**
 * Records, once, whether an unknown call happened, as the user or an operator found. The status
 * stays. False: this user has no such call, it is not unknown, or it has a resolution.
 */
export function resolveUnknown(
  ctx: Pick<Context, 'db'>,
  found: {
    readonly owner: string
    readonly callId: string
    readonly happened: boolean
    /** `owner`, or the operator's name. */
    readonly by: string
  },
): Promise<boolean> {
  const { owner, callId, happened, by } = found
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE calls SET updated_at = clock_timestamp(), resolution = jsonb_build_object('happened', $3::boolean, 'by', $4::text, 'at', clock_timestamp())
       WHERE id = $1 AND owner = $2 AND status = 'unknown' AND resolution IS NULL`,
      [callId, owner, happened, by],
    )
    if (rowCount !== 1) return false
    await audit(db, by === 'owner' ? owner : by, 'call.resolved', { owner, call: callId, happened })
    return true
  })
}
