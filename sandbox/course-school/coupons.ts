import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { among, productTypes, scopes, toId, type Coupon, type School } from './entities.ts'
import { nextId, ownedSchool } from './school.ts'
import { dayIn } from './times.ts'

function toCoupon(row: Row): Coupon {
  const type = maybeText(row, 'type')
  return {
    id: number(row, 'id'),
    label: text(row, 'label'),
    code: text(row, 'code'),
    tenths: maybeNumber(row, 'tenths'),
    cents: maybeNumber(row, 'cents'),
    scope: among(scopes, text(row, 'scope')),
    type: type === undefined ? undefined : among(productTypes, type),
    plan: maybeNumber(row, 'plan'),
    ends: maybeText(row, 'ends'),
    stock: maybeNumber(row, 'stock'),
    redeemed: number(row, 'redeemed'),
    filed: number(row, 'filed') === 1,
  }
}

export type CouponState = 'on' | 'lapsed' | 'sold_out' | 'filed'

/** Good through the whole of its last day, as the school's clock has it. */
export function stateOf(coupon: Coupon, school: School, now: number): CouponState {
  if (coupon.filed) return 'filed'
  if (coupon.ends !== undefined && coupon.ends < dayIn(school.zone, now)) return 'lapsed'
  return coupon.stock !== undefined && coupon.redeemed >= coupon.stock ? 'sold_out' : 'on'
}

/** Newest first. */
export function listCoupons(db: DatabaseSync, school: School, filed: boolean): Coupon[] {
  const also = filed ? '' : 'AND filed = 0'
  return all(db, `SELECT * FROM coupons WHERE account = ? ${also} ORDER BY id DESC`, school.account).map(toCoupon)
}

export function couponOf(request: SignedIn): Coupon {
  const { account } = ownedSchool(request)
  const id = toId(request.params['coupon']) ?? 0
  const row = one(request.db, 'SELECT * FROM coupons WHERE id = ? AND account = ?', id, account)
  if (!row) throw new Refusal(404, 'COUPON_NOT_FOUND', 'This school has no such coupon.')
  return toCoupon(row)
}

/** The one that holds this code now: filed ones have given theirs back. */
export function couponByCode(db: DatabaseSync, school: School, code: string): Coupon | undefined {
  const sql = 'SELECT * FROM coupons WHERE account = ? AND code = ? AND filed = 0'
  const row = one(db, sql, school.account, code.trim().toUpperCase())
  return row && toCoupon(row)
}

export function addCoupon(request: SignedIn, wish: Omit<Coupon, 'id' | 'redeemed' | 'filed'>): Coupon {
  const { db } = request
  const school = ownedSchool(request)
  if (couponByCode(db, school, wish.code)) {
    throw new Refusal(409, 'CODE_TAKEN', `${wish.code} belongs to another coupon that is not filed away.`, 'code')
  }
  const coupon = { ...wish, id: nextId(db, 'coupons', school), redeemed: 0, filed: false }
  insertCoupon(db, school.account, coupon)
  const { id, filed: _, ...stored } = coupon
  request.effect('coupon.add', { coupon: id, ...stored })
  return coupon
}

export function insertCoupon(db: DatabaseSync, account: string, c: Coupon): void {
  const worth = [c.tenths ?? null, c.cents ?? null, c.scope, c.type ?? null, c.plan ?? null]
  const use = [c.ends ?? null, c.stock ?? null, c.redeemed, c.filed ? 1 : 0]
  const sql = 'INSERT INTO coupons VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, c.id, account, c.label, c.code, ...worth, ...use)
}

/** Its code stops working and may be given to another coupon. Also for what lapsed or sold out: nothing else frees a code. */
export function fileCoupon(request: SignedIn): Coupon {
  const coupon = couponOf(request)
  if (coupon.filed) throw new Refusal(409, 'COUPON_ALREADY_FILED', 'This coupon is filed away already.')
  run(request.db, 'UPDATE coupons SET filed = 1 WHERE id = ?', coupon.id)
  request.effect('coupon.file', { coupon: coupon.id, code: coupon.code })
  return { ...coupon, filed: true }
}

export const hasPlan = (db: DatabaseSync, school: School, plan: number): boolean =>
  count(db, 'plans WHERE id = ? AND account = ?', plan, school.account) > 0
