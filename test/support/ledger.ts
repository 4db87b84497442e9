import { expect } from 'vitest'
import type { Context } from '../../core/context.ts'

/** Checks that an owner's ledger explains the balance, and that every final call is settled in it. Returns what was captured. */
export async function balancedLedger(
  ctx: Pick<Context, 'db'>,
  owner: string,
): Promise<{ captured: number; reserved: number }> {
  const { rows } = await ctx.db.query<{
    available: number
    reserved: number
    explained: number
    held: number
    captured: number
  }>(
    `SELECT b.available, b.reserved,
       coalesce(sum(CASE kind WHEN 'grant' THEN amount WHEN 'upgrade' THEN amount WHEN 'release' THEN amount WHEN 'refund' THEN amount
         WHEN 'lapse' THEN -amount WHEN 'reserve' THEN -amount ELSE 0 END), 0)::integer AS explained,
       coalesce(sum(CASE kind WHEN 'reserve' THEN amount WHEN 'capture' THEN -amount WHEN 'release' THEN -amount ELSE 0 END), 0)::integer AS held,
       coalesce(sum(amount) FILTER (WHERE kind = 'capture'), 0)::integer AS captured
     FROM balances b LEFT JOIN ledger l ON l.owner = b.owner WHERE b.owner = $1 GROUP BY b.owner`,
    [owner],
  )
  const row = rows[0]
  expect(row).toBeDefined()
  expect(row?.explained).toBe(row?.available)
  expect(row?.held).toBe(row?.reserved)
  const { rows: unsettled } = await ctx.db.query(
    `SELECT c.id, c.status FROM calls c WHERE c.owner = $1 AND c.status NOT IN ('running', 'awaiting_confirmation') AND (
       SELECT coalesce(sum(CASE kind WHEN 'reserve' THEN amount ELSE -amount END), 0) FROM ledger l
       WHERE l.call_id = c.id AND kind IN ('reserve', 'capture', 'release')) <> 0`,
    [owner],
  )
  expect(unsettled).toEqual([])
  return { captured: row?.captured ?? 0, reserved: row?.reserved ?? 0 }
}
