import type { Db } from '../database/pool.ts'
import type { CallRow } from './rows.ts'
import type { callArgs } from './workflow-args.ts'

/** What of a due call is looked at: its arguments, and where it stands. */
export type DueCall = Parameters<typeof callArgs>[0] & Pick<CallRow, 'status' | 'decision' | 'send' | 'prepare_at'>

/** Somebody waits for what is `pressing`: it was decided, is under way, or is being prepared. Of what is `waiting` nothing can be missed. */
export type DueKind = 'pressing' | 'waiting'

/**
 * So many are looked at in one round, so many of them at once. A round is short where the engine takes a second for each: what is decided
 * meanwhile is part of the next.
 */
export const rounds: Readonly<Record<DueKind, { readonly batch: number; readonly lanes: number }>> = {
  pressing: { batch: 40, lanes: 8 },
  waiting: { batch: 40, lanes: 4 },
}
/** What merely waits for its person is looked at again so many seconds later: what happens to it sets an earlier time. */
export const idle = 86_400
/** So many of the pressing ones that are due longest are looked through for those that were decided. */
const outlook = 2_000

/** As the index `calls_pressing` has it. */
export const isPressing = `(status <> 'awaiting_confirmation' OR prepare_at IS NOT NULL)`
const columns = `id, owner, app, endpoint, account, access, confirm, status, decision, decided_at, expires_at, created_at, send, attempt, round, prepare_at`

const statements: Readonly<Record<DueKind, string>> = {
  // By turns of what is prepared for a person and of everything else: neither stands behind many of the other.
  pressing: `SELECT ${columns} FROM (
       SELECT due.*, row_number() OVER (PARTITION BY status = 'awaiting_confirmation' ORDER BY check_at) AS turn
       FROM (SELECT ${columns}, check_at FROM calls WHERE ${isPressing} AND check_at <= now() ORDER BY check_at LIMIT ${outlook}) due
     ) taken ORDER BY turn, check_at LIMIT $1`,
  // Those that are due longest and those that have just become due: whose time to decide is over does not stand behind a hundred thousand.
  waiting: `SELECT ${columns} FROM calls WHERE id IN (
       (SELECT id FROM calls WHERE NOT ${isPressing} AND check_at <= now() ORDER BY check_at, id LIMIT ($1 + 1) / 2)
       UNION (SELECT id FROM calls WHERE NOT ${isPressing} AND check_at <= now() ORDER BY check_at DESC, id DESC LIMIT $1 / 2))
     ORDER BY check_at`,
}

/** Nothing can be missed while nobody has decided. */
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
