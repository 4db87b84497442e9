import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Plan } from '../users/rows.ts'

/** Plans that users can choose; credits per month. Source: contract, "Holes in the documents". */
export const plans: readonly { readonly name: Plan; readonly credits: number }[] = [
  { name: 'small', credits: 1_000 },
  { name: 'medium', credits: 10_000 },
  { name: 'large', credits: 100_000 },
]

/**
 * Changes the plan. A larger one tops up this month's credits at once; a smaller one applies from
 * the next month. Returns the credits that were added.
 */
export function changePlan(ctx: Pick<Context, 'db'>, owner: string, plan: Plan): Promise<number> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ topped_up: number }>('SELECT change_plan($1, $2) AS topped_up', [owner, plan])
    const toppedUp = rows[0]?.topped_up ?? 0
    await audit(db, owner, 'plan', { plan, topped_up: toppedUp })
    return toppedUp
  })
}
