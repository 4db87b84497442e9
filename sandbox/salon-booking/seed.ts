import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertGuest, type Guest } from './guests.ts'
import { insertJotting } from './jottings.ts'
import { feeOf, insertPayout } from './payouts.ts'
import { idOf } from './salon.ts'
import { seedVisits } from './seed-visits.ts'
import {
  allergies,
  firstNames,
  jottings,
  lastNames,
  longText,
  menu,
  ownStates,
  places,
  reasons,
  rtlNames,
  team,
} from './seed-words.ts'
import { branchesOf, menuOf, stylistsOf, type Branch, type Shift } from './shop.ts'

const guestCount = 140
const payoutDays = 75

/** Prices follow the currency: one unit of EUR is 3.4 of TND or 160 of JPY, rounded to what a till can give. */
function priceIn(currency: string, euros: number): number {
  if (currency === 'TND') return Math.round(euros * 3.4) * 1000
  return currency === 'JPY' ? Math.round(euros * 16) * 10 : Math.round(euros * 100)
}

function seedShop(db: DatabaseSync, { account, ordinal, label, kind }: Account): void {
  const place = places[(ordinal - 1) % places.length] ?? places[0]
  const { currency, exponent } = place
  const balance = priceIn(currency, 2500)
  const payments = kind === 'cash_owner' ? 0 : 1
  run(db, 'INSERT INTO salons VALUES (?, ?, ?, ?, ?, ?, 1)', account, label, currency, exponent, payments, balance)
  const branches = place.branches.map(([title, zone], index): Branch => {
    const id = idOf(account, 'branch', index + 1)
    run(db, 'INSERT INTO branches VALUES (?, ?, ?, ?, ?)', id, account, index + 1, title, zone)
    return { id, title, zone }
  })
  for (const [kindOfWord, labels] of [['state', ownStates] as const, ['reason', reasons] as const]) {
    for (const [index, word] of labels.entries()) {
      const id = idOf(account, kindOfWord, index + 1)
      run(db, 'INSERT INTO words VALUES (?, ?, ?, ?, ?)', id, account, index + 1, kindOfWord, word)
    }
  }
  seedMenu(db, account, currency, branches)
  seedTeam(db, account, branches)
}

/** The second branch has no skin care, the fourth no bridal packages. */
function seedMenu(db: DatabaseSync, account: string, currency: string, branches: readonly Branch[]): void {
  for (const [index, [section, label, minutes, euros]] of menu.entries()) {
    const id = idOf(account, 'menu item', index + 1)
    const at = branches.filter((_, n) => !(n === 1 && section === 'Skin') && !(n === 3 && section === 'Bridal'))
    const where = JSON.stringify(at.map((branch) => branch.id))
    const sql = 'INSERT INTO menu VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
    run(db, sql, id, account, index + 1, label, section, minutes, priceIn(currency, euros), where)
  }
}

/** Two who change branches at two in the afternoon; the first of each branch does everything, the last only goes out. */
function seedTeam(db: DatabaseSync, account: string, branches: readonly Branch[]): void {
  const all = menu.map((_, index) => idOf(account, 'menu item', index + 1))
  const [first, second] = branches
  for (const [index, name] of team.entries()) {
    const home = branches[index % branches.length]?.id ?? ''
    const shifts: Shift[] =
      index === 4 || index === 5
        ? [
            { branch: first?.id ?? '', from: 540, to: 840 },
            { branch: second?.id ?? '', from: 840, to: 1140 },
          ]
        : [{ branch: home, from: 540, to: 1140 }]
    const items = all.filter((_, n) =>
      index === 9 ? n === 18 : n !== 18 && (index < 4 || (n + index) % 3 !== 0 || n === 0),
    )
    const id = idOf(account, 'stylist', index + 1)
    const sql = 'INSERT INTO stylists VALUES (?, ?, ?, ?, ?, ?)'
    run(db, sql, id, account, index + 1, name, JSON.stringify(shifts), JSON.stringify(items))
  }
}

function nameOf(index: number): string {
  if (index === 17) return `${'Maria da Conceição '.repeat(5)}de Sousa e Holstein`
  if (index === 18) return '<script>alert("Bo")</script>'
  if (index % 14 === 5) return rtlNames[((index / 7) % rtlNames.length) | 0] ?? rtlNames[0]
  return `${firstNames[index % firstNames.length]} ${lastNames[(index * 5) % lastNames.length]}`
}

function seedGuests(
  db: DatabaseSync,
  random: Random,
  { account, ordinal }: Account,
  branches: readonly Branch[],
): Guest[] {
  return Array.from({ length: guestCount }, (_, index) => {
    const guest: Guest = {
      id: idOf(account, 'guest', index + 1),
      account,
      n: index + 1,
      name: nameOf(index),
      mail: index % 6 === 4 ? null : `guest.${ordinal}.${index + 1}@post.example`,
      mobile: index % 8 === 4 ? null : `+351 9${random.between(10, 39)} ${100 + index} ${random.between(100, 999)}`,
      branch: random.pick(branches).id,
      mailAds: random.next() < 0.6,
      textAds: random.next() < 0.3,
      allergies: index % 5 === 2 ? random.some(allergies, random.between(1, 4)) : [],
    }
    insertGuest(db, guest, 1)
    return guest
  })
}

/** The third guest has a very long note, every fourth has none. */
function seedJottings(
  db: DatabaseSync,
  random: Random,
  day: number,
  account: Account,
  guests: readonly Guest[],
  branches: readonly Branch[],
): void {
  for (const [index, guest] of guests.entries()) {
    const size = index === 2 ? 3 : index % 4 === 0 ? 0 : random.between(0, 2)
    const zone = branches.find(({ id }) => id === guest.branch)?.zone ?? 'Etc/UTC'
    let at = day - random.between(60, 300) * 86_400 + random.between(0, 86_000)
    for (let turn = 0; turn < size; turn++) {
      const text = index === 2 && turn === 0 ? longText : random.pick(jottings)
      insertJotting(db, account.account, guest.id, { author: account.person, text, at, zone })
      at += random.between(1, 14) * 86_400
    }
  }
}

/** One a day as scheduled, and up to three more by hand. */
function seedPayouts(db: DatabaseSync, random: Random, day: number, { account }: Account): void {
  let n = 0
  for (let ago = payoutDays; ago >= 0; ago--) {
    const extra = ago === 0 ? 0 : random.between(0, 3)
    for (let turn = 0; turn <= extra; turn++) {
      n += 1
      const gross = random.between(2000, 180_000)
      const kind = turn === 0 ? ('auto' as const) : ('by_hand' as const)
      const id = idOf(account, 'payout', n)
      insertPayout(db, { id, account, n, day: day / 86_400 - ago, kind, gross, fee: feeOf(gross) }, 1)
    }
  }
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const random = new Random(`lustra ${account.ordinal}`)
  seedShop(db, account)
  const branches = branchesOf(db, account.account)
  const guests = seedGuests(db, random, account, branches)
  seedJottings(db, random, day, account, guests, branches)
  seedPayouts(db, random, day, account)
  const shop = { branches, menu: menuOf(db, account.account), stylists: stylistsOf(db, account.account) }
  seedVisits(db, random, day, account.account, guests, shop)
}
