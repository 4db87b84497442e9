import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, maybeText, number, run, text } from '../platform/rows.ts'
import { Refusal, type Account, type SignedIn } from '../platform/types.ts'
import { dayIn, monthBefore, panelDay } from './clock.ts'
import { invalid, readText, type Fields } from './input.ts'
import { findProvider, need, ownProvider, todayHere } from './provider.ts'

const digits: Record<string, number> = { JPY: 0, TND: 3 }

export const minorOf = (units: number, cur: string): number => Math.round(units * 10 ** (digits[cur] ?? 2))

/** `{ value: "1250.00", cur: "EUR" }`, with as many decimals as the currency has. */
export function amount(minor: number, cur: string): { value: string; cur: string } {
  const decimals = digits[cur] ?? 2
  return { value: (minor / 10 ** decimals).toFixed(decimals), cur }
}

/** One month that is over: what travellers paid for the trips of that month, our fee, and what is paid out. */
export interface Month {
  month: string
  gross: number
  fee: number
  due: number
  ref: string | null
  paidOn: string | null
}

/** Latest first; `which` is a year or a month, `today` ends the list before its own month. */
function monthsOf(db: DatabaseSync, account: string, which: string, today: string): Month[] {
  const sql = `SELECT substr(b.day, 1, 7) AS month, sum(b.total) AS gross, p.ref, p.paid_on FROM bookings b
    LEFT JOIN payouts p ON p.account = b.account AND p.month = substr(b.day, 1, 7)
    WHERE b.account = ? AND b.state = 'VALID' AND b.day LIKE ? AND substr(b.day, 1, 7) < ?
    GROUP BY substr(b.day, 1, 7) ORDER BY 1 DESC`
  const { feePct } = findProvider(db, account)
  return all(db, sql, account, `${which}-%`, today.slice(0, 7)).map((row) => {
    const gross = number(row, 'gross')
    const fee = Math.round((gross * feePct) / 100)
    const paid = { ref: maybeText(row, 'ref') ?? null, paidOn: maybeText(row, 'paid_on') ?? null }
    return { month: text(row, 'month'), gross, fee, due: gross - fee, ...paid }
  })
}

/** Of the year that `year` says, else of this one. */
export function listMonths(request: SignedIn): Month[] {
  need(request, 'money')
  const today = todayHere(request)
  const year = request.query.get('year') ?? today.slice(0, 4)
  if (year.trim() === '' || !Number.isInteger(Number(year)))
    throw new Refusal(400, 'PARAM_INVALID', 'year must be a whole number.', 'year')
  return monthsOf(request.db, request.viewer.account.account, year, today)
}

/** `F7-202611`: provider 7's bill of November 2026. */
export const billId = ({ viewer }: SignedIn, month: string): string =>
  `F${viewer.account.ordinal}-${month.replace('-', '')}`

export function ownBill(request: SignedIn): Month {
  need(request, 'money')
  const { db, viewer, params } = request
  const [, ordinal, year, number] = /^F(\d{1,9})-(\d{4})(\d\d)$/.exec(params['inv'] ?? '') ?? []
  const months =
    ordinal === String(viewer.account.ordinal)
      ? monthsOf(db, viewer.account.account, `${year}-${number}`, todayHere(request))
      : []
  if (!months[0]) throw new Refusal(404, 'BILL_NOT_FOUND', 'None of your bills has this number.')
  return months[0]
}

function readMonth(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const text = readText(value, 'month', 7)
  if (!/^(0[1-9]|1[0-2])-2\d{3}$/.test(text)) {
    throw invalid('MONTH_INVALID', 'month must be a month such as 11-2026.', 'month')
  }
  return panelDay(text)
}

/** Pays out what is due for a month that is over, the last one by default: once, and at once. */
export function askPayout(request: SignedIn, fields: Fields): { month: string; ref: string } {
  need(request, 'money')
  const { db, viewer, now } = request
  const { account } = viewer.account
  const today = todayHere(request)
  const month = readMonth(fields['month']) ?? monthBefore(today.slice(0, 7))
  if (month >= today.slice(0, 7)) throw new Refusal(409, 'MONTH_RUNNING', 'This month is not over yet.', 'month')
  const [found] = monthsOf(db, account, month, today)
  if (!found) throw new Refusal(404, 'MONTH_NOT_FOUND', 'There were no trips in this month.', 'month')
  if (found.ref !== null) throw new Refusal(409, 'ALREADY_PAID', 'This month is paid out already.', 'month')
  const ref = payoutRef(viewer.account, month)
  const { zone, cur } = ownProvider(request)
  insertPayout(db, account, month, ref, dayIn(zone, now))
  request.effect('payout.ask', { month: panelDay(month), ref, due: amount(found.due, cur) })
  return { month, ref }
}

/** The same each time: a month is paid out once. */
export const payoutRef = ({ ordinal }: Account, month: string): string =>
  `PAY-${hash32(`caminera payout ${ordinal} ${month}`).toString(16).padStart(8, '0').toUpperCase()}`

export function insertPayout(db: DatabaseSync, account: string, month: string, ref: string, day: string): void {
  run(db, 'INSERT INTO payouts VALUES (?, ?, ?, ?)', account, month, ref, day)
}
