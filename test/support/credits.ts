import type { Context } from '../../core/context.ts'
import { transaction } from '../../core/database/pool.ts'

/** Gives an owner who has none this many credits for this month. */
export async function setCredits(ctx: Pick<Context, 'db'>, owner: string, credits: number): Promise<void> {
  await transaction(ctx.db, async (db) => {
    await db.query('SELECT lock_balance($1)', [owner])
    await db.query(`INSERT INTO ledger (owner, kind, amount, month) VALUES ($1, 'grant', $2, this_month())`, [
      owner,
      credits,
    ])
    await db.query('UPDATE balances SET available = available + $2 WHERE owner = $1', [owner, credits])
  })
}
