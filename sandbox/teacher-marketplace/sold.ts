import { randomBytes } from 'node:crypto'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { count, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest } from '../platform/types.ts'
import { dayIn, usDay } from './clock.ts'
import { costNow } from './costs.ts'
import { findGood, ownGood, type Good } from './goods.ts'
import { invalid, readForm, readLine } from './input.ts'
import { readPage, readSpan, type Page } from './lists.ts'
import { dollars } from './money.ts'
import { findShop, nextNo, type AtDesk } from './shop.ts'

interface SoldRow {
  no: number
  day: string
  good: number
  name: string
  earned: string
  tax: string
}

const soldRow = (row: Row): SoldRow => ({
  no: number(row, 'no'),
  day: usDay(text(row, 'day')),
  good: number(row, 'good'),
  name: text(row, 'name'),
  earned: dollars(number(row, 'earned')),
  tax: dollars(number(row, 'tax')),
})

export const soldFilters = ['first', 'last', 'good']

/** One line per item, newest first. */
export function listSold(request: AtDesk): Page<SoldRow> {
  const { shop, query } = request
  const { first, last } = readSpan(query)
  const wanted = query.get('good')
  const own: SQLInputValue[] = wanted === null ? [] : [ownGood(request, wanted).no]
  const select = `SELECT s.*, g.name FROM sold s JOIN goods g ON g.no = s.good WHERE s.account = ? AND s.day BETWEEN ? AND ?
    AND s.no <= ? ${wanted === null ? '' : 'AND s.good = ?'}`
  return readPage(
    request,
    'sold',
    soldFilters,
    (asOf) => ({ select, values: [shop.account, first, last, asOf.last, ...own], order: 'day DESC, no DESC' }),
    soldRow,
  )
}

export interface Sale {
  no: number
  account: string
  good: number
  day: string
  mail: string
  /** Whether it is the first item that this buyer has from the shop. */
  fresh: boolean
  earned: number
  tax: number
  /** Secret part of the address where the buyer picks it up. */
  key: string
}

export function insertSales(db: DatabaseSync, sales: readonly Sale[]): void {
  const insert = db.prepare('INSERT INTO sold VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { no, account, good, day, mail, fresh, earned, tax, key } of sales) {
    insert.run(no, account, good, day, mail, fresh ? 1 : 0, earned, tax, key)
  }
}

/** What a seller keeps of a price. */
export const sellersPart = (cents: number): number => Math.round(cents * 0.8)

/** Anybody may buy what is on the shelf; answers the key to pick it up with. */
export function buy(request: AppRequest, good: Good): string {
  const { db, now } = request
  const { account } = good
  const mail = readLine(readForm(request, ['mail'])['mail'], 'mail', 254)
  if (!/^\S+@\S+\.\S+$/.test(mail)) throw invalid('MAIL_INVALID', 'Give your e-mail address.', 'mail')
  const day = dayIn(findShop(db, account).zone, now)
  const cents = costNow(db, good, day)
  const fresh = count(db, 'sold WHERE account = ? AND mail = ?', account, mail) === 0
  const no = nextNo(db, account)
  const key = `${no.toString(36)}-${randomBytes(9).toString('hex')}`
  const sale = { no, account, good: good.no, day, mail, fresh, earned: sellersPart(cents), tax: 0, key }
  insertSales(db, [sale])
  const seen = fresh ? [1, 0] : [0, 1]
  const sql = `INSERT INTO traffic VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO UPDATE SET
    looks_new = looks_new + excluded.looks_new, looks_back = looks_back + excluded.looks_back,
    carts_new = carts_new + excluded.carts_new, carts_back = carts_back + excluded.carts_back`
  run(db, sql, good.no, day, account, ...seen, ...seen)
  request.effect('good.buy', { no, good: good.no, mail, cents })
  return key
}

/** What was bought stays its buyer's, on the shelf or not, with its latest file. */
export function boughtBy(db: DatabaseSync, key: string): Good {
  const row = one(db, 'SELECT good FROM sold WHERE key = ?', key)
  const good = row && findGood(db, String(number(row, 'good')))
  if (!good) throw new Refusal(404, 'PICKUP_NOT_FOUND', 'Nothing waits at this address.')
  return good
}
