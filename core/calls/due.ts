import type { Db } from '../database/pool.ts'
import type { CallRow } from './rows.ts'
import type { callArgs } from './workflow-args.ts'

/** What the reconciler reads of a due call: its workflow arguments and its state. */
export type DueCall = Parameters<typeof callArgs>[0] & Pick<CallRow, 'status' | 'decision' | 'send' | 'prepare_at'>

/** `pressing`: decided, running or being prepared. `waiting`: undecided; nothing can be missed. */
export type DueKind = 'pressing' | 'waiting'

/**
 * Calls per round, and how many in parallel. Rounds stay short even if Temporal takes a second per
 * call: the next one has what was decided meanwhile.
 */
export const rounds: Readonly<Record<DueKind, { readonly batch: number; readonly lanes: number }>> = {
  pressing: { batch: 40, lanes: 8 },
  waiting: { batch: 40, lanes: 4 },
}
/** Seconds until an undecided call is checked again; any change to it sets an earlier time. */
export const idle = 86_400
/** How many of the longest-due pressing calls are searched for decided ones. */
const outlook = 2_000

/** Must equal the predicate of the index `calls_pressing`. */
export const isPressing = `(status <> 'awaiting_confirmation' OR prepare_at IS NOT NULL)`
const columns = `id, owner, app, endpoint, account, access, confirm, status, decision, decided_at, expires_at, created_at, send, attempt, round, prepare_at`

const statements: Readonly<Record<DueKind, string>> = {
  // Alternates calls being prepared with all others, so that neither group delays the other.
  pressing: `SELECT ${columns} FROM (
       SELECT due.*, row_number() OVER (PARTITION BY status = 'awaiting_confirmation' ORDER BY check_at) AS turn
       FROM (SELECT ${columns}, check_at FROM calls WHERE ${isPressing} AND check_at <= now() ORDER BY check_at LIMIT ${outlook}) due
     ) taken ORDER BY turn, check_at LIMIT $1`,
  // Half the longest due, half just due: an expired call must not wait behind a large backlog.
  waiting: `SELECT ${columns} FROM calls WHERE id IN (
       (SELECT id FROM calls WHERE NOT ${isPressing} AND check_at <= now() ORDER BY check_at, id LIMIT ($1 + 1) / 2)
       UNION (SELECT id FROM calls WHERE NOT ${isPressing} AND check_at <= now() ORDER BY check_at DESC, id DESC LIMIT $1 / 2))
     ORDER BY check_at`,
}

/** Whether the call is undecided and not being prepared: its run cannot miss anything. */
export function merelyWaits(call: DueCall): boolean {
  return call.status === 'awaiting_confirmation' && call.prepare_at === null
}

export async function dueCalls(db: Db, kind: DueKind): Promise<readonly DueCall[]> {
  const { rows } = await db.query<DueCall>({
    name: `due-${kind}`,
    text: statements[kind],
    values: [rounds[kind].batch],
  })
  return rows
}
