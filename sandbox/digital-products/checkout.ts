import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { maybeNumber, number, text, type Row } from '../platform/rows.ts'
import { keyOf } from './wares.ts'
import { reduced } from './vouchers.ts'
import { insertAll } from './tables.ts'
import { receiptOf } from './letters.ts'

export interface Basket {
  mail: string
  goods: readonly { ware: Row; copies: number }[]
  voucher: Row | undefined
  sold: number
  /** VAT and other tax in basis points of what is paid, both included in the price. */
  vatBp: number
  otherBp: number
  partner: { name: string; bp: number } | undefined
  answers: readonly { asked: string; said: string }[]
}

type Columns = Record<string, SQLInputValue>

export interface Bought {
  sale: Columns & { serial: number; mail: string; total: number }
  lines: Columns[]
  letter: Columns
}

const share = (cents: number, bp: number): number => Math.round((cents * bp) / 10_000)

/** Tax that is in a price. */
const within = (cents: number, bp: number): number => cents - Math.round((cents * 10_000) / (10_000 + bp))

/** 5 % are ours; the processor takes 2.9 % and 30 cents. */
function cuts(total: number): { processor: number; house: number } {
  if (total === 0) return { processor: 0, house: 0 }
  const house = share(total, 500)
  return { house, processor: Math.min(share(total, 290) + 30, total - house) }
}

/** The rows of one sale, with its receipt. */
export function priced(
  { account, label, cur, fetchLimit }: { account: string; label: string; cur: string; fetchLimit: number },
  basket: Basket,
  next: () => number,
): Bought {
  const { mail, goods, voucher, sold, vatBp, otherBp, partner, answers } = basket
  const serial = next()
  let left = (voucher && maybeNumber(voucher, 'cents')) ?? 0
  const lines = goods.map(({ ware, copies }) => {
    const full = number(ware, 'price') * copies
    const cents = reduced(voucher, ware, full, left)
    left -= full - cents
    const fetches = text(ware, 'sort') === 'file' ? fetchLimit : null
    return {
      serial: next(),
      sale: serial,
      ware: number(ware, 'serial'),
      label: text(ware, 'label'),
      copies,
      cents,
      fetches,
    }
  })
  const total = lines.reduce((sum, { cents }) => sum + cents, 0)
  const sale = {
    serial,
    account,
    key: keyOf('sales', serial),
    mail,
    total,
    returned: 0,
    voucher: voucher ? text(voucher, 'code') : null,
    sold,
    parcel: goods.some(({ ware }) => ware['sort'] === 'parcel') ? 'waiting' : null,
    paid_by: total === 0 ? 'none' : 'card',
    ...cuts(total),
    vat: within(total, vatBp),
    other_tax: within(total, otherBp),
    partner: partner?.name ?? null,
    partner_cents: partner ? share(total, partner.bp) : 0,
    answers: JSON.stringify(answers),
  }
  const letter = {
    serial: next(),
    account,
    sale: serial,
    recipient: mail,
    ...receiptOf(sale, lines, label, cur),
    sent: sold,
  }
  return { sale, lines, letter }
}

export function insertBought(db: DatabaseSync, bought: readonly Bought[]): void {
  insertAll(
    db,
    'sales',
    bought.map(({ sale }) => sale),
  )
  insertAll(
    db,
    'lines',
    bought.flatMap(({ lines }) => lines),
  )
  insertAll(
    db,
    'letters',
    bought.map(({ letter }) => letter),
  )
}
