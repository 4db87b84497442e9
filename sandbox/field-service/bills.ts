import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest, type SignedIn } from '../platform/types.ts'
import { mailOf, ownClient } from './clients.ts'
import { dayIn } from './clock.ts'
import { needAdmin, nextId, nextTick, ownFirm } from './firm.ts'
import { choice, figure, invalid, needWords, pastDay, words, type Fields } from './input.ts'
import { billLetter, post } from './mails.ts'
import { linesOf, ownJob, totalOf, type Order } from './orders.ts'
import { option, type Found, type Slice } from './paging.ts'

export interface Bill {
  id: number
  account: string
  order: number
  client: number
  clientTitle: string
  made: number
  link: string
  /** When it was mailed first, and when the client first looked at it. */
  mailed: number | undefined
  seen: number | undefined
  total: number
  received: number
  /** Nothing is left to pay. */
  settled: boolean
}

export interface Payment {
  id: number
  means: string
  cents: number
  day: number
  reference: string
  remark: string
}

/** By hand; what clients pay online is `Card`. */
export const means = ['Cheque', 'Cash', 'Other'] as const
export const paymentFields = ['Means', 'Amount', 'Day', 'Reference', 'Remark'] as const

/** All bills of all firms as they stood after that change. */
const view = (tick: number): string => `(SELECT b.*, o.client, c.title,
  (SELECT coalesce(sum(sum), 0) FROM lines l WHERE l.order_id = b.order_id AND l.born <= ${tick}) AS total,
  (SELECT coalesce(sum(cents), 0) FROM payments p WHERE p.bill = b.id AND p.born <= ${tick}) AS received
  FROM bills b JOIN orders o ON o.id = b.order_id JOIN clients c ON c.id = o.client WHERE b.born <= ${tick}) b`
const latest = Number.MAX_SAFE_INTEGER

function toBill(row: Row, tick = latest): Bill {
  const since = (name: string, from: string): number | undefined =>
    (maybeNumber(row, from) ?? latest) <= tick ? maybeNumber(row, name) : undefined
  const [total, received] = [number(row, 'total'), number(row, 'received')]
  return {
    id: number(row, 'id'),
    account: text(row, 'account'),
    order: number(row, 'order_id'),
    client: number(row, 'client'),
    clientTitle: text(row, 'title'),
    made: number(row, 'made'),
    link: text(row, 'link'),
    mailed: since('mailed', 'mailed_tick'),
    seen: since('seen', 'seen_tick'),
    total,
    received,
    settled: received >= total,
  }
}

export function billOf(db: DatabaseSync, order: number): Bill | undefined {
  const row = one(db, `SELECT * FROM ${view(latest)} WHERE order_id = ?`, order)
  return row && toBill(row)
}

/** The bill behind the link that was mailed. */
export function mailedBill({ db, params }: AppRequest): Bill {
  const row = one(db, `SELECT * FROM ${view(latest)} WHERE link = ? AND mailed IS NOT NULL`, params['link'] ?? '')
  if (!row) throw new Refusal(404, 'BILL_NOT_FOUND', 'There is no bill at this address.')
  return toBill(row)
}

export function paymentsOf(db: DatabaseSync, bill: number): Payment[] {
  return all(db, 'SELECT * FROM payments WHERE bill = ? ORDER BY id', bill).map((row) => ({
    id: number(row, 'id'),
    means: text(row, 'means'),
    cents: number(row, 'cents'),
    day: number(row, 'day'),
    reference: text(row, 'reference'),
    remark: text(row, 'remark'),
  }))
}

/** In the order of their numbers; due ones unless said. */
export function listBills(request: SignedIn, { at, limit, offset }: Slice): Found<Bill> {
  needAdmin(request)
  const { db, viewer } = request
  const pile = option(request, 'Pile', ['Due', 'Settled']) ?? 'Due'
  const where = `${view(at.tick)} WHERE account = ? AND received ${pile === 'Due' ? '<' : '>='} total`
  const { account } = viewer.account
  const rows = all(db, `SELECT * FROM ${where} ORDER BY id LIMIT ? OFFSET ?`, account, limit, offset)
  return { rows: rows.map((row) => toBill(row, at.tick)), found: count(db, where, account) }
}

