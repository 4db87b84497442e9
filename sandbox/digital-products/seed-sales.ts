import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Row } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertBought, priced, type Basket, type Bought } from './checkout.ts'
import { day } from './clock.ts'
import { answers, partners, questions, remarks } from './seed-words.ts'
import { insertAll } from './tables.ts'
import { isGood } from './vouchers.ts'

/** What all parts of a seed are made from. */
export interface Ground {
  db: DatabaseSync
  random: Random
  account: Account
  /** Midnight UTC of the day of the reset, Unix seconds. */
  today: number
  cur: string
  fetchLimit: number
  next: () => number
  buyers: readonly string[]
}

const saleCount = 420

/** Every 7th sale holds something to be posted, every 11th is free; every 5th has a voucher, if one is good for it. */
function makeBasket(
  { random, buyers }: Ground,
  wares: readonly Row[],
  vouchers: readonly Row[],
  sold: number,
  index: number,
): Basket {
  const parcels = wares.filter(({ sort }) => sort === 'parcel')
  const first = random.pick(
    index % 7 === 0 ? parcels : index % 11 === 0 ? wares.filter(({ price }) => price === 0) : wares,
  )
  const others = random.some(
    wares.filter((ware) => ware !== first),
    index % 3 === 1 ? random.between(1, 3) : 0,
  )
  const chosen = [first, ...others]
  const good = index % 5 === 2 ? vouchers.filter((voucher) => isGood(voucher, chosen, sold)) : []
  const voucher = good.length === 0 ? undefined : random.pick(good)
  if (voucher) voucher['used'] = Number(voucher['used']) + 1
  return {
    mail: random.pick(buyers),
    goods: chosen.map((ware) => ({ ware, copies: random.pick([1, 1, 1, 2, 5]) })),
    voucher,
    sold,
    vatBp: index % 4 < 2 ? random.pick([1900, 2000, 2300]) : 0,
    otherBp: index % 4 === 3 ? random.pick([500, 810, 1000]) : 0,
    partner: index % 6 === 5 ? { name: random.pick(partners), bp: random.pick([1000, 3000]) } : undefined,
    answers: random.some(questions, index % 4).map((asked) => ({ asked, said: random.pick(answers) })),
  }
}

/** What happened after a sale was made: money went back, a parcel went out, files were fetched. */
function age({ random }: Ground, { sale, lines }: Bought, index: number): void {
  const { total } = sale
  if (total > 0 && sale['paid_by'] === 'card') sale['paid_by'] = random.pick(['card', 'paypal', 'apple_pay'])
  if (sale['parcel'] === 'waiting' && index % 2 === 1) sale['parcel'] = 'gone'
  for (const line of lines) {
    if (line['fetches'] !== null) line['fetches'] = Math.max(0, Number(line['fetches']) - random.between(0, 6))
  }
  if (total >= 500 && index % 10 === 3) Object.assign(sale, { returned: total, processor: 0, house: 0 })
  if (total >= 500 && index % 10 === 7) sale['returned'] = Math.round(total * random.pick([0.1, 0.25, 0.5]))
}

/** Oldest first; the last of them are from the two days before the reset. */
export function seedSales(ground: Ground, wares: readonly Row[], vouchers: readonly Row[]): void {
  const { db, random, account, today, cur, fetchLimit, next } = ground
  const shop = { account: account.account, label: account.label, cur, fetchLimit }
  const bought: Bought[] = []
  const notes: { serial: number; sale: number; words: string; put: number }[] = []
  for (let index = 0; index < saleCount; index++) {
    const sold = today - (saleCount - index) * 82_000 - random.between(0, 40_000)
    const made = priced(shop, makeBasket(ground, wares, vouchers, sold, index), next)
    age(ground, made, index)
    bought.push(made)
    for (const words of random.some(remarks, index % 9 === 2 ? random.between(1, 3) : 0)) {
      notes.push({ serial: next(), sale: made.sale.serial, words, put: sold + random.between(1, 20) * 3600 })
    }
  }
  insertBought(db, bought)
  insertAll(db, 'remarks', notes)
  const barred = [20, 120, 250].flatMap((index) => bought[index]?.sale ?? [])
  const rows = new Map(barred.map(({ mail, serial }) => [mail, serial]))
  insertAll(
    db,
    'barred',
    [...rows].map(([mail, sale], at) => ({ account: account.account, mail, sale, since: today - (9 - at) * day })),
  )
}
