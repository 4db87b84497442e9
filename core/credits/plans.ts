import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Plan } from '../users/rows.ts'

/** Sizes that people can choose, with the credits that each gives a month. Source: contract, "Holes in the documents". */
export const plans: readonly { readonly name: Plan; readonly credits: number }[] = [
  { name: 'small', credits: 1_000 },
  { name: 'medium', credits: 10_000 },
  { name: 'large', credits: 100_000 },
]

/**
 * Changes the size. A larger one tops this month's credits up to its own at once; a smaller one takes nothing back and counts
 * from the next month on. Returns the credits that came on top.
 */
export function changePlan(ctx: Pick<Context, 'db'>, owner: string, plan: Plan): Promise<number> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ topped_up: number }>('SELECT change_plan($1, $2) AS topped_up', [owner, plan])
    const toppedUp = rows[0]?.topped_up ?? 0
    await audit(db, owner, 'plan', { plan, topped_up: toppedUp })
    return toppedUp
  })
}
