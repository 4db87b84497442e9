import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { invalid, type Days, type Slice } from './params.ts'
import { idOf, need, nextTick, salonOf, setBalance, type Salon } from './salon.ts'

/** auto: as scheduled; by_hand: somebody asked for it. */
export interface Payout {
  id: string
  account: string
  n: number
  day: number
  kind: 'auto' | 'by_hand'
  gross: number
  fee: number
}

/** The salon, if it takes cards and this person may see the wallet. */
export function wallet(request: SignedIn): Salon {
  need(request, 'wallet')
  const salon = salonOf(request)
  if (!salon.payments) throw new Refusal(422, 'PAYMENTS_OFF', 'Card payments are switched off for this salon.')
  return salon
}

/** Newest first, as it stood at `slice.asOf`. */
export function listPayouts(
  db: DatabaseSync,
  account: string,
  days: Days,
  slice: Slice,
): { rows: Payout[]; total: number } {
  const where = 'payouts WHERE account = ? AND day BETWEEN ? AND ? AND born <= ?'
  const values = [account, days.first, days.last, slice.asOf.tick]
  const sql = `SELECT * FROM ${where} ORDER BY day DESC, n DESC LIMIT ? OFFSET ?`
  const rows = all(db, sql, ...values, slice.limit, slice.offset).map((row) => ({
    id: text(row, 'id'),
    account,
    n: number(row, 'n'),
    day: number(row, 'day'),
    kind: text(row, 'kind') === 'auto' ? ('auto' as const) : ('by_hand' as const),
    gross: number(row, 'gross'),
    fee: number(row, 'fee'),
  }))
  return { rows, total: count(db, where, ...values) }
}

export function insertPayout(db: DatabaseSync, p: Payout, tick: number): void {
  const sql = 'INSERT INTO payouts VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, p.id, p.account, p.n, p.day, p.kind, p.gross, p.fee, tick)
}

/** 1.4 %, rounded to the next minor unit. */
export const feeOf = (gross: number): number => Math.ceil((gross * 14) / 1000)

/** Takes money out of the wallet now; days of payouts are UTC. */
export function payOut(request: SignedIn, gross: number): Payout {
  const salon = wallet(request)
  const { db, now } = request
  const { account } = salon
  if (!Number.isInteger(gross) || gross < 1) throw invalid('gross', 'How much is to be paid out?', 'AMOUNT_INVALID')
  if (gross > salon.balance) throw invalid('gross', 'There is not as much in the wallet.', 'AMOUNT_TOO_HIGH')
  const n = number(one(db, 'SELECT coalesce(max(n), 0) + 1 AS n FROM payouts WHERE account = ?', account) ?? {}, 'n')
  const payout = {
    id: idOf(account, 'payout', n),
    account,
    n,
    day: Math.floor(now / 86_400),
    kind: 'by_hand' as const,
    gross,
    fee: feeOf(gross),
  }
  insertPayout(db, payout, nextTick(db, account))
  setBalance(db, account, salon.balance - gross)
  request.effect('payout.by_hand', { payout: payout.id, gross, fee: payout.fee })
  return payout
}
