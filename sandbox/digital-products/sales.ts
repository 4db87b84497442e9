import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { momentOut } from './clock.ts'
import { needText, readBody, readForm } from './input.ts'
import { receiptOf } from './letters.ts'
import { known, readFilter, readPage, readSpan, type Page } from './paging.ts'
import { idOf, insertAll, nextSerial, ownerOnly, ownRow, serialOf, shopOf } from './tables.ts'

const saleStates = ['complete', 'returned', 'part_returned'] as const
const filters = ['mail', 'sale_no', 'ware_no', 'state', 'parcel', 'first', 'last'] as const
const stateSql = `CASE WHEN returned = 0 THEN 'complete' WHEN returned = total THEN 'returned' ELSE 'part_returned' END`

function saleState(sale: Row): (typeof saleStates)[number] {
  const [returned, total] = [number(sale, 'returned'), number(sale, 'total')]
  if (returned === 0) return 'complete'
  return returned === total ? 'returned' : 'part_returned'
}

const linesOf = (db: DatabaseSync, sale: Row): Row[] =>
  all(db, 'SELECT * FROM lines WHERE sale = ? ORDER BY serial', number(sale, 'serial'))

const lineOut = (line: Row) => ({
  ware_no: idOf('wares', number(line, 'ware')),
  label: text(line, 'label'),
  copies: number(line, 'copies'),
})

export const saleOut = (db: DatabaseSync, sale: Row, cur: string) => ({
  sale_no: idOf('sales', number(sale, 'serial')),
  buyer_mail: text(sale, 'mail'),
  lines: linesOf(db, sale).map(lineOut),
  total_cents: number(sale, 'total'),
  returned_cents: number(sale, 'returned'),
  cur,
  state: saleState(sale),
  voucher: maybeText(sale, 'voucher') ?? null,
  parcel: maybeText(sale, 'parcel') ?? null,
  sold: momentOut(number(sale, 'sold')),
})

export const remarkOut = (row: Row) => ({
  remark_no: idOf('remarks', number(row, 'serial')),
  words: text(row, 'words'),
  put: momentOut(number(row, 'put')),
})

export const isBarred = (db: DatabaseSync, account: string, mail: string): boolean =>
  count(db, 'barred WHERE account = ? AND mail = ?', account, mail) > 0

export function saleFull(request: SignedIn) {
  const { db, viewer, query } = request
  known(query, [])
  const { account } = viewer.account
  const sale = ownRow(request, 'sales', request.params['sale'])
  const { cur } = shopOf(db, account)
  const [processor, house, partner] = [number(sale, 'processor'), number(sale, 'house'), maybeText(sale, 'partner')]
  const remarks = all(db, 'SELECT * FROM remarks WHERE sale = ? ORDER BY serial', number(sale, 'serial'))
  return {
    ...saleOut(db, sale, cur),
    lines: linesOf(db, sale).map((line) => ({
      ...lineOut(line),
      line_cents: number(line, 'cents'),
      fetches_left: line['fetches'] === null ? null : number(line, 'fetches'),
    })),
    paid_by: text(sale, 'paid_by'),
    processor_cut: processor,
    house_cut: house,
    kept_cents: number(sale, 'total') - number(sale, 'returned') - processor - house,
    partner: partner === undefined ? null : { name: partner, cents: number(sale, 'partner_cents') },
    answers: JSON.parse(text(sale, 'answers')) as { asked: string; said: string }[],
    remarks: remarks.map(remarkOut),
    buyer_barred: isBarred(db, account, text(sale, 'mail')),
  }
}

/** An id that a filter asks for: 0 for no filter, -1, which nothing has, for no id. */
function filterSerial(query: URLSearchParams, name: string, table: 'sales' | 'wares'): number {
  const given = query.get(name)
  return given === null ? 0 : serialOf(table, given) || -1
}

export function listSales(request: SignedIn): Page {
  const { query, viewer } = request
  known(query, [...filters, 'per', 'pageKey'])
  const { from, to } = readSpan(query)
  const where = `sales s WHERE account = ?1 AND (?2 IS NULL OR lower(mail) = ?2) AND (?3 = 0 OR serial = ?3)
    AND (?4 = 0 OR EXISTS (SELECT 1 FROM lines WHERE sale = s.serial AND ware = ?4)) AND (?5 = '' OR ?5 = ${stateSql})
    AND (?6 = '' OR parcel = ?6) AND sold >= ?7 AND sold < ?8`
  return readPage(request, 'sales', filters, where, [
    viewer.account.account,
    query.get('mail')?.toLowerCase() ?? null,
    filterSerial(query, 'sale_no', 'sales'),
    filterSerial(query, 'ware_no', 'wares'),
    readFilter(query, 'state', saleStates),
    readFilter(query, 'parcel', ['waiting', 'gone']),
    from ?? 0,
    to ?? Number.MAX_SAFE_INTEGER,
  ])
}

