import type { Db } from '../../core/database/pool.ts'
import type { Effect } from './sandbox.ts'

/** A call that a client made, and the text in its input by which its effect is known; null for a read. */
export interface MadeCall {
  readonly callId: string
  readonly mark: string | null
}

interface Row {
  readonly id: string
  readonly owner: string
  readonly status: string
  readonly confirm: boolean
  readonly credits_used: number
  readonly decided_by: string | null
  readonly decision: string | null
  readonly in_time: boolean
  readonly reserved: number
  readonly released: number
  readonly captured: number
}

const changesNothing = new Set(['failed', 'rejected', 'expired', 'cancelled'])

/**
 * What is wrong, in sentences, with calls that all should have ended by now: promises 1 to 4 of the design as sets of ids.
 * `effects`: everything that the app accepted from these calls' accounts.
 */
export async function brokenPromises(
  db: Db,
  calls: readonly MadeCall[],
  effects: readonly Effect[],
): Promise<readonly string[]> {
  const { rows } = await db.query<Row>(
    `SELECT c.id, c.owner, c.status, c.confirm, c.credits_used, c.decided_by, c.decision,
       c.decided_at < c.expires_at AS in_time,
       coalesce(sum(amount) FILTER (WHERE kind = 'reserve'), 0)::integer AS reserved,
       coalesce(sum(amount) FILTER (WHERE kind = 'release'), 0)::integer AS released,
       coalesce(sum(amount) FILTER (WHERE kind = 'capture'), 0)::integer AS captured
     FROM calls c LEFT JOIN ledger l ON l.call_id = c.id WHERE c.id = ANY($1) GROUP BY c.id`,
    [calls.map(({ callId }) => callId)],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const texts = effects.map(({ body }) => JSON.stringify(body))
  const broken = calls.flatMap(({ callId, mark }) => {
    const row = byId.get(callId)
    if (row === undefined) return [`${callId} was returned and does not exist`]
    const done = mark === null ? 0 : texts.filter((text) => text.includes(mark)).length
    return problemsOf(row, mark === null ? null : done).map((problem) => `${callId} (${row.status}) ${problem}`)
  })
  const marks = calls.flatMap(({ mark }) => mark ?? [])
  for (const text of texts) if (!marks.some((mark) => text.includes(mark))) broken.push(`an effect of no call: ${text}`)
  return broken
}

function problemsOf(row: Row, done: number | null): string[] {
  const problems: string[] = []
  if (row.status === 'running' || row.status === 'awaiting_confirmation') problems.push('has not ended')
  if (done !== null) {
    if (row.status === 'executed' && done !== 1) problems.push(`has ${done} effects`)
    if (changesNothing.has(row.status) && done !== 0) problems.push(`has ${done} effects`)
    if (row.status === 'unknown' && done > 1) problems.push(`has ${done} effects`)
    const approved = row.decision === 'approved' && row.decided_by === row.owner && row.in_time
    if (row.confirm && done > 0 && !approved) problems.push('was sent without an approval')
  }
  const { reserved, released, captured } = row
  if (reserved !== released + captured)
    problems.push(`reserved ${reserved}, released ${released}, captured ${captured}`)
  if (captured !== row.credits_used) problems.push(`used ${row.credits_used} credits, captured ${captured}`)
  if ((row.status === 'executed') !== captured > 0) problems.push(`captured ${captured}`)
  return problems
}
