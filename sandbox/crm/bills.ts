import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type Account, type Viewer } from '../platform/types.ts'
import { dueOn, linkKey, methods, type Bill, type BillLine, type Instalment, type Payment } from './entities.ts'
import { visible } from './levels.ts'
import { among, insert, nextId, stored, where, type Slice, type Wish } from './tables.ts'

const joined = 'SELECT b.*, e.headline FROM bills b JOIN engagements e ON e.id = b.engagement'

function toBill(row: Row): Bill {
  return {
    id: number(row, 'id'),
    account: text(row, 'account'),
    engagement: { id: number(row, 'engagement'), headline: text(row, 'headline') },
    currency: text(row, 'currency'),
    total: number(row, 'total'),
    received: number(row, 'received'),
    dueOn: maybeText(row, 'due_on'),
    lines: stored(text(row, 'lines')) as BillLine[],
    plan: stored(text(row, 'plan')) as Instalment[],
    raised: number(row, 'raised'),
    sent: maybeNumber(row, 'sent'),
  }
}

const notFound = (): Refusal => new Refusal(404, 'BILL_NOT_FOUND', 'You have no such bill.', 'billId')

export function findBill(db: DatabaseSync, viewer: Viewer, id: number): Bill {
  const { sql, values } = where(['b.id = ?', id], visible(viewer))
  const row = one(db, `${joined} WHERE ${sql}`, ...values)
  if (!row) throw notFound()
  return toBill(row)
}

/** What the client's link leads to. */
export function findSentBill(db: DatabaseSync, key: string): Bill {
  const id = Number(/^(\d{1,15})-[0-9a-f]{16}$/.exec(key)?.[1] ?? 0)
  const row = linkKey('b', id) === key ? one(db, `${joined} WHERE b.id = ? AND b.sent IS NOT NULL`, id) : undefined
  if (!row) throw notFound()
  return toBill(row)
}

interface BillFilter {
  settled: boolean | undefined
  engagement: number | undefined
  /** Bills without a due day are in no such window. */
  dueBefore: string | undefined
}

/** Newest first. */
export function listBills(db: DatabaseSync, viewer: Viewer, filter: BillFilter, wish: Wish): Slice<Bill> {
  const { settled, engagement, dueBefore } = filter
  const { sql, values } = where(
    visible(viewer),
    settled !== undefined && ['(b.received >= b.total) = ?', settled ? 1 : 0],
    engagement !== undefined && ['b.engagement = ?', engagement],
    dueBefore !== undefined && ['b.due_on < ?', dueBefore],
  )
  const after = wish.after ?? Number.MAX_SAFE_INTEGER
  const rows = all(
    db,
    `${joined} WHERE ${sql} AND b.id < ? ORDER BY b.id DESC LIMIT ?`,
    ...values,
    after,
    wish.first + 1,
  )
  const from = `bills b JOIN engagements e ON e.id = b.engagement WHERE ${sql}`
  return { rows: rows.map(toBill), total: count(db, from, ...values) }
}

export const billsOf = (db: DatabaseSync, engagement: number): Bill[] =>
  all(db, `${joined} WHERE b.engagement = ? ORDER BY b.id`, engagement).map(toBill)

export function paymentsOf(db: DatabaseSync, bill: number): Payment[] {
  return all(db, 'SELECT * FROM payments WHERE bill = ? ORDER BY id', bill).map((row) => ({
    id: number(row, 'id'),
    minor: number(row, 'minor'),
    method: among(methods, text(row, 'method')),
    receivedOn: text(row, 'received_on'),
    remark: text(row, 'remark'),
  }))
}

/** A draft, or for the seeds one that has gone out; nothing is received yet. */
export function insertBill(
  db: DatabaseSync,
  account: Account,
  made: Omit<Bill, 'id' | 'account' | 'total' | 'received' | 'dueOn'>,
): Bill {
  const total = made.lines.reduce((sum, { quantity, unit }) => sum + quantity * unit, 0)
  const due = dueOn(made.plan, 0)
  const id = nextId(db, 'bills', account)
  insert(db, 'bills', {
    id,
    account: account.account,
    engagement: made.engagement.id,
    currency: made.currency,
    total,
    received: 0,
    due_on: due ?? null,
    lines: JSON.stringify(made.lines),
    plan: JSON.stringify(made.plan),
    raised: made.raised,
    sent: made.sent ?? null,
  })
  return { ...made, id, account: account.account, total, received: 0, dueOn: due }
}

export function markBillSent(db: DatabaseSync, bill: Bill, now: number): Bill {
  if (bill.sent !== undefined) throw new Refusal(409, 'BILL_ALREADY_SENT', 'This bill was sent already.', 'billId')
  run(db, 'UPDATE bills SET sent = ? WHERE id = ?', now, bill.id)
  return { ...bill, sent: now }
}

/** Never more than is outstanding. The due day moves on to the next instalment that is not covered. */
export function addPayment(
  db: DatabaseSync,
  account: Account,
  bill: Bill,
  payment: Omit<Payment, 'id'>,
): { bill: Bill; payment: Payment } {
  if (bill.received >= bill.total) throw new Refusal(409, 'BILL_SETTLED', 'Nothing is outstanding.', 'billId')
  if (bill.received + payment.minor > bill.total) {
    throw new Refusal(422, 'MORE_THAN_OUTSTANDING', 'That is more than what is outstanding.', 'minor')
  }
  const id = nextId(db, 'payments', account)
  const { minor, method, receivedOn, remark } = payment
  insert(db, 'payments', {
    id,
    account: account.account,
    bill: bill.id,
    minor,
    method,
    received_on: receivedOn,
    remark,
  })
  const received = bill.received + minor
  const due = dueOn(bill.plan, received)
  run(db, 'UPDATE bills SET received = ?, due_on = ? WHERE id = ?', received, due ?? null, bill.id)
  return { bill: { ...bill, received, dueOn: due }, payment: { ...payment, id } }
}
