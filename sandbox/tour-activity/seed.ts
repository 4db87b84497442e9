import type { DatabaseSync } from 'node:sqlite'
import { hash32, Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertBookings, type Booking } from './bookings.ts'
import { monthBefore, shiftDay, startOf, weekdayOf } from './clock.ts'
import { insertNotes, type Note } from './inbox.ts'
import { insertPayout, minorOf, payoutRef } from './money.ts'
import { insertReviews } from './reviews.ts'
import { answers, firstNames, homes, hours, lastNames, officeWords, opinions } from './seed-words.ts'
import { questions, tours, wholeNames } from './seed-words.ts'
import type { Tour } from './tours.ts'

/** What all parts of a seed are made from. */
interface Ground {
  db: DatabaseSync
  random: Random
  account: Account
  /** The day of the reset, UTC. */
  today: string
  /** Its midnight UTC, Unix seconds. */
  now: number
}

/** A tour with its timetable; `left` are the places of departures that have bookings. */
interface Running extends Tour {
  hours: readonly string[]
  weekdays: string
  places: number
  left: Map<string, number>
}

/** What looks random in an address, the same after every reset. */
const secret = (text: string): string => hash32(`caminera ${text}`).toString(36).padStart(7, '0')

/** Days from the reset on which every tour is shut for the whole day, with bookings on some of them. */
const shutDays = [20, 21, 22, 40, 41, 60, 75, 76] as const
/** Days on which only its first departure is shut. */
const partDays = [12, 13, 33] as const
/** Trips of the provider's first season, on fixed days: the months of other trips depend on the day of the reset. */
const firstSeason = ['2024-05-11', '2024-05-12', '2024-06-01', '2024-06-22', '2024-07-06', '2024-08-10', '2024-08-24']

