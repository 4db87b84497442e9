import type { Context } from '../context.ts'

/** How many signatures of an approval key, present in the ring or not, are still in force. */
export interface ApprovalKeyUse {
  readonly id: string
  /** Whether this process has it. What a missing key signed counts as not approved. */
  readonly known: boolean
  /** Approved calls that are not final. */
  readonly calls: number
  readonly standing_approvals: number
  /** Endpoints set to never ask, and users who demand a passkey for approving. */
  readonly switches: number
}

/** Every key that is known or needed. An unneeded one may be removed 31 days after its last use. */
export async function approvalKeys(ctx: Pick<Context, 'db' | 'secrets'>): Promise<readonly ApprovalKeyUse[]> {
  const { rows } = await ctx.db.query<Omit<ApprovalKeyUse, 'known'>>(
    `SELECT id, count(*) FILTER (WHERE kind = 'call')::integer AS calls,
       count(*) FILTER (WHERE kind = 'standing')::integer AS standing_approvals,
       count(*) FILTER (WHERE kind = 'switch')::integer AS switches
     FROM (
       SELECT 'call' AS kind, split_part(approval_proof, '.', 1) AS id FROM calls
         WHERE status IN ('awaiting_confirmation', 'running') AND approval_proof IS NOT NULL
       UNION ALL SELECT 'standing', split_part(proof, '.', 1) FROM standing_approvals
         WHERE proof IS NOT NULL AND (until IS NULL OR until > clock_timestamp())
       UNION ALL SELECT 'switch', split_part(proof, '.', 1) FROM endpoint_settings WHERE proof IS NOT NULL
       UNION ALL SELECT 'switch', split_part(proof, '.', 1) FROM key_switches
       UNION ALL SELECT 'switch', split_part(proof, '.', 1) FROM passkey_demands
     ) needs GROUP BY id`,
  )
  const needed = new Map(rows.map((row) => [row.id, row]))
  const ids = [...ctx.secrets.approval.keys(), ...[...needed.keys()].filter((id) => !ctx.secrets.approval.has(id))]
  const none = { calls: 0, standing_approvals: 0, switches: 0 }
  return ids.map((id) => ({ ...none, ...needed.get(id), id, known: ctx.secrets.approval.has(id) }))
}
