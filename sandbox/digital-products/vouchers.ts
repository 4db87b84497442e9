import { isRecord } from '../platform/body.ts'
import { all, count, maybeNumber, maybeText, number, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { day, dayOut, momentOut } from './clock.ts'
import { invalid, needText, needWhole, readBody, readChoice, readLastDay, type Fields } from './input.ts'
import { known } from './paging.ts'
import { idOf, insertAll, nextSerial, ownerOnly, ownRow } from './tables.ts'

export const coverings = ['order', 'ware', 'shelf'] as const

const select = `SELECT v.*, w.label AS ware_label, f.label AS shelf_label FROM vouchers v
  LEFT JOIN wares w ON w.serial = v.ware LEFT JOIN shelves f ON f.serial = v.shelf WHERE v.account = ?`

function voucherOut(row: Row) {
  const [bp, ware, shelf] = [maybeNumber(row, 'bp'), maybeNumber(row, 'ware'), maybeNumber(row, 'shelf')]
  const until = maybeNumber(row, 'until')
  return {
    voucher_no: idOf('vouchers', number(row, 'serial')),
    code: text(row, 'code'),
    off: bp === undefined ? { cents: number(row, 'cents') } : { bp },
    covers: text(row, 'covers'),
    ware: ware === undefined ? null : { ware_no: idOf('wares', ware), label: text(row, 'ware_label') },
    shelf: shelf === undefined ? null : { shelf_no: idOf('shelves', shelf), label: text(row, 'shelf_label') },
    used: number(row, 'used'),
    use_limit: maybeNumber(row, 'use_limit') ?? null,
    until: until === undefined ? null : dayOut(until),
    made: momentOut(number(row, 'made')),
  }
}
export type VoucherOut = ReturnType<typeof voucherOut>

/** All of them, newest first. */
export function listVouchers({ db, viewer, query }: SignedIn): VoucherOut[] {
  known(query, [])
  return all(db, `${select} ORDER BY v.serial DESC`, viewer.account.account).map(voucherOut)
}

function readOff(fields: Fields): { bp: number | null; cents: number | null } {
  const off = fields['off']
  const names = isRecord(off) ? Object.keys(off) : []
  if (!isRecord(off) || names.length !== 1 || !['bp', 'cents'].includes(names[0] ?? '')) {
    throw invalid('OFF_INVALID', 'off must be { "bp": … } or { "cents": … }.', 'off')
  }
  if ('bp' in off) return { bp: needWhole(off, 'bp', 1, 10_000), cents: null }
  return { bp: null, cents: needWhole(off, 'cents', 1, 10_000_000) }
}

/** The ware or the shelf that it is for; each goes with its covering, and only with it. */
function readTarget(request: SignedIn, fields: Fields, covers: string, table: 'wares' | 'shelves'): number | null {
  const [kind, name] = table === 'wares' ? ['ware', 'ware_no'] : ['shelf', 'shelf_no']
  const given = fields[name] ?? null
  if ((given !== null) !== (covers === kind)) {
    throw invalid('TARGET_MISPLACED', `${name} goes with covers ${kind}, and only with it.`, name)
  }
  return given === null ? null : number(ownRow(request, table, given, name), 'serial')
}

export function createVoucher(request: SignedIn): VoucherOut | undefined {
  ownerOnly(request)
  const { db, now, viewer } = request
  const { account } = viewer.account
  const fields = readBody(request, ['code', 'off', 'covers', 'ware_no', 'shelf_no', 'use_limit', 'until'])
  const code = needText(fields, 'code', 40)
  if (!/^[A-Za-z0-9_-]{3,40}$/.test(code)) {
    throw invalid('CODE_INVALID', 'A code has 3 to 40 letters, digits, - and _.', 'code')
  }
  const off = readOff(fields)
  const covers = readChoice(fields, 'covers', coverings, 'order')
  const ware = readTarget(request, fields, covers, 'wares')
  const shelf = readTarget(request, fields, covers, 'shelves')
  const use_limit = (fields['use_limit'] ?? null) === null ? null : needWhole(fields, 'use_limit', 1, 1_000_000)
  const until = readLastDay(fields, 'until', now)
  if (count(db, 'vouchers WHERE account = ? AND code = ?', account, code) > 0) {
    throw new Refusal(409, 'CODE_TAKEN', 'There is a voucher with this code already.', 'code')
  }
  const serial = nextSerial(db, account)
  insertAll(db, 'vouchers', [
    { serial, account, code, ...off, covers, ware, shelf, used: 0, use_limit, until, made: now },
  ])
  request.effect('voucher.create', { voucher_no: idOf('vouchers', serial), ...fields })
  return all(db, `${select} AND v.serial = ?`, account, serial).map(voucherOut)[0]
}

/** Is it good for somebody who buys these wares (one of them, at least) at this moment? */
export function isGood(voucher: Row, wares: readonly Row[], now: number): boolean {
  const [until, limit] = [maybeNumber(voucher, 'until'), maybeNumber(voucher, 'use_limit')]
  const isOver = until !== undefined && until + day <= now
  const isUsedUp = limit !== undefined && number(voucher, 'used') >= limit
  return !isOver && !isUsedUp && wares.some((ware) => covered(voucher, ware))
}

function covered(voucher: Row, ware: Row): boolean {
  const covers = maybeText(voucher, 'covers')
  if (covers === 'ware') return voucher['ware'] === ware['serial']
  return covers === 'order' || (voucher['shelf'] === ware['shelf'] && ware['shelf'] !== null)
}

/** What a line of this price costs with the voucher; an amount is taken off once, `left` says how much there is of it. */
export function reduced(voucher: Row | undefined, ware: Row, cents: number, left: number): number {
  if (!voucher || !covered(voucher, ware)) return cents
  const bp = maybeNumber(voucher, 'bp')
  return bp === undefined ? cents - Math.min(cents, left) : cents - Math.round((cents * bp) / 10_000)
}
