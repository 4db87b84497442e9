import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../platform/body.ts'
import { hash32 } from '../platform/random.ts'
import { all, maybeNumber, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest, type SignedIn } from '../platform/types.ts'
import { tariffOf, type Tariff } from './lines.ts'
import { currencyOf, type Currency } from './money.ts'
import type { Wish } from './paging.ts'
import { bands, tripOf, type Band, type Run, type Trip } from './timetable.ts'

export interface Rider {
  givenName: string
  /** '' for those who have one name only. */
  familyName: string
  band: Band
}

export interface Booking {
  serial: number
  account: string
  standing: 'CONFIRMED' | 'AWAITING' | 'CANCELLED'
  run: Run
  trip: Trip
  /** Departure: that of the trip, kept for the order of lists. */
  leaves: number
  tariff: Tariff
  flex: boolean
  riders: Rider[]
  currency: Currency
  fare: number
  flexPrice: number
  serviceFee: number
  swapFees: number
  givenBack: number | null
  /** Rises with each change: tickets of earlier issues are void. */
  issue: number
  /** What the carrier has to say; '' mostly. */
  notice: string
  made: number
}

export const bookingRef = ({ serial }: { serial: number }): string => `FV${serial.toString(36).toUpperCase()}`

/** What was paid in all. */
export const sumOf = (b: Booking): number => b.fare + b.flexPrice + b.serviceFee + b.swapFees

function toRiders(value: string): Rider[] {
  const riders: unknown = JSON.parse(value)
  return (Array.isArray(riders) ? riders : []).filter(isRecord).map((rider) => ({
    givenName: String(rider['givenName']),
    familyName: String(rider['familyName']),
    band: bands.find((band) => band === rider['band']) ?? 'GROWN_UP',
  }))
}

function toBooking(row: Row, day: number): Booking {
  const run: Run = {
    line: number(row, 'line'),
    start: number(row, 'start'),
    goal: number(row, 'goal'),
    run: number(row, 'run'),
    offset: number(row, 'day_offset'),
  }
  const trip = tripOf(day, run)
  const tariff = tariffOf(trip.vehicle, text(row, 'tariff'))
  const standing = text(row, 'standing')
  if (!tariff) throw new TypeError(`${text(row, 'tariff')} is no tariff of ${trip.vehicle}.`)
  return {
    serial: number(row, 'serial'),
    account: text(row, 'account'),
    standing: standing === 'AWAITING' || standing === 'CANCELLED' ? standing : 'CONFIRMED',
    run,
    trip,
    leaves: number(row, 'leaves'),
    tariff,
    flex: number(row, 'flex') === 1,
    riders: toRiders(text(row, 'riders')),
    currency: currencyOf(text(row, 'currency')),
    fare: number(row, 'fare'),
    flexPrice: number(row, 'flex_price'),
    serviceFee: number(row, 'service_fee'),
    swapFees: number(row, 'swap_fees'),
    givenBack: maybeNumber(row, 'given_back') ?? null,
    issue: number(row, 'issue'),
    notice: text(row, 'notice'),
    made: number(row, 'made'),
  }
}

const serialOf = (ref: string): number => {
  const serial = /^FV[0-9A-Z]{1,8}$/.test(ref) ? Number.parseInt(ref.slice(2), 36) : 0
  return bookingRef({ serial }) === ref ? serial : 0
}

/** A booking of this account; somebody else's does not exist. */
export function ownBooking({ db, day, viewer, params }: SignedIn): Booking {
  const sql = 'SELECT * FROM bookings WHERE serial = ? AND account = ?'
  const row = one(db, sql, serialOf(params['ref'] ?? ''), viewer.account.account)
  if (!row) throw new Refusal(404, 'BOOKING_NOT_FOUND', 'You have no booking with this reference.')
  return toBooking(row, day)
}

/** A booking whoever has a key to it. */
export function bookingBy({ db, day }: AppRequest, serial: number): Booking | undefined {
  const row = one(db, 'SELECT * FROM bookings WHERE serial = ?', serial)
  return row && toBooking(row, day)
}

export const scopes = ['AHEAD', 'BEHIND', 'CALLED_OFF', 'EVERYTHING'] as const
export type Scope = (typeof scopes)[number]

const conditions: Record<Scope, string> = {
  AHEAD: "standing <> 'CANCELLED' AND leaves > ?",
  BEHIND: "standing <> 'CANCELLED' AND leaves <= ?",
  CALLED_OFF: "standing = 'CANCELLED' AND ? > 0",
  EVERYTHING: '? > 0',
}

/** What is ahead: soonest departure first; everything else: latest departure first. */
export function listBookings({ db, day, now, viewer }: SignedIn, scope: Scope, { take, after }: Wish): Booking[] {
  const [sign, order] = scope === 'AHEAD' ? ['>', 'ASC'] : ['<', 'DESC']
  const beyond = after ? `AND (leaves, serial) ${sign} (${after.rank}, ${after.serial})` : ''
  const sql = `SELECT * FROM bookings WHERE account = ? AND ${conditions[scope]} ${beyond}
    ORDER BY leaves ${order}, serial ${order} LIMIT ?`
  return all(db, sql, viewer.account.account, now * 1000, take).map((row) => toBooking(row, day))
}

export function insertBookings(db: DatabaseSync, bookings: readonly Booking[]): void {
  const insert = db.prepare(`INSERT INTO bookings VALUES (${Array.from({ length: 21 }, () => '?').join(', ')})`)
  for (const b of bookings) {
    const { line, start, goal, run, offset } = b.run
    const money = [b.currency, b.fare, b.flexPrice, b.serviceFee, b.swapFees, b.givenBack] as const
    const travel = [line, start, goal, run, offset, b.trip.leaves.ms] as const
    const riders = JSON.stringify(b.riders)
    insert.run(
      b.serial,
      b.account,
      b.standing,
      ...travel,
      b.tariff.code,
      b.flex ? 1 : 0,
      riders,
      ...money,
      b.issue,
      b.notice,
      b.made,
    )
  }
}

/** The secret part of an address that is sent to somebody; looks random, but is the same after every reset. */
const keyOf = (purpose: string, { account, serial }: Booking, rest = ''): string =>
  `${serial.toString(36)}${rest}-${hash32(`${purpose} ${account} ${serial} ${rest}`).toString(36)}`

export const carrierKey = (booking: Booking): string => keyOf('carrier', booking)
export const ticketKey = (booking: Booking, rider: number): string =>
  keyOf('ticket', booking, `.${booking.issue}.${rider}`)

/** The booking that a key begins with. */
export function bookingByKey(request: AppRequest, key: string): Booking | undefined {
  const serial = Number.parseInt(/^[0-9a-z]{1,9}/.exec(key)?.[0] ?? '0', 36)
  return bookingBy(request, serial)
}
