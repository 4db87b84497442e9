import { transaction } from './pool.ts'
import type { Db, Pool } from './pool.ts'

/** What an owner has now. */
export interface Balance {
  readonly plan: string
  readonly monthly_credits: number
  readonly credits_left: number
  /** Held by calls that are not final, of earlier months too. */
  readonly credits_reserved: number
  readonly next_credits_at: Date
  /** `2026-07`: the month that the credits are of. */
  readonly month: string
}

/** A month's sums. granted + refunded = used + reserved + lapsed + left. */
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
  /** What it does to the credits left, and to those reserved. Over all entries they sum up to both. */
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

/** A page of a month's ledger, from just below the entry `before`, with the balance of the same moment. Month null = this one. */
export async function readStatement(
  pool: Pool,
  wanted: {
    readonly owner: string
    readonly month: string | null
    readonly before: string | null
    readonly limit: number
  },
): Promise<Statement> {
  await bringToThisMonth(pool, wanted.owner)
  return transaction(pool, async (db) => {
    await db.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const balance = await readBalance(db, wanted.owner)
    const month = wanted.month ?? balance.month
    const place = [wanted.owner, `${month}-01`]
    return { balance, month, totals: await readTotals(db, place), entries: await readPage(db, place, wanted) }
  })
}

/** A month's whole ledger, oldest first, in pieces, as it is at the beginning. */
export async function* readWholeMonth(pool: Pool, owner: string, month: string): AsyncGenerator<readonly Entry[]> {
  await bringToThisMonth(pool, owner)
  const place = [owner, `${month}-01`]
  const { rows } = await pool.query<{ last: string | null }>(
    'SELECT max(id) AS last FROM ledger WHERE owner = $1 AND month = $2',
    place,
  )
  const last = rows[0]?.last ?? '0'
  for (let after = '0'; BigInt(after) < BigInt(last);) {
    const piece = await pool.query<Entry>(
      `${entries} WHERE l.owner = $1 AND l.month = $2 AND l.id > $3 AND l.id <= $4 ORDER BY l.id LIMIT 1000`,
      [...place, after, last],
    )
    if (piece.rows.length === 0) return
    yield piece.rows
    after = piece.rows.at(-1)?.id ?? last
  }
}

const entries = `
  SELECT l.id, l.at, l.kind, l.amount AS credits, ${change} AS change, ${reservedChange} AS reserved_change,
    l.call_id, c.app, c.endpoint, l.note
  FROM ledger l LEFT JOIN calls c ON c.id = l.call_id`

export interface LedgerLine {
  readonly at: Date
  readonly kind: 'reserve' | 'capture' | 'release' | 'refund'
  readonly amount: number
}

/** What a call did to its owner's credits, oldest first. */
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

/** Grants the month's credits to an owner who has done nothing yet this month. */
async function bringToThisMonth(db: Db, owner: string): Promise<void> {
  await db.query('SELECT lock_balance(owner) FROM balances WHERE owner = $1 AND month IS DISTINCT FROM this_month()', [
    owner,
  ])
}

async function readBalance(db: Db, owner: string): Promise<Balance> {
  const { rows } = await db.query<Balance>(
    `SELECT u.plan, p.monthly_credits, b.available AS credits_left, b.reserved AS credits_reserved,
       (b.month + interval '1 month') AT TIME ZONE 'UTC' AS next_credits_at, to_char(b.month, 'YYYY-MM') AS month
     FROM balances b JOIN users u ON u.id = b.owner JOIN plans p ON p.name = u.plan WHERE b.owner = $1`,
    [owner],
  )
  const balance = rows[0]
  if (balance === undefined) throw new Error('an owner has no balance')
  return balance
}

async function readTotals(db: Db, place: readonly string[]): Promise<Totals> {
  const sum = (...kinds: EntryKind[]): string =>
    `coalesce(sum(l.amount) FILTER (WHERE l.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)::integer`
  const { rows } = await db.query<Totals>(
    `SELECT ${sum('grant', 'upgrade')} AS granted, ${sum('refund')} AS refunded, ${sum('capture')} AS used, ${sum('lapse')} AS lapsed,
       coalesce(sum(${reservedChange}), 0)::integer AS reserved, coalesce(sum(${change}), 0)::integer AS "left"
     FROM ledger l WHERE l.owner = $1 AND l.month = $2`,
    [...place],
  )
  const totals = rows[0]
  if (totals === undefined) throw new Error('a sum has no row')
  return totals
}

async function readPage(
  db: Db,
  place: readonly string[],
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly Entry[]> {
  const { rows } = await db.query<Entry>(
    `${entries} WHERE l.owner = $1 AND l.month = $2 AND ($3::bigint IS NULL OR l.id < $3) ORDER BY l.id DESC LIMIT $4`,
    [...place, before, limit],
  )
  return rows
}
