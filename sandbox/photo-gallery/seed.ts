import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertBookings } from './bookings.ts'
import { addDays, momentOf } from './clock.ts'
import type { Person } from './entities.ts'
import { insertPeople } from './people.ts'
import { seedBills } from './seed-bills.ts'
import { seedGalleries } from './seed-galleries.ts'
import type { Ground } from './seed-ground.ts'
import { firstNames, homes, kinds, lastNames, places, wholeNames } from './seed-words.ts'

const peopleCount = 130

function personName(random: Random, index: number): string {
  const whole = wholeNames[index / 9]
  return whole ?? `${random.pick(firstNames)} ${random.pick(lastNames)}`
}

/** Index 0 is the oldest. Two know no address, some no phone. */
function makePerson(random: Random, base: number, day: number, index: number): Person {
  const fullName = personName(random, index)
  const plain = fullName
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()
    .slice(0, 12)
  return {
    serial: base + index + 1,
    fullName,
    mail: index === 20 || index === 121 ? '' : `${plain === '' ? 'guest' : plain}.${index + 1}@mail.example`,
    tel: index % 5 === 3 ? '' : `+${random.between(1, 99)} ${random.between(10, 99)} ${5_550_000 + index}`,
    standing: index % 13 === 5 ? 'visitor' : index % 5 < 2 ? 'lead' : 'client',
    made: day - (peopleCount - index) * 5 * 86_400_000 + random.between(0, 4 * 86_400_000),
  }
}

/** Some each day from 50 days back to 60 ahead; around today and a week later also right at the edges of the day. */
function seedBookings({ db, random, account, base, today, zone, people }: Ground): void {
  const planned: { day: string; minutes: number }[] = []
  for (let offset = -50; offset <= 60; offset++) {
    const day = addDays(today, offset)
    const edges = [-1, 0, 1, 7, 8].includes(offset)
    if (edges) planned.push({ day, minutes: 5 }, { day, minutes: 23 * 60 + 55 })
    if (edges || random.next() < 0.8) planned.push({ day, minutes: random.between(16, 36) * 30 })
  }
  const bookings = planned.map(({ day, minutes }, index) => ({
    serial: base + index + 1,
    sitter: random.pick(people).serial,
    kind: random.pick(kinds),
    begins: momentOf(day, minutes, zone),
    minutes: random.between(2, 16) * 30,
    ...(index % 3 === 0 ? random.pick(places) : { place: 'Studio', zone }),
  }))
  insertBookings(db, account.account, zone, bookings)
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const random = new Random(`prooflight ${account.ordinal}`)
  const { zone, money } = homes[(account.ordinal - 1) % homes.length] ?? homes[0]
  const base = account.ordinal * 100_000
  const ms = day * 1000
  const people = Array.from({ length: peopleCount }, (_, index) => makePerson(random, base, ms, index))
  const today = new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
  const ground: Ground = { db, random, account, base, day: ms, today, zone, money, people }
  insertPeople(db, account.account, people)
  const { usedKb, mails } = seedGalleries(ground)
  seedBookings(ground)
  seedBills(ground, mails)
  const quotaKb = account.kind === 'studio' ? 200_000_000 : usedKb + 40_000
  run(db, 'INSERT INTO studios VALUES (?, ?, ?, ?, ?)', account.account, account.ordinal, zone, money, quotaKb)
}