/** From all lines that the job has; nothing is mailed. */
export function makeBill(request: SignedIn): Bill {
  needAdmin(request)
  const { db, now } = request
  const job = ownJob(request)
  if (billOf(db, job.id)) throw new Refusal(409, 'BILL_EXISTS', 'This job has a bill already.')
  if (totalOf(linesOf(db, job.id)) === 0) throw new Refusal(409, 'NOTHING_TO_BILL', 'This job has nothing to bill.')
  const id = nextId(request, 'bills')
  const link = randomBytes(12).toString('hex')
  const sql = 'INSERT INTO bills VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, ?)'
  run(db, sql, id, job.account, job.id, now, link, nextTick(db, job.account))
  const bill = needBill(db, job)
  request.effect('bill.make', { order: job.id, bill: id, total: bill.total })
  return bill
}

function needBill(db: DatabaseSync, job: Order): Bill {
  const bill = billOf(db, job.id)
  if (!bill) throw new Refusal(409, 'NO_BILL', 'This job has no bill yet.')
  return bill
}

/** Once, and only while something is due. */
export function mailBill(request: SignedIn, fields: Fields): { order: number; mail: number } {
  needAdmin(request)
  const { db, viewer, now, base } = request
  const job = ownJob(request)
  const bill = needBill(db, job)
  if (bill.mailed !== undefined) throw new Refusal(409, 'BILL_ALREADY_MAILED', 'This bill was mailed already.')
  if (bill.settled) throw new Refusal(409, 'BILL_SETTLED', 'This bill is settled.')
  const recipient = mailOf(db, ownClient(request, String(job.client)))
  const message = words(fields, 'Message', 2000)
  const tick = nextTick(db, bill.account)
  run(db, 'UPDATE bills SET mailed = ?, mailed_tick = ? WHERE id = ?', now, tick, bill.id)
  const firm = { label: viewer.account.label, currency: ownFirm(request).currency }
  const address = `${base}/b/${bill.link}`
  const letter = billLetter(firm, job, { id: bill.id, address }, linesOf(db, job.id), message)
  const mail = post(request, { order: job.id, kind: 'Bill', recipient, ...letter }, tick)
  request.effect('bill.mail', { order: job.id, bill: bill.id, recipient, message, mail })
  return { order: job.id, mail }
}

/** Cheque, cash or other, of all that is left. No card is charged, nobody is written to. */
export function addPayment(request: SignedIn, fields: Fields): { order: number; id: number } {
  needAdmin(request)
  const { db, now } = request
  const job = ownJob(request)
  const bill = needBill(db, job)
  if (bill.settled) throw new Refusal(409, 'BILL_SETTLED', 'This bill is settled.')
  needWords(fields, 'Means', 20)
  const by = choice(fields, 'Means', means, 'Other')
  const cents = bill.total - bill.received
  if ((figure(fields, 'Amount', 1, latest) ?? cents) !== cents) {
    throw invalid('Amount', 'AMOUNT_NOT_DUE', 'Amount must be all that is due.')
  }
  const day = pastDay(fields, 'Day', dayIn(now, ownFirm(request).zone))
  const [reference, remark] = [words(fields, 'Reference', 60), words(fields, 'Remark', 500)]
  const payment: Payment = { id: nextId(request, 'payments'), means: by, cents, day, reference, remark }
  insertPayment(db, bill, payment, nextTick(db, bill.account))
  request.effect('payment.add', { order: job.id, bill: bill.id, ...payment })
  return { order: job.id, id: payment.id }
}

export function insertPayment(db: DatabaseSync, bill: Pick<Bill, 'id' | 'account'>, p: Payment, born: number): void {
  const sql = 'INSERT INTO payments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, p.id, bill.account, bill.id, p.means, p.cents, p.day, p.reference, p.remark, born)
}

/** The client opens the bill that was mailed. */
export function seeBill(request: AppRequest): Bill {
  const bill = mailedBill(request)
  if (bill.seen !== undefined) return bill
  const tick = nextTick(request.db, bill.account)
  run(request.db, 'UPDATE bills SET seen = ?, seen_tick = ? WHERE id = ?', request.now, tick, bill.id)
  request.effect('bill.seen', { bill: bill.id })
  return { ...bill, seen: request.now }
}
