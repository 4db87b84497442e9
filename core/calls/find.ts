import type { Access, CallStatus } from '../../schemas/call.ts'
import type { Db } from '../database/pool.ts'
import type { CallRow } from './rows.ts'

/** Which of an owner's calls are wanted; what is left out does not matter. */
export interface CallFilter {
  readonly owner: string
  readonly id?: string | undefined
  /** The keys of a line. */
  readonly keys?: readonly string[] | undefined
  readonly app?: string | undefined
  readonly endpoint?: string | undefined
  readonly access?: Access | undefined
  readonly status?: CallStatus | undefined
  /** Leaves out those that wait for a decision. */
  readonly decided?: boolean
  /** Leaves out those of which somebody recorded what happened. */
  readonly unresolved?: boolean
  /** Their ids: from this one on, and below that one. */
  readonly from?: string | undefined
  readonly before?: string | undefined
}

/** What lists need of a call: the answers of reads, which may be long, are left where they are. */
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

/** A piece of what is found, newest first. */
interface Piece {
  readonly calls: readonly FoundCall[]
  /** How many calls were looked at for it. */
  readonly looked: number
  /** Where to go on, below this id; undefined: there is nothing more. */
  readonly next: string | undefined
}

/**
 * Piece by piece, each of at most `most` calls, for which at most `looks` rows of one index are read, however many calls the owner has. Only
 * what the index cannot tell is left to be compared row by row.
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

/** Statuses that the index of what was not done has. */
const notDone: readonly string[] = ['failed', 'unknown', 'rejected', 'expired', 'cancelled']
/** And those of the calls that are open, of which an owner has few at a time. */
const open: readonly string[] = ['awaiting_confirmation', 'running']

const looked = 'c.id, c.app, c.endpoint, c.access, c.status, c.key_id, c.resolution'

/**
 * The rows of one index, the newest first: of a key, a status or an app, whichever is wanted and likely has the fewest. Nothing is compared
 * by `=`: the order would then lack that column, other indexes would have it too, and one of them, however much of it is of no use, might
 * look cheaper.
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

/** The statement that looks at so many rows, and what it is about. */
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
