import type { DatabaseSync } from 'node:sqlite'
import { all, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import type { Days } from './params.ts'

/** One line of a receipt. `gross`, `rebate` and `refund` are without `tip` and `service`. */
export interface SaleLine {
  account: string
  branch: string
  day: number
  label: string
  pay: string
  promo: string | null
  promoKind: string | null
  pieces: number
  gross: number
  rebate: number
  refund: number
  tip: number
  service: number
}

export const splits = ['pay', 'promo', 'promo_kind'] as const
export type Split = (typeof splits)[number]

export interface Sum {
  /** null: lines without a promotion. */
  label: string | null
  pieces: number
  gross: number
  rebate: number
  refund: number
}

const sums = `coalesce(sum(pieces), 0) AS pieces, coalesce(sum(gross), 0) AS gross, coalesce(sum(rebate), 0) AS rebate,
  coalesce(sum(refund), 0) AS refund FROM sales WHERE account = ? AND day BETWEEN ? AND ? AND (? IS NULL OR branch = ?)`

const toSum = (row: Row, label: string | null): Sum => ({
  label,
  pieces: number(row, 'pieces'),
  gross: number(row, 'gross'),
  rebate: number(row, 'rebate'),
  refund: number(row, 'refund'),
})

/** Days are those of each branch. Tips and service charges are left out. */
export function takings(
  db: DatabaseSync,
  account: string,
  days: Days,
  branch: string | undefined,
  split: Split | undefined,
): { rows: Sum[]; sum: Sum } {
  const values = [account, days.first, days.last, branch ?? null, branch ?? null]
  const sql = `SELECT ${split} AS label, ${sums} GROUP BY ${split} ORDER BY ${split} IS NULL, ${split}`
  const rows = split === undefined ? [] : all(db, sql, ...values)
  return {
    rows: rows.map((row) => toSum(row, maybeText(row, 'label') ?? null)),
    sum: toSum(one(db, `SELECT ${sums}`, ...values) ?? {}, null),
  }
}

/** For people: what the till printed on one day. */
export function receipts(db: DatabaseSync, account: string, day: number): SaleLine[] {
  return all(db, 'SELECT * FROM sales WHERE account = ? AND day = ? ORDER BY rowid', account, day).map((row) => ({
    ...toSum(row, null),
    account,
    branch: text(row, 'branch'),
    day,
    label: text(row, 'label'),
    pay: text(row, 'pay'),
    promo: maybeText(row, 'promo') ?? null,
    promoKind: maybeText(row, 'promo_kind') ?? null,
    tip: number(row, 'tip'),
    service: number(row, 'service'),
  }))
}

export function insertSale(db: DatabaseSync, s: SaleLine): void {
  const amounts = [s.pieces, s.gross, s.rebate, s.refund, s.tip, s.service]
  const sql = 'INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, s.account, s.branch, s.day, s.label, s.pay, s.promo, s.promoKind, ...amounts)
}