/** The sale that a write is about. */
function saleToChange(request: SignedIn): Row {
  ownerOnly(request)
  return ownRow(request, 'sales', request.params['sale'])
}

/** A remark that only the shop sees. */
export function addRemark(request: SignedIn): Row {
  const { db, viewer, now } = request
  const sale = number(saleToChange(request), 'serial')
  const words = needText(readBody(request, ['words']), 'words', 5000)
  const remark = { serial: nextSerial(db, viewer.account.account), sale, words, put: now }
  insertAll(db, 'remarks', [remark])
  request.effect('sale.remark', { sale_no: idOf('sales', sale), words })
  return remark
}

/** All files of the sale can be fetched as often as when it was made; answers how often that is. */
export function refill(request: SignedIn): number {
  const { db, form, viewer } = request
  const sale = saleToChange(request)
  readForm(form, [])
  if (saleState(sale) === 'returned') throw new Refusal(409, 'SALE_RETURNED', 'All the money of this sale went back.')
  const { fetchLimit } = shopOf(db, viewer.account.account)
  const serial = number(sale, 'serial')
  if (run(db, 'UPDATE lines SET fetches = ? WHERE sale = ? AND fetches IS NOT NULL', fetchLimit, serial) === 0) {
    throw new Refusal(409, 'NOTHING_TO_FETCH', 'This sale has no files.')
  }
  request.effect('sale.refill', { sale_no: idOf('sales', serial), fetches: fetchLimit })
  return fetchLimit
}

/** The receipt goes to the buyer again. */
export function resendReceipt(request: SignedIn): { letter_no: string; sent: string } {
  const { db, form, viewer, now } = request
  const { account, label } = viewer.account
  const sale = saleToChange(request)
  readForm(form, [])
  const [serial, recipient] = [nextSerial(db, account), text(sale, 'mail')]
  const receipt = receiptOf(sale, linesOf(db, sale), label, shopOf(db, account).cur)
  insertAll(db, 'letters', [{ serial, account, sale: number(sale, 'serial'), recipient, ...receipt, sent: now }])
  const letter_no = idOf('letters', serial)
  request.effect('sale.receipt', { sale_no: idOf('sales', number(sale, 'serial')), letter_no, recipient })
  return { letter_no, sent: momentOut(now) }
}

/** The buyer of the sale can buy nothing more here. */
export function barBuyer(request: SignedIn): void {
  const { db, form, viewer, now } = request
  const { account } = viewer.account
  const sale = saleToChange(request)
  readForm(form, [])
  const [serial, mail] = [number(sale, 'serial'), text(sale, 'mail')]
  if (isBarred(db, account, mail)) throw new Refusal(409, 'BUYER_BARRED', 'This buyer is barred already.')
  insertAll(db, 'barred', [{ account, mail, sale: serial, since: now }])
  request.effect('buyer.bar', { sale_no: idOf('sales', serial), buyer_mail: mail })
}

/** Latest first. */
export function listBarred({ db, viewer, query }: SignedIn) {
  known(query, [])
  const sql = 'SELECT * FROM barred WHERE account = ? ORDER BY since DESC, mail'
  return all(db, sql, viewer.account.account).map((row) => ({
    buyer_mail: text(row, 'mail'),
    sale_no: idOf('sales', number(row, 'sale')),
    since: momentOut(number(row, 'since')),
  }))
}

/** A buyer fetches one of the files: one time less is left. */
export function fetchFile(db: DatabaseSync, key: string, ware: number): Row {
  const sql = `UPDATE lines SET fetches = fetches - 1 WHERE ware = ?1 AND fetches > 0
    AND sale = (SELECT serial FROM sales WHERE key = ?2 AND (returned < total OR returned = 0)) RETURNING *`
  const line = one(db, sql, ware, key)
  if (!line) throw new Refusal(409, 'NO_FETCHES_LEFT', 'This file cannot be fetched any more.')
  return line
}
