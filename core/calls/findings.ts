import type { Context } from '../context.ts'
import type { Finding } from './finding.ts'
import { openPayload, placeOf, sealPayload } from './payload.ts'
import type { CallRow } from './rows.ts'
import { logUnopened } from '../security-log.ts'

/** Stored verification results for calls that ended as unknown. */

/** The latest verification request and its result. */
export interface Look {
  readonly askedAt: Date
  readonly foundAt: Date | null
  /** Null: not verified yet, or it can no longer be opened. */
  readonly finding: Finding | null
}

type Row = Pick<CallRow, 'id' | 'owner' | 'account' | 'data_key'>

/** Seals a verification result beside the call; idempotent. */
export async function keep(ctx: Pick<Context, 'db' | 'secrets'>, row: Row, finding: Finding): Promise<void> {
  const sealed = sealPayload(ctx.secrets, placeOf(row), 'finding', finding)
  await ctx.db.query('UPDATE findings SET finding = $2, found_at = clock_timestamp() WHERE call_id = $1', [
    row.id,
    sealed,
  ])
}

/** Seals the result of the automatic verification, before the call ends. */
export async function keepFirst(ctx: Pick<Context, 'db' | 'secrets'>, row: Row, finding: Finding): Promise<void> {
  await ctx.db.query(
    `INSERT INTO findings (call_id, asked_at, found_at, finding) VALUES ($1, now(), now(), $2) ON CONFLICT (call_id) DO NOTHING`,
    [row.id, sealPayload(ctx.secrets, placeOf(row), 'finding', finding)],
  )
}

/** The latest verification of the call; undefined: none, or the call is not unknown. */
export async function lookOf(
  ctx: Pick<Context, 'db' | 'secrets' | 'log' | 'security'>,
  row: CallRow,
): Promise<Look | undefined> {
  if (row.status !== 'unknown') return undefined
  const { rows } = await ctx.db.query<{ asked_at: Date; found_at: Date | null; finding: Buffer | null }>(
    'SELECT asked_at, found_at, finding FROM findings WHERE call_id = $1',
    [row.id],
  )
  return rows[0] && { askedAt: rows[0].asked_at, foundAt: rows[0].found_at, finding: opened(ctx, row, rows[0].finding) }
}

function opened(
  ctx: Pick<Context, 'secrets' | 'log' | 'security'>,
  row: CallRow,
  sealed: Buffer | null,
): Finding | null {
  try {
    return sealed === null ? null : (openPayload(ctx.secrets, placeOf(row), 'finding', sealed) as Finding)
  } catch (error) {
    logUnopened(ctx, { call: row.id }, error, 'what was found about a call cannot be opened')
    return null
  }
}
