import type { CallRow } from '../../core/calls/rows.ts'
import { openInput } from '../../core/calls/record.ts'
import type { Context } from '../../core/context.ts'
import { isFinal } from '../../schemas/call.ts'
import type { Journal } from './journal.ts'
import type { Effect } from './witness.ts'
import { findMark } from './workload.ts'

/** Call ids, marks or messages of broken promises. All lists empty: every promise held. */
export interface Violations {
  /** Call ids that a client received but that do not exist, and calls that never became final. */
  readonly lost: readonly string[]
  /** More than one effect of one wish, or more than one call for it. */
  readonly doubled: readonly string[]
  /** Executed without an effect, or an effect of a call whose status excludes one. */
  readonly untrue: readonly string[]
  /** An effect without the approval that it needed. */
  readonly unapproved: readonly string[]
  /** One Idempotency-Key, two calls. */
  readonly split: readonly string[]
  /** A client or user received wrong information. */
  readonly contradicted: readonly string[]
}

export async function readCalls(ctx: Pick<Context, 'db'>): Promise<readonly CallRow[]> {
  const { rows } = await ctx.db.query<CallRow>(
    'SELECT c.*, a.data_key FROM calls c JOIN accounts a ON a.id = c.account ORDER BY c.id',
  )
  return rows
}

/** Compares calls, effects and the answers that clients and users received. */
export function violations(
  ctx: Pick<Context, 'secrets'>,
  calls: readonly CallRow[],
  effects: readonly Effect[],
  journal: Journal,
): Violations {
  const known = new Map(calls.map((row) => [row.id, row]))
  const marked = new Map<string, CallRow[]>()
  for (const row of calls) {
    const mark = row.access === 'write' ? findMark(JSON.stringify(openInput(ctx, row))) : undefined
    if (mark !== undefined) marked.set(mark, [...(marked.get(mark) ?? []), row])
  }
  const happened = new Map<string, number>()
  for (const { body } of effects) {
    const mark = findMark(JSON.stringify(body)) ?? 'an effect without a mark'
    happened.set(mark, (happened.get(mark) ?? 0) + 1)
  }
  const marks = [...new Set([...marked.keys(), ...happened.keys()])]
  const count = (mark: string) => happened.get(mark) ?? 0
  const callsOf = (mark: string) => marked.get(mark) ?? []
  return {
    lost: [
      ...[...journal.seen].filter((id) => !known.has(id)),
      ...calls.filter(({ status }) => !isFinal(status)).map(({ id, status }) => `${id} (${status})`),
    ],
    doubled: marks.filter((mark) => count(mark) > 1 || callsOf(mark).length > 1),
    untrue: marks.filter((mark) => !isTrue(callsOf(mark), count(mark))),
    unapproved: marks.filter((mark) => count(mark) > 0 && !callsOf(mark).every((row) => isApproved(row, journal))),
    split: [...journal.byKey].filter(([, ids]) => ids.size > 1).map(([key]) => key),
    contradicted: [...journal.complaints, ...contradictions(known, journal)],
  }
}

/** Executed: exactly one effect. Unknown: at most one. Anything else: none. */
function isTrue(rows: readonly CallRow[], effects: number): boolean {
  const executed = rows.filter(({ status }) => status === 'executed').length
  const unknown = rows.filter(({ status }) => status === 'unknown').length
  return effects >= executed && effects <= executed + unknown
}

function isApproved(row: CallRow, journal: Journal): boolean {
  if (!row.confirm) return true
  return row.decision === 'approved' && row.decided_by === row.owner && journal.pressed.has(row.id)
}

function contradictions(known: ReadonlyMap<string, CallRow>, journal: Journal): string[] {
  const wrong: string[] = []
  for (const [id, status] of journal.finals) {
    const row = known.get(id)
    if (row && row.status !== status) wrong.push(`${id} was shown as ${status} and is ${row.status}`)
  }
  for (const [id, decisions] of journal.told) {
    const row = known.get(id)
    if (!row) continue
    // In later rounds, an earlier approval was confirmed, then the app's data changed.
    if (decisions.has('approved') && row.decision !== 'approved' && row.round === 1)
      wrong.push(`${id}: an approval was confirmed and lost`)
    for (const end of ['rejected', 'cancelled'] as const)
      if (decisions.has(end) && row.status !== end) wrong.push(`${id}: told ${end}, is ${row.status}`)
  }
  return wrong
}
