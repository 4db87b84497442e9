import { coversCall } from '../calls/covered.ts'
import { transaction } from '../database/pool.ts'
import type { Db, Pool } from '../database/pool.ts'

/** An owner's current credits. */
export interface Balance {
  readonly plan: string
  readonly monthly_credits: number
  readonly credits_left: number
  /** Reserved by open calls, of earlier months too; for a key, only by calls that it may see. */
  readonly credits_reserved: number
  readonly next_credits_at: Date
  /** `2026-07`: the month of these credits. */
  readonly month: string
}

/**
 * `key`: sees entries without a call, and of calls that it may see. Null: the owner, who sees all.
 */
export interface StatementOf {
  readonly owner: string
  readonly key: string | null
}

/**
 * A month's sums. granted + refunded = used + reserved + lapsed + left, if all calls are visible.
 * For a key, `refunded`, `used` and `reserved` only count calls that it may see.
 */
export interface Totals {
  readonly granted: number
  readonly refunded: number
  readonly used: number
  readonly reserved: number
  readonly lapsed: number
  readonly left: number
}

export type EntryKind = 'grant' | 'upgrade' | 'lapse' | 'reserve' | 'capture' | 'release' | 'refund'

export interface Entry {
  readonly id: string
  readonly at: Date
  readonly kind: EntryKind
  readonly credits: number
  /** Change of the credits left, and of those reserved; over all entries, they add up to both. */
  readonly change: number
  readonly reserved_change: number
  readonly call_id: string | null
  readonly app: string | null
  readonly endpoint: string | null
  readonly note: string | null
}

export interface Statement {
  readonly balance: Balance
  readonly month: string
  readonly totals: Totals
  /** Newest first. */
  readonly entries: readonly Entry[]
}

const change = `CASE WHEN l.kind IN ('grant', 'upgrade', 'refund', 'release') THEN l.amount WHEN l.kind IN ('lapse', 'reserve') THEN -l.amount ELSE 0 END`
const reservedChange = `CASE WHEN l.kind = 'reserve' THEN l.amount WHEN l.kind IN ('capture', 'release') THEN -l.amount ELSE 0 END`

/** A page of a month's ledger below entry `before`, and the balance. Month null = this month. */
export async function readStatement(
  pool: Pool,
  wanted: StatementOf & {
    readonly month: string | null
    readonly before: string | null
    readonly limit: number
    /** Only the last entry of each call. */
    readonly lastOfCalls?: boolean
  },
): Promise<Statement> {
  await bringToThisMonth(pool, wanted.owner)
  return transaction(pool, async (db) => {
    await db.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const balance = await readBalance(db, wanted)
    const month = wanted.month ?? balance.month
    const place = placeOf(wanted, month)
    return { balance, month, totals: await readTotals(db, place), entries: await readPage(db, place, wanted) }
  })
}

/** A month's whole ledger, oldest first, in chunks; a snapshot as of the start. */
export async function* readWholeMonth(pool: Pool, of: StatementOf, month: string): AsyncGenerator<readonly Entry[]> {
  await bringToThisMonth(pool, of.owner)
  const place = placeOf(of, month)
  const { rows } = await pool.query<{ last: string | null }>(
    'SELECT max(id) AS last FROM ledger WHERE owner = $1 AND month = $2',
    place.slice(0, 2),
  )
  const last = rows[0]?.last ?? '0'
  for (let after = '0'; BigInt(after) < BigInt(last);) {
    const piece = await pool.query<Entry>(`${linesFor(of.key)} AND l.id > $4 AND l.id <= $5 ORDER BY l.id LIMIT 1000`, [
      ...place,
      after,
      last,
    ])
    if (piece.rows.length === 0) return
    yield piece.rows
    after = piece.rows.at(-1)?.id ?? last
  }
}

/** SQL: the visible calls. Parameters $1 to $3: owner, month, key. */
const callsFor = (key: string | null): string =>
  key === null
    ? 'calls'
    : `(SELECT c.id, c.app, c.endpoint FROM api_keys k JOIN api_keys maker ON maker.owner = k.owner
        JOIN calls c ON c.key_id = maker.id WHERE k.id = $3 AND k.owner = $1 AND ${coversCall})`

/** SQL: the visible entries. Parameters as above. */
const linesFor = (key: string | null): string => `
  SELECT l.id, l.at, l.kind, l.amount AS credits, ${change} AS change, ${reservedChange} AS reserved_change,
    l.call_id, c.app, c.endpoint, l.note
  FROM ledger l LEFT JOIN ${callsFor(key)} c ON c.id = l.call_id
  WHERE l.owner = $1 AND l.month = $2 AND ($3::text IS NULL OR l.call_id IS NULL OR c.id IS NOT NULL)`

