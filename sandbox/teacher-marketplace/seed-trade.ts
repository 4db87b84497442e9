import { hash32 } from '../platform/random.ts'
import { addDays } from './clock.ts'
import type { Good } from './goods.ts'
import type { Ground } from './seed-ground.ts'
import { searchWords } from './seed-words.ts'
import { insertSales, sellersPart, type Sale } from './sold.ts'

const buyerCount = 90
/** So many had found the shop before all days that are written one by one; since then one more does every two days. */
const oldBuyers = 30
const buyersBy = (back: number): number => Math.max(oldBuyers, buyerCount - Math.floor(back / 2))

/** Somebody who bought there, by a number from 0 on; buyers of one shop buy in no other. */
export const buyerMail = ({ account }: Ground, index: number): string =>
  `teacher${index + 1}.${account.ordinal}@school.example`

interface Planned {
  good: Good
  day: string
  mail: string
}

/** How a day on which a good was looked at, so many days ago, is written down, and what was sold of it that day. */
function dayWriter(ground: Ground): (good: Good, back: number) => Planned[] {
  const { db, random, account, today } = ground
  const look = db.prepare('INSERT INTO traffic VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const search = db.prepare('INSERT INTO searches VALUES (?, ?, ?, ?, ?, ?, ?)')
  return (good, back) => {
    const day = addDays(today, -back)
    const bought = random.between(0, 2)
    const looks = [random.between(3, 14), random.between(3, 8)]
    // Who buys, new or not, is known later; nobody buys what was in no cart.
    const carts = [bought + random.between(0, 2), bought + random.between(0, 2)]
    look.run(good.no, day, account.account, ...looks, ...carts, random.between(0, 3), random.between(0, 2))
    if (back % 2 === 0) {
      const [clicks, found] = [random.between(2, 11), Math.min(bought, random.between(0, 1))]
      const earned = found * sellersPart(good.cost)
      search.run(account.account, day, good.no, random.pick(searchWords), clicks, found, earned)
    }
    return Array.from({ length: bought }, () => {
      const mail = buyerMail(ground, random.between(0, buyersBy(back) - 1))
      return { good, day, mail }
    })
  }
}

/** Of every sixth good, and of the newest ones, nothing was ever looked at or sold; of the others in the last 120 days, and once before. */
export function seedTrade(ground: Ground, goods: readonly Good[]): void {
  const { db, random, account, next } = ground
  const planned: Planned[] = []
  const writeDay = dayWriter(ground)
  for (const [index, good] of goods.entries()) {
    if (index % 6 === 5 || goods.length - index <= goods.length / 13) continue
    const recent = random.some(
      Array.from({ length: 120 }, (_, at) => at + 1),
      10,
    )
    for (const back of [...recent, 160 + (index % 70)]) {
      planned.push(...writeDay(good, back))
    }
  }
  planned.sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
  const known = new Set<string>()
  const sales: Sale[] = []
  for (const { good, day, mail } of planned) {
    const [no, earned] = [next(), sellersPart(good.cost)]
    const tax = random.between(0, 2) === 0 ? 0 : Math.round(good.cost * 0.0625)
    const key = `${no.toString(36)}-${hash32(`pickup ${no}`).toString(16)}`
    sales.push({ no, account: account.account, good: good.no, day, mail, fresh: !known.has(mail), earned, tax, key })
    known.add(mail)
  }
  insertSales(db, sales)
}
