import type { Context } from '../../core/context.ts'

/** Sum over all owners by which ledger, balances and calls differ, in credits; 0 if consistent. */
export async function ledgerDifference(ctx: Pick<Context, 'db'>): Promise<number> {
  const { rows } = await ctx.db.query<{ difference: number }>(`
    WITH sums AS (
      SELECT owner,
        sum(CASE WHEN kind IN ('grant', 'upgrade', 'release', 'refund') THEN amount WHEN kind IN ('lapse', 'reserve') THEN -amount ELSE 0 END) AS available,
        sum(CASE kind WHEN 'reserve' THEN amount WHEN 'capture' THEN -amount WHEN 'release' THEN -amount ELSE 0 END) AS reserved
      FROM ledger GROUP BY owner),
    per_call AS (
      SELECT c.id,
        coalesce(sum(amount) FILTER (WHERE kind = 'reserve'), 0) - coalesce(sum(amount) FILTER (WHERE kind IN ('capture', 'release')), 0) AS unsettled,
        coalesce(sum(amount) FILTER (WHERE kind = 'capture'), 0) - CASE c.status WHEN 'executed' THEN c.credits ELSE 0 END AS wrong,
        coalesce(sum(amount) FILTER (WHERE kind = 'capture'), 0) - c.credits_used AS untold
      FROM calls c LEFT JOIN ledger l ON l.call_id = c.id GROUP BY c.id)
    SELECT (
      (SELECT coalesce(sum(abs(b.available - coalesce(s.available, 0)) + abs(b.reserved - coalesce(s.reserved, 0))), 0)
        FROM balances b LEFT JOIN sums s ON s.owner = b.owner)
      + (SELECT coalesce(sum(abs(unsettled) + abs(wrong) + abs(untold)), 0) FROM per_call))::integer AS difference`)
  return rows[0]?.difference ?? Number.NaN
}