function placeOf({ owner, key }: StatementOf, month: string): readonly (string | null)[] {
  return [owner, `${month}-01`, key]
}

export interface LedgerLine {
  readonly at: Date
  readonly kind: 'reserve' | 'capture' | 'release' | 'refund'
  readonly amount: number
}

/** A call's ledger entries, oldest first. */
export async function callLedger(db: Db, owner: string, callId: string): Promise<readonly LedgerLine[]> {
  const { rows } = await db.query<LedgerLine>(
    'SELECT at, kind, amount FROM ledger WHERE owner = $1 AND call_id = $2 ORDER BY id',
    [owner, callId],
  )
  return rows
}

/** `2026-07`, by the database's clock, in UTC. */
export async function currentMonth(db: Db): Promise<string> {
  const { rows } = await db.query<{ month: string }>(`SELECT to_char(this_month(), 'YYYY-MM') AS month`)
  return rows[0]?.month ?? ''
}

/** Grants the month's credits to an owner without activity this month. */
async function bringToThisMonth(db: Db, owner: string): Promise<void> {
  await db.query('SELECT lock_balance(owner) FROM balances WHERE owner = $1 AND month IS DISTINCT FROM this_month()', [
    owner,
  ])
}

async function readBalance(db: Db, { owner, key }: StatementOf): Promise<Balance> {
  const { rows } = await db.query<Balance>(
    `SELECT u.plan, p.monthly_credits, b.available AS credits_left,
       CASE WHEN $2::text IS NULL THEN b.reserved ELSE (
         SELECT coalesce(sum(c.credits), 0)::integer FROM calls c
         JOIN api_keys maker ON maker.id = c.key_id JOIN api_keys k ON k.id = $2 AND k.owner = c.owner
         WHERE c.owner = b.owner AND c.status IN ('awaiting_confirmation', 'running') AND c.reserved_month IS NOT NULL
           AND ${coversCall}) END AS credits_reserved,
       (b.month + interval '1 month') AT TIME ZONE 'UTC' AS next_credits_at, to_char(b.month, 'YYYY-MM') AS month
     FROM balances b JOIN users u ON u.id = b.owner JOIN plans p ON p.name = u.plan WHERE b.owner = $1`,
    [owner, key],
  )
  const balance = rows[0]
  if (balance === undefined) throw new Error('an owner has no balance')
  return balance
}

async function readTotals(db: Db, place: readonly (string | null)[]): Promise<Totals> {
  const [owner, month, key = null] = place
  const sum = (...kinds: EntryKind[]): string =>
    `coalesce(sum(l.amount) FILTER (WHERE l.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}) AND shown), 0)::integer`
  // The owner sees all entries: no join with calls.
  const lines =
    key === null
      ? 'SELECT kind, amount, true AS shown FROM ledger WHERE owner = $1 AND month = $2'
      : `SELECT l.kind, l.amount, l.call_id IS NULL OR c.id IS NOT NULL AS shown
         FROM ledger l LEFT JOIN ${callsFor(key)} c ON c.id = l.call_id WHERE l.owner = $1 AND l.month = $2`
  const { rows } = await db.query<Totals>(
    `SELECT ${sum('grant', 'upgrade')} AS granted, ${sum('refund')} AS refunded, ${sum('capture')} AS used, ${sum('lapse')} AS lapsed,
       coalesce(sum(${reservedChange}) FILTER (WHERE shown), 0)::integer AS reserved, coalesce(sum(${change}), 0)::integer AS "left"
     FROM (${lines}) l`,
    key === null ? [owner, month] : [...place],
  )
  const totals = rows[0]
  if (totals === undefined) throw new Error('a sum has no row')
  return totals
}

const laterOfCall =
  'SELECT FROM ledger later WHERE later.call_id = l.call_id AND later.month = l.month AND later.id > l.id'

async function readPage(
  db: Db,
  place: readonly (string | null)[],
  wanted: StatementOf & { readonly before: string | null; readonly limit: number; readonly lastOfCalls?: boolean },
): Promise<readonly Entry[]> {
  const { key, before, limit, lastOfCalls } = wanted
  const { rows } = await db.query<Entry>(
    `${linesFor(key)} ${lastOfCalls === true ? `AND NOT EXISTS (${laterOfCall})` : ''} AND ($4::bigint IS NULL OR l.id < $4) ORDER BY l.id DESC LIMIT $5`,
    [...place, before, limit],
  )
  return rows
}
