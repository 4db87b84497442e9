import { count, number } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { invalid, needLine, readChoice, readForm, readMoment, readWhole } from './input.ts'
import { readPage, type Page } from './paging.ts'
import { idOf, insertAll, needAdmin, nextSerial, ownRow, ownStudio } from './tables.ts'
import { couponOut, type CouponOut } from './wire.ts'

export const covered = ['everything', 'memberships', 'one-series'] as const

/** Newest first. */
export function listCoupons(request: SignedIn): Page<CouponOut> {
  needAdmin(request)
  const { currency } = ownStudio(request)
  const values = [request.viewer.account.account]
  return readPage(
    request,
    'coupons',
    [],
    () => ({ from: 'coupons WHERE account = ?1', values }),
    (row, view) => couponOut(row, view, currency),
  )
}

export function couponFull(request: SignedIn): CouponOut {
  needAdmin(request)
  const studio = ownStudio(request)
  return couponOut(ownRow(request, 'coupons', request.params['coupon']), studio, studio.currency)
}

function readOff(fields: Record<string, unknown>): { off_kind: string; off_value: number } {
  const kind = readChoice(fields, 'off-kind', ['percent', 'amount'])
  const value = readWhole(fields, 'off-value', 1, kind === 'percent' ? 100 : 10_000_000)
  if (value === undefined) throw invalid('FIELD_REQUIRED', 'off-value is required.', 'off-value')
  return { off_kind: kind, off_value: value }
}

/** Answers the new coupon's id. */
export function createCoupon(request: SignedIn): string {
  needAdmin(request)
  const { db, form, now, viewer } = request
  const { account } = viewer.account
  const texts = ['promo-code', 'off-kind', 'covers', 'series', 'until']
  const fields = readForm(form, texts, ['off-value', 'uses-total', 'uses-each'])
  const code = needLine(fields, 'promo-code', 30)
  if (!/^[A-Za-z0-9_-]{3,30}$/.test(code)) {
    throw invalid('CODE_INVALID', 'A code has 3 to 30 letters, digits, - and _.', 'promo-code')
  }
  const off = readOff(fields)
  const covers = readChoice(fields, 'covers', covered, 'everything')
  const one = covers === 'one-series'
  if (one !== (fields['series'] !== undefined)) {
    throw invalid('SERIES_MISPLACED', 'series goes with one-series, and only with it.', 'series')
  }
  const series = one ? number(ownRow(request, 'series', fields['series'], 'series'), 'serial') : null
  const uses_total = readWhole(fields, 'uses-total', 1, 1_000_000) ?? null
  const uses_each = readWhole(fields, 'uses-each', 1, 1000) ?? null
  const until = readMoment(fields, 'until', now) ?? null
  if (count(db, 'coupons WHERE account = ? AND code = ?', account, code) > 0) {
    throw new Refusal(409, 'CODE_TAKEN', 'There is a coupon with this code already.', 'promo-code')
  }
  const serial = nextSerial(request)
  const rest = { covers, series, uses_total, uses_each, until, used: 0, added: now }
  insertAll(db, 'coupons', [{ serial, account, code, ...off, ...rest }])
  const id = idOf('coupons', serial)
  request.effect('coupon.create', { coupon: id, ...fields })
  return id
}
