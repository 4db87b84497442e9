import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { day, dayOut, monthSpan } from './clock.ts'
import { known, readSpan, wrong } from './paging.ts'
import { idOf, ownerOnly, shopOf } from './tables.ts'

const longest = 3660 * day

/** Somebody who is not signed in looks at a ware. */
export function look(db: DatabaseSync, account: string, now: number): void {
  const sql = 'INSERT INTO looks VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1'
  run(db, sql, account, Math.floor(now / day))
}

const byDay = (rows: readonly Row[]): Map<number, number> =>
  new Map(rows.map((row) => [number(row, 'day'), number(row, 'n')]))

/** Sums by ware, of what was sold within a time; `sum` is taken over lines. */
function byWare(db: DatabaseSync, account: string, sum: string, from: number, to: number): Row[] {
  const sql = `SELECT w.serial, w.label, sum(${sum}) AS n FROM sales s JOIN lines l ON l.sale = s.serial
    JOIN wares w ON w.serial = l.ware WHERE s.account = ? AND s.sold >= ? AND s.sold < ?
    GROUP BY w.serial ORDER BY n DESC, w.serial`
  return all(db, sql, account, from, to)
}

/** Looks and takings, day by day, and what each ware brought in: as sold, whatever went back later. */
export function figures(request: SignedIn) {
  ownerOnly(request)
  const { db, viewer, query } = request
  const { account } = viewer.account
  known(query, ['first', 'last'])
  const { from, to } = readSpan(query)
  if (from === undefined) throw wrong('first is required.', 'first')
  if (to === undefined) throw wrong('last is required.', 'last')
  if (to - from > longest) throw wrong('At most 3660 days at once.', 'last', 'SPAN_TOO_LONG')
  const looks = byDay(
    all(db, 'SELECT day, n FROM looks WHERE account = ? AND day >= ? AND day < ?', account, from / day, to / day),
  )
  const sql = `SELECT sold / ${day} AS day, sum(total) AS n FROM sales WHERE account = ? AND sold >= ? AND sold < ? GROUP BY 1`
  const takings = byDay(all(db, sql, account, from, to))
  const days = Array.from({ length: (to - from) / day }, (_, index) => from / day + index)
  return {
    first: dayOut(from),
    last: dayOut(to - day),
    cur: shopOf(db, account).cur,
    days: days.map((at) => ({ on: dayOut(at * day), looks: looks.get(at) ?? 0, cents: takings.get(at) ?? 0 })),
    by_ware: byWare(db, account, 'l.cents', from, to).map((row) => ({
      ware_no: idOf('wares', number(row, 'serial')),
      label: text(row, 'label'),
      cents: number(row, 'n'),
    })),
  }
}

/** The books of a month, as sold; those of a month that goes on are not closed. */
export function monthBooks(request: SignedIn) {
  ownerOnly(request)
  const { db, viewer, params, query, now } = request
  const { account } = viewer.account
  known(query, [])
  const month = params['month'] ?? ''
  const span = monthSpan(month)
  if (!span) throw wrong('A month is like 202611.', 'month')
  const { from, to } = span
  if (from > now) throw new Refusal(409, 'MONTH_AHEAD', 'This month has not begun.', 'month')
  const sums =
    one(
      db,
      `SELECT total(vat) AS vat, total(processor) AS processor, total(house) AS house, total(other_tax) AS other,
      total(partner_cents) AS partner, count(partner) AS partners FROM sales WHERE account = ? AND sold >= ? AND sold < ?`,
      account,
      from,
      to,
    ) ?? {}
  return {
    month,
    closed: to <= now,
    cur: shopOf(db, account).cur,
    euro_brit_tax: number(sums, 'vat'),
    processor_cuts: number(sums, 'processor'),
    house_cuts: number(sums, 'house'),
    other_taxes: number(sums, 'other'),
    partner_cents: number(sums, 'partner'),
    partner_deals: number(sums, 'partners'),
    sold: byWare(db, account, 'l.copies', from, to).map((row) => ({
      label: text(row, 'label'),
      copies: number(row, 'n'),
    })),
  }
}
