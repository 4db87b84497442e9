import type { Context } from '../context.ts'
import type { Finding } from './finding.ts'
import { openPayload, placeOf, sealPayload } from './payload.ts'
import type { CallRow } from './rows.ts'
import { logUnopened } from '../security-log.ts'

/** What was found in the app about calls that ended unknown, as it is kept. */

/** What was asked and found last. */
export interface Look {
  readonly askedAt: Date
  readonly foundAt: Date | null
  /** Null: nobody has looked yet, or it cannot be opened any more. */
  readonly finding: Finding | null
}

type Row = Pick<CallRow, 'id' | 'owner' | 'account' | 'data_key'>

/** Seals what was found beside the call; may be repeated. */
export async function keep(ctx: Pick<Context, 'db' | 'secrets'>, row: Row, finding: Finding): Promise<void> {
  const sealed = sealPayload(ctx.secrets, placeOf(row), 'finding', finding)
  await ctx.db.query('UPDATE findings SET finding = $2, found_at = clock_timestamp() WHERE call_id = $1', [
    row.id,
    sealed,
  ])
}

/** Seals what was found without anybody asking for it, before the call has ended. */
export async function keepFirst(ctx: Pick<Context, 'db' | 'secrets'>, row: Row, finding: Finding): Promise<void> {
  await ctx.db.query(
    `INSERT INTO findings (call_id, asked_at, found_at, finding) VALUES ($1, now(), now(), $2) ON CONFLICT (call_id) DO NOTHING`,
    [row.id, sealPayload(ctx.secrets, placeOf(row), 'finding', finding)],
  )
}

/** What was asked about the call, and what was found. */
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
