import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, maybeNumber, maybeText, number, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { momentOut } from './clock.ts'
import { checkFile, fileName } from './files.ts'
import { formWhole, needText, needWhole, readBody, readChoice, readForm, readText } from './input.ts'
import { known, readFilter } from './paging.ts'
import { idOf, insertAll, nextSerial, ownerOnly, ownRow, shopOf } from './tables.ts'

const sorts = ['file', 'course', 'coaching', 'club', 'parcel'] as const
export const showings = ['listed', 'hidden', 'by_link'] as const
const topPrice = 10_000_000

/** What cannot be guessed in an address, the same after every reset. */
export const keyOf = (table: string, serial: number): string =>
  `${serial.toString(36)}${hash32(`kramora ${table} ${serial}`).toString(36)}`

export const wareOut = (row: Row, base: string, cur: string) => ({
  ware_no: idOf('wares', number(row, 'serial')),
  label: text(row, 'label'),
  sort: text(row, 'sort'),
  price_cents: number(row, 'price'),
  cur,
  shown: text(row, 'shown'),
  link: `${base}/w/${text(row, 'key')}`,
})

export function wareFull(request: SignedIn, row: Row) {
  const { cur } = shopOf(request.db, request.viewer.account.account)
  const [shelf, from] = [maybeNumber(row, 'shelf'), maybeText(row, 'file_from')]
  return {
    ...wareOut(row, request.base, cur),
    pitch: text(row, 'pitch'),
    shelf_no: shelf === undefined ? null : idOf('shelves', shelf),
    file: from === undefined ? null : { file_from: from, name: fileName(from) },
    made: momentOut(number(row, 'made')),
  }
}

/** All of them, newest first. */
export function listWares({ db, viewer, query }: SignedIn): Row[] {
  known(query, ['sort', 'shown'])
  const sql = `SELECT * FROM wares WHERE account = ?1 AND (?2 = '' OR sort = ?2) AND (?3 = '' OR shown = ?3)
    ORDER BY serial DESC`
  return all(db, sql, viewer.account.account, readFilter(query, 'sort', sorts), readFilter(query, 'shown', showings))
}

export function listShelves(db: DatabaseSync, account: string) {
  const sql = `SELECT *, (SELECT count(*) FROM wares WHERE shelf = s.serial) AS n FROM shelves s WHERE account = ? ORDER BY serial`
  return all(db, sql, account).map((row) => ({
    shelf_no: idOf('shelves', number(row, 'serial')),
    label: text(row, 'label'),
    wares: number(row, 'n'),
  }))
}

/** Takes a file into the shop, as a ware of its own; answers its id. */
export function addWare(request: SignedIn): string {
  ownerOnly(request)
  const { db, form, viewer, now } = request
  const { account } = viewer.account
  const fields = readForm(form, ['label', 'pitch', 'price_cents', 'shown', 'file_from'])
  const label = needText(fields, 'label', 200)
  const pitch = readText(fields, 'pitch', 10_000)
  const price = formWhole(fields, 'price_cents', 0, topPrice)
  const shown = readChoice(fields, 'shown', showings, 'listed')
  const file_from = needText(fields, 'file_from', 2000)
  checkFile(file_from)
  const serial = nextSerial(db, account)
  const rest = { sort: 'file', shelf: null, key: keyOf('wares', serial), made: now }
  insertAll(db, 'wares', [{ serial, account, label, pitch, price, shown, file_from, ...rest }])
  const ware_no = idOf('wares', serial)
  request.effect('ware.add', { ware_no, label, pitch, price_cents: price, shown, file_from })
  return ware_no
}

/** Changes what is given and leaves the rest. */
export function changeWare(request: SignedIn): Row {
  ownerOnly(request)
  const { db, params } = request
  const row = ownRow(request, 'wares', params['ware'])
  const fields = readBody(request, ['label', 'pitch', 'price_cents', 'shown'])
  if (Object.keys(fields).length === 0) throw new Refusal(422, 'NOTHING_TO_CHANGE', 'Give something to change.')
  const label = 'label' in fields ? needText(fields, 'label', 200) : text(row, 'label')
  const pitch = 'pitch' in fields ? readText(fields, 'pitch', 10_000) : text(row, 'pitch')
  const price = 'price_cents' in fields ? needWhole(fields, 'price_cents', 0, topPrice) : number(row, 'price')
  const shown = 'shown' in fields ? readChoice(fields, 'shown', showings) : text(row, 'shown')
  const sql = 'UPDATE wares SET label = ?, pitch = ?, price = ?, shown = ? WHERE serial = ?'
  run(db, sql, label, pitch, price, shown, number(row, 'serial'))
  request.effect('ware.change', { ware_no: idOf('wares', number(row, 'serial')), ...fields })
  return { ...row, label, pitch, price, shown }
}
