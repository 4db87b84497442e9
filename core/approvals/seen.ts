import { openPayload, placeOf } from '../calls/payload.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'
import type { Seen } from './look-ups.ts'

type Row = Pick<CallRow, 'id' | 'owner' | 'account' | 'data_key'>

/** The preview of a call; undefined: none. Throws when it cannot be opened. */
export function openSeen(
  ctx: Pick<Context, 'secrets'>,
  row: Row & { readonly preview: Buffer | null },
): Seen | undefined {
  if (row.preview === null) return undefined
  return openPayload(ctx.secrets, placeOf(row), 'preview', row.preview) as Seen
}

/** A round without a send: relevant data in the app changed after the approval. */
export interface EndedRound {
  readonly round: number
  readonly approvedAt: Date
  /** As it was approved. */
  readonly preview: Buffer | null
  readonly request: Buffer | null
}

/** The last ended round; undefined: the call is in its first. */
export async function lastRound(
  { db }: Pick<Context, 'db'>,
  { id, round }: Pick<CallRow, 'id' | 'round'>,
): Promise<EndedRound | undefined> {
  if (round === 1) return undefined
  const { rows } = await db.query<EndedRound>(
    `SELECT round, decided_at AS "approvedAt", preview, request FROM rounds WHERE call_id = $1 ORDER BY round DESC LIMIT 1`,
    [id],
  )
  return rows[0]
}

/** When a round was approved, and when it ended without a send. */
export interface RoundTimes {
  readonly round: number
  /** The user, or the id of an approval rule. */
  readonly by: string
  readonly approvedAt: Date
  readonly endedAt: Date
}

/** The ended rounds, oldest first. */
export async function endedRounds(
  { db }: Pick<Context, 'db'>,
  { id, round }: Pick<CallRow, 'id' | 'round'>,
): Promise<readonly RoundTimes[]> {
  if (round === 1) return []
  const { rows } = await db.query<RoundTimes>(
    `SELECT round, decided_by AS by, decided_at AS "approvedAt", ended_at AS "endedAt" FROM rounds WHERE call_id = $1 ORDER BY round`,
    [id],
  )
  return rows
}
