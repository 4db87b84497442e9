import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../platform/body.ts'
import { all, count, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest, type SignedIn } from '../platform/types.ts'
import { addDays, dayIn } from './clock.ts'
import { idOf, serialOf, type Bill, type BillLine, type Person } from './entities.ts'
import { invalid, readDayField, readWords, type Sent } from './input.ts'
import { readLines } from './bill-lines.ts'
import { billLetter, post } from './mails.ts'
import type { Wish } from './parameters.ts'
import { findPerson, ownPerson } from './people.ts'
import { nextSerial, ownStudio, todayOf } from './studio.ts'

function toLines(value: string): BillLine[] {
  const lines: unknown = JSON.parse(value)
  return (Array.isArray(lines) ? lines : []).filter(isRecord).map((line) => ({
    label: String(line['label']),
    qty: Number(line['qty']),
    cents: Number(line['cents']),
  }))
}

function toBill(row: Row): Bill {
  return {
    serial: number(row, 'serial'),
    account: text(row, 'account'),
    number: text(row, 'number'),
    payer: number(row, 'payer'),
    lines: toLines(text(row, 'lines')),
    memo: text(row, 'memo'),
    cents: number(row, 'cents'),
    settled: number(row, 'settled'),
    money: text(row, 'money'),
    dueDay: text(row, 'due_day'),
    key: text(row, 'key'),
    made: number(row, 'made'),
    sent: maybeNumber(row, 'sent') ?? null,
  }
}

/** A bill of this account; somebody else's does not exist. */
export function ownBill({ db, viewer, params }: SignedIn): Bill {
  const serial = serialOf('bills', params['bill'] ?? '')
  const sql = 'SELECT * FROM bills WHERE serial = ? AND account = ?'
  const row = serial === undefined ? undefined : one(db, sql, serial, viewer.account.account)
  if (!row) throw new Refusal(404, 'BILL_NOT_FOUND', 'You have no bill with this id.')
  return toBill(row)
}

/** The bill behind a payment link; there is none before it was sent. */
export function payableBill(db: DatabaseSync, key: string): Bill {
  const row = one(db, 'SELECT * FROM bills WHERE key = ? AND sent IS NOT NULL', key)
  if (!row) throw new Refusal(404, 'BILL_NOT_FOUND', 'There is no bill at this address.')
  return toBill(row)
}

/** Newest first. Owing: not wholly paid, drafts too; one row more than asked for shows that there is a next page. */
export function listBills(
  db: DatabaseSync,
  account: string,
  owing: boolean | undefined,
  { size, below }: Wish,
): { rows: Bill[]; matching: number } {
  const where = `bills WHERE account = ? ${owing === undefined ? '' : `AND settled ${owing ? '<' : '>='} cents`}`
  const rows = all(db, `SELECT * FROM ${where} AND serial < ? ORDER BY serial DESC LIMIT ?`, account, below, size + 1)
  return { rows: rows.map(toBill), matching: count(db, where, account) }
}

export function draftBill(request: SignedIn, { attributes, related }: Sent): Bill {
  const { db, viewer, now } = request
  const { account } = viewer.account
  if (related['payer'] === undefined) throw invalid('PAYER_REQUIRED', 'Say who pays.', 'payer')
  const payer = ownPerson(request, related['payer'])
  const studio = ownStudio(request)
  const today = todayOf(studio, now)
  const dueDay = readDayField(attributes['due_day'], 'due_day') ?? addDays(today, 14)
  if (dueDay < today) throw invalid('DUE_DAY_PAST', 'A new bill cannot be due in the past.', 'due_day')
  const money = attributes['money'] ?? studio.money
  if (typeof money !== 'string' || !/^[A-Z]{3}$/.test(money)) {
    throw invalid('MONEY_INVALID', 'money must be a currency code such as EUR.', 'money')
  }
  const { lines, cents } = readLines(attributes['lines'])
  const serial = nextSerial(db, 'bills', account)
  const bill: Bill = {
    serial,
    account,
    number: numberOf(dayIn(studio.zone, now * 1000), serial),
    payer: payer.serial,
    lines,
    memo: readWords(attributes['memo'], 'memo', 1000),
    cents,
    settled: 0,
    money,
    dueDay,
    key: randomBytes(12).toString('hex'),
    made: now * 1000,
    sent: null,
  }
  insertBills(db, [bill])
  const { number: no, memo } = bill
  const stored = { id: idOf('bills', serial), number: no, payer: related['payer'], lines, memo, cents, money }
  request.effect('bill.draft', { ...stored, due_day: dueDay })
  return bill
}

/** `2026-0042`. */
export const numberOf = (day: string, serial: number): string =>
  `${day.slice(0, 4)}-${String(serial % 100_000).padStart(4, '0')}`

/** draft → sent: the payer gets the link to pay by. */
export function sendBill(request: SignedIn): { bill: Bill; payer: Person; batch: string } {
  const { db, viewer, base, now } = request
  const bill = ownBill(request)
  if (bill.sent !== null) throw new Refusal(409, 'BILL_ALREADY_SENT', 'This bill was sent already.')
  const payer = findPerson(db, bill.account, bill.payer)
  if (!payer || payer.mail === '') {
    throw new Refusal(409, 'PAYER_WITHOUT_MAIL', 'The payer has no e-mail address to send the bill to.')
  }
  run(db, 'UPDATE bills SET sent = ? WHERE serial = ?', now * 1000, bill.serial)
  const batch = post(request, billLetter(bill, payer, viewer.account.label, base), [payer.mail])
  request.effect('bill.send', { id: idOf('bills', bill.serial), to: payer.mail, batch })
  return { bill: { ...bill, sent: now * 1000 }, payer, batch }
}

/** The payer settles all that is left. */
export function payBill(request: AppRequest, bill: Bill): void {
  const left = bill.cents - bill.settled
  if (left <= 0) throw new Refusal(409, 'NOTHING_OWED', 'This bill is paid.')
  run(request.db, 'UPDATE bills SET settled = cents WHERE serial = ?', bill.serial)
  request.effect('bill.pay', { id: idOf('bills', bill.serial), cents: left, money: bill.money })
}

export function insertBills(db: DatabaseSync, bills: readonly Bill[]): void {
  const insert = db.prepare('INSERT INTO bills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const b of bills) {
    const rest = [b.cents, b.settled, b.money, b.dueDay, b.key, b.made, b.sent] as const
    insert.run(b.serial, b.account, b.number, b.payer, JSON.stringify(b.lines), b.memo, ...rest)
  }
}
