import type { Access, CallStatus } from '../../schemas/call.ts'
import type { Db } from '../database/pool.ts'
import type { CallRow } from './rows.ts'

/** Which of a user's calls to find; omitted fields match all. */
export interface CallFilter {
  readonly owner: string
  readonly id?: string | undefined
  /** The keys of a lineage. */
  readonly keys?: readonly string[] | undefined
  readonly app?: string | undefined
  readonly endpoint?: string | undefined
  readonly access?: Access | undefined
  readonly status?: CallStatus | undefined
  /** Omits calls that await a decision. */
  readonly decided?: boolean
  /** Omits calls with a recorded resolution. */
  readonly unresolved?: boolean
  /** Id range: `from` inclusive, `before` exclusive. */
  readonly from?: string | undefined
  readonly before?: string | undefined
}

/** What lists need of a call; the outputs of reads, which may be long, are not read. */
export type FoundCall = Pick<
  CallRow,
  | 'id'
  | 'owner'
  | 'key_id'
  | 'app'
  | 'endpoint'
  | 'account'
  | 'access'
  | 'status'
  | 'created_at'
  | 'updated_at'
  | 'input'
  | 'output'
  | 'why'
  | 'original'
  | 'decision_reason'
  | 'error'
  | 'error_code'
  | 'credits_used'
  | 'decision'
  | 'decided_by'
  | 'decided_at'
  | 'resolution'
  | 'data_key'
  | 'account_label'
> & { readonly key_name: string }

/** One chunk of results, newest first. */
interface Piece {
  readonly calls: readonly FoundCall[]
  /** How many rows were scanned for it. */
  readonly looked: number
  /** Continue below this id; undefined: no more results. */
  readonly next: string | undefined
}

/**
 * Yields chunks of at most `most` calls, each after scanning at most `looks` rows of one index,
 * however many calls the user has. Conditions outside the index are compared row by row.
 */
export async function* findCalls(
  db: Db,
  filter: CallFilter,
  { most, looks }: { readonly most: number; readonly looks: number },
): AsyncGenerator<Piece, undefined> {
  let { before } = filter
  do {
    const { ids, looked, last } = await step(db, { ...filter, before }, most, looks)
    before = ids.length === most ? ids.at(-1) : looked === looks ? (last ?? undefined) : undefined
    yield { calls: await callsOf(db, filter.owner, ids), looked, next: before }
  } while (before !== undefined)
}

/** Statuses in the partial index of calls that were not executed. */
const notDone: readonly string[] = ['failed', 'unknown', 'rejected', 'expired', 'cancelled']
/** Statuses in the partial index of open calls, of which a user has few at a time. */
const open: readonly string[] = ['awaiting_confirmation', 'running']

const looked = 'c.id, c.app, c.endpoint, c.access, c.status, c.key_id, c.resolution'

/**
 * Rows of one index, newest first: by key, status or app, whichever likely matches fewest. Never
 * uses `=`: the planner would drop that column from the order and might pick a worse index.
 */
function rowsToLookAt({ id, keys, status, app, from, before }: CallFilter, bind: (value: unknown) => string): string {
  const range = (column: string): string =>
    [
      ...(id === undefined ? [] : [`AND ${column} = ${bind(id)}`]),
      ...(from === undefined ? [] : [`AND ${column} >= ${bind(from)}`]),
      ...(before === undefined ? [] : [`AND ${column} < ${bind(before)}`]),
    ].join(' ')
  if (keys !== undefined) {
    const column = 'c.id COLLATE "C"'
    return `SELECT made.* FROM unnest(${bind(keys)}::text[]) AS maker(id) CROSS JOIN LATERAL (
      SELECT ${looked} FROM calls c WHERE c.key_id = maker.id AND c.owner = $1 ${range(column)} ORDER BY ${column} DESC LIMIT $2) made
      ORDER BY made.id DESC LIMIT $2`
  }
  const few = [notDone, open].find((group) => status !== undefined && group.includes(status))
  const [column, value] = few !== undefined ? ['c.status', status] : app !== undefined ? ['c.app', app] : []
  const only = column === undefined ? '' : `AND ${column} BETWEEN ${bind(value)} AND ${bind(value)}`
  const partial = few === undefined ? '' : `AND c.status IN (${few.map((one) => `'${one}'`).join(', ')})`
  const order = ['c.owner', ...(column === undefined ? [] : [column]), 'c.id DESC'].join(', ')
  return `SELECT ${looked} FROM calls c WHERE c.owner = ANY (ARRAY[$1::text]) ${only} ${partial} ${range('c.id')}
    ORDER BY ${order} LIMIT $2`
}

/** The statement that scans at most `looks` rows, with its values. */
export function statementOf(filter: CallFilter, most: number, looks: number): { text: string; values: unknown[] } {
  const values: unknown[] = [filter.owner, looks, most]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const rows = rowsToLookAt(filter, bind)
  const wanted = (['status', 'app', 'endpoint', 'access'] as const).flatMap((column) =>
    filter[column] === undefined ? [] : [`${column} = ${bind(filter[column])}`],
  )
  if (filter.decided === true) wanted.push(`status <> 'awaiting_confirmation'`)
  if (filter.unresolved === true) wanted.push('resolution IS NULL')
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.join(' AND ')}`
  const text = `WITH seen AS MATERIALIZED (${rows})
    SELECT (SELECT count(*)::integer FROM seen) AS looked, (SELECT min(id) FROM seen) AS last,
      ARRAY (SELECT id FROM seen ${where} ORDER BY id DESC LIMIT $3) AS ids`
  return { text, values }
}

async function step(
  db: Db,
  filter: CallFilter,
  most: number,
  looks: number,
): Promise<{ readonly ids: readonly string[]; readonly looked: number; readonly last: string | null }> {
  const { rows } = await db.query<{ ids: string[]; looked: number; last: string | null }>(
    statementOf(filter, most, looks),
  )
  return rows[0] ?? { ids: [], looked: 0, last: null }
}

async function callsOf(db: Db, owner: string, ids: readonly string[]): Promise<readonly FoundCall[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<FoundCall>(
    `SELECT c.id, c.owner, c.key_id, c.app, c.endpoint, c.account, c.access, c.status, c.created_at, c.updated_at, c.input,
       CASE c.access WHEN 'write' THEN c.output END AS output, c.why, c.original, c.decision_reason, c.error, c.error_code,
       c.credits_used, c.decision, c.decided_by, c.decided_at, c.resolution, a.data_key, a.label AS account_label, k.name AS key_name
     FROM calls c JOIN accounts a ON a.id = c.account JOIN api_keys k ON k.id = c.key_id
     WHERE c.id = ANY ($1) AND c.owner = $2 ORDER BY c.id DESC`,
    [ids, owner],
  )
  return rows
}
