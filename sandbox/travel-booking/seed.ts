import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertBookings, type Booking } from './bookings.ts'
import { insertLetters, letterAbout } from './letters.ts'
import { lines, steadyLines, tariffsOf, type Line } from './lines.ts'
import type { Currency } from './money.ts'
import { homes, names, notices } from './seed-words.ts'
import { bands, fareOf, flexPriceOf, serviceFeeOf, tripOf } from './timetable.ts'

const counts = { ahead: 90, behind: 75, cancelled: 70 } as const

interface Plan {
  /** Days from the timetable's first. */
  offset: number
  standing: Booking['standing']
  /** How near to the front of its list. */
  index: number
}

/** No departure within a day of now, so that nothing seeded passes from one list to another while somebody looks. */
function plans(): Plan[] {
  const every = (count: number, plan: (index: number) => Omit<Plan, 'index'>): Plan[] =>
    Array.from({ length: count }, (_, index) => ({ ...plan(index), index }))
  return [
    ...every(counts.behind, (index) => ({ offset: -2 - 2 * index, standing: 'CONFIRMED' })).reverse(),
    ...every(counts.cancelled, (index) => ({ offset: 70 - 2 * index, standing: 'CANCELLED' })).reverse(),
    ...every(counts.ahead, (index) => ({ offset: 2 + index, standing: index % 9 === 6 ? 'AWAITING' : 'CONFIRMED' })),
  ]
}

interface Ground {
  day: number
  account: Account
  random: Random
  home: Currency
}

/** Near the front only lines whose clocks never change: the first rows then look alike in every season. */
function pickLine(random: Random, { standing, index }: Plan): Line {
  const usual = index < 40 || standing === 'CANCELLED' ? lines.slice(0, steadyLines) : lines
  return random.pick(usual.filter(({ asks }) => asks || standing !== 'AWAITING'))
}

function makeBooking({ day, account, random, home }: Ground, plan: Plan, number: number): Booking {
  const line = pickLine(random, plan)
  const [start, goal] = random.some(
    line.path.map((_, index) => index),
    2,
  )
  const trip = tripOf(day, {
    line: lines.indexOf(line),
    start: start ?? 0,
    goal: goal ?? 1,
    run: random.between(0, line.runs - 1),
    offset: plan.offset,
  })
  const tariffs = tariffsOf(trip.vehicle)
  const tariff = tariffs[number % tariffs.length] ?? random.pick(tariffs)
  const flex = tariff.flexOffered && random.next() < 0.5
  const riders = Array.from({ length: 1 + (number % 4) }, (_, index) => {
    const [givenName, familyName] = names[(number * 3 + index) % names.length] ?? ['', '']
    return { givenName, familyName, band: index === 0 ? bands[number % 2 === 0 ? 0 : 3] : random.pick(bands) }
  }).sort((a, b) => bands.indexOf(a.band) - bands.indexOf(b.band))
  const currency = number % 9 === 4 ? 'TND' : number % 9 === 8 ? 'JPY' : home
  const fare = fareOf(
    trip.run,
    tariff,
    riders.map(({ band }) => band),
    currency,
  )
  return {
    serial: account.ordinal * 100_000 + number,
    account: account.account,
    standing: plan.standing,
    run: trip.run,
    trip,
    leaves: trip.leaves.ms,
    tariff,
    flex,
    riders,
    currency,
    fare,
    flexPrice: flex ? flexPriceOf(fare) : 0,
    serviceFee: serviceFeeOf(fare, currency),
    swapFees: 0,
    givenBack: plan.standing === 'CANCELLED' ? (tariff.givesBack || flex ? fare : 0) : null,
    issue: 1,
    notice: notices[number % notices.length] ?? '',
    made: (day + 86_400 * (Math.min(0, plan.offset) - 3 - (number % 30))) * 1000,
  }
}

const kindOf = { CONFIRMED: 'BOOKED', AWAITING: 'ASKED', CANCELLED: 'CALLED_OFF' } as const

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const { ordinal, email } = account
  const home = homes[(ordinal - 1) % homes.length] ?? 'EUR'
  const card = account.kind === 'traveller' ? 'Visa ending 4242' : null
  run(db, 'INSERT INTO members VALUES (?, ?, ?, ?, ?)', account.account, ordinal, email, home, card)
  const ground: Ground = { day, account, random: new Random(`ferrovela ${ordinal}`), home }
  const bookings = plans().map((plan, index) => makeBooking(ground, plan, index + 1))
  insertBookings(db, bookings)
  const base = 'https://ferrovela.example/travel-booking'
  const letters = bookings.map((booking) => {
    const { serial, standing, made } = booking
    return letterAbout(booking, kindOf[standing], email, base, serial, made)
  })
  insertLetters(db, account.account, letters)
}