function seedTours({ db, account }: Ground, cur: string): Running[] {
  const planned = tours.map(({ title, town, zone, units }, index): Running => {
    const serial = account.ordinal * 1000 + index + 1
    const state = index === tours.length - 1 ? 'CHECKING' : index === tours.length - 2 ? 'PAUSED' : 'LIVE'
    return {
      ...{ serial, account: account.account, key: secret(`tour ${serial}`), title, town, zone, state },
      price: minorOf(units, cur),
      hours: state === 'CHECKING' ? [] : (hours[index % hours.length] ?? []),
      weekdays: index % 4 === 3 ? '12456' : '1234567',
      places: 12 + (index % 3) * 10,
      left: new Map(),
    }
  })
  const insert = db.prepare('INSERT INTO tours VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const depart = db.prepare('INSERT INTO departures VALUES (?, ?, ?, ?)')
  for (const tour of planned) {
    const { serial, key, title, town, zone, state, price, weekdays, places } = tour
    insert.run(serial, account.account, key, title, town, zone, state, price)
    for (const hour of tour.hours) depart.run(serial, hour, weekdays, places)
  }
  return planned.filter((tour) => tour.hours.length > 0)
}

function seedSlots({ db, today }: Ground, running: readonly Running[]): void {
  const insert = db.prepare('INSERT OR REPLACE INTO changed_slots VALUES (?, ?, ?, ?, ?)')
  for (const { serial, hours, weekdays, places } of running) {
    const runs = (day: string): boolean => weekdays.includes(String(weekdayOf(day)))
    for (const offset of [...shutDays, ...partDays, 15]) {
      const day = shiftDay(today, offset)
      const shut = offset === 15 ? 0 : 1
      const chosen = partDays.some((part) => part === offset) ? hours.slice(0, 1) : hours
      if (runs(day)) for (const hour of chosen) insert.run(serial, day, hour, offset === 15 ? places - 4 : places, shut)
    }
  }
}

/** How many bookings begin on each day: over a year back, many in the next week, and on the days that matter. */
function plannedDays(random: Random, running: readonly Running[]): { offset: number; tour: Running }[] {
  const planned: { offset: number; tour: Running }[] = []
  for (let offset = -430; offset <= 120; offset++) {
    const size = offset >= -1 && offset <= 8 ? 11 : random.next() < 0.6 ? 1 : 0
    for (let at = 0; at < size; at++) planned.push({ offset, tour: random.pick(running) })
  }
  for (const tour of running) for (const offset of [12, 20, 21, 30, 31, 33]) planned.push({ offset, tour })
  return planned
}

function personOf(random: Random, index: number): Pick<Booking, 'full' | 'mail' | 'tel'> {
  const full = wholeNames[index % 11] ?? `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const plain = full.normalize('NFD').replaceAll(/[^A-Za-z]/g, '')
  return {
    full,
    mail: `${plain === '' ? 'guest' : plain.slice(0, 12).toLowerCase()}.${index + 1}@mail.example`,
    tel: index % 4 === 3 ? null : `+${random.between(1, 99)} ${random.between(10, 99)} ${5_550_000 + index}`,
  }
}

/**
 * All that are planned. Those without people (no places left, or the tour does not run on that weekday) are not stored, but count:
 * so numbers and people are the same whatever weekday the reset is on.
 */
function seedBookings({ db, random, account, today }: Ground, running: readonly Running[]): Booking[] {
  const ahead = plannedDays(random, running).map(({ offset, tour }) => ({ day: shiftDay(today, offset), tour }))
  const planned = [...ahead, ...firstSeason.map((day) => ({ day, tour: running[0] ?? random.pick(running) }))]
  const bookings = planned.map(({ day, tour }, index): Booking => {
    const hour = random.pick(tour.hours)
    const left = tour.left.get(`${day} ${hour}`) ?? tour.places - 6
    const wanted = Math.min(random.between(1, 6), left)
    const pax = tour.weekdays.includes(String(weekdayOf(day))) ? wanted : 0
    const state = index % 7 === 4 ? 'VOID' : 'VALID'
    if (state === 'VALID') tour.left.set(`${day} ${hour}`, left - pax)
    const serial = account.ordinal * 100_000 + index + 1
    return {
      ...{ serial, account: account.account, tour: tour.serial, tourTitle: tour.title, zone: tour.zone },
      key: `${secret(`trip ${serial}`)}${secret(`key ${serial}`)}`,
      locator: `CM-${secret(`locator ${serial}`).toUpperCase()}`,
      ...{ day, hour, start: startOf(tour.zone, day, hour), pax, state, total: tour.price * pax },
      ...personOf(random, index),
    }
  })
  insertBookings(
    db,
    bookings.filter(({ pax }) => pax > 0),
  )
  return bookings
}

/** Travellers ask before they come; some get an answer, and the office writes about some. Oldest first. */
function seedNotes({ db, random, account, today, now }: Ground, bookings: readonly Booking[]): void {
  const from = shiftDay(today, -45)
  const notes: Omit<Note, 'serial'>[] = []
  const stored = new Set<number>()
  const recent = bookings.filter(({ day }) => day >= from)
  for (const [index, booking] of recent.entries()) {
    if (booking.pax > 0) stored.add(booking.serial)
    if (index % 2 === 1) continue
    const at = Math.min(booking.start, now) - random.between(1, 9 * 1440) * 60
    const base = { account: account.account, booking: booking.serial }
    const words = questions[(index / 2) % 13] ?? random.pick(questions.slice(0, 5))
    const answered = index % 4 === 2
    notes.push({ ...base, side: 'CLIENT', words, at, recipient: null, seen: answered || index % 12 === 0 })
    const answer = { ...base, side: 'CLIENT' as const, words: random.pick(answers), at: at + 40, seen: true }
    if (answered) notes.push({ ...answer, recipient: booking.mail })
    if (index % 10 === 0) {
      const seen = index % 20 === 0
      notes.push({ ...base, side: 'OFFICE', words: random.pick(officeWords), at: at - 90, recipient: null, seen })
    }
  }
  const sorted = notes.toSorted((one, other) => one.at - other.at)
  const numbered = sorted.map((note, index) => ({ ...note, serial: account.ordinal * 100_000 + index + 1 }))
  insertNotes(
    db,
    numbered.filter(({ booking }) => stored.has(booking)),
  )
}

function seedReviews({ db, random, account, today }: Ground, running: readonly Running[]): void {
  insertReviews(
    db,
    Array.from({ length: 90 }, (_, index) => ({
      serial: account.ordinal * 1000 + index + 1,
      account: account.account,
      tour: random.pick(running).serial,
      mark: (index % 10) + 1,
      words: opinions[index % 9] ?? random.pick(opinions),
      day: shiftDay(today, index * 5 - 450),
    })),
  )
}

/** Paid out but for the last four months, and one that was forgotten. */
function seedPayouts({ db, account, today }: Ground): void {
  for (const month of ['2024-05', '2024-06', '2024-07']) {
    insertPayout(db, account.account, month, payoutRef(account, month), shiftDay(`${month}-28`, 10))
  }
  let month = today.slice(0, 7)
  for (let back = 1; back <= 16; back++) {
    month = monthBefore(month)
    const day = shiftDay(`${month}-28`, 10)
    if (back > 4) insertPayout(db, account.account, month, payoutRef(account, month), day)
  }
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const { zone, cur } = homes[(account.ordinal - 1) % homes.length] ?? homes[0]
  const today = new Date(day * 1000).toISOString().slice(0, 10)
  const ground: Ground = { db, random: new Random(`caminera ${account.ordinal}`), account, today, now: day }
  run(db, 'INSERT INTO providers VALUES (?, ?, ?, ?, ?)', account.account, account.ordinal, zone, cur, 25)
  const running = seedTours(ground, cur)
  seedSlots(ground, running)
  seedNotes(ground, seedBookings(ground, running))
  seedReviews(ground, running)
  seedPayouts(ground)
}
