import { run } from '../platform/rows.ts'
import { Refusal, type AppRequest, type SignedIn } from '../platform/types.ts'
import { bookingByKey, bookingRef, carrierKey, ownBooking, type Booking } from './bookings.ts'
import { known, onlyFields, readText } from './input.ts'
import { insertLetters, letterAbout } from './letters.ts'
import { lines } from './lines.ts'
import { memberOf, nextSerial } from './members.ts'
import { convert, price } from './money.ts'
import { isOnSale, readTravelDay } from './search.ts'
import { fareOf, tripOf, type Trip } from './timetable.ts'

/** Why nothing can be changed about a booking, whatever its tariff. */
function settled({ standing, leaves }: Booking, now: number): Refusal | undefined {
  if (standing === 'CANCELLED') return new Refusal(409, 'BOOKING_CANCELLED', 'This booking is cancelled.')
  if (standing === 'AWAITING') {
    return new Refusal(409, 'BOOKING_NOT_CONFIRMED', 'The carrier has not confirmed this booking yet.')
  }
  return leaves <= now * 1000 ? new Refusal(409, 'BOOKING_DEPARTED', 'This trip has left already.') : undefined
}

/** Tickets are for what is confirmed, also once it has left. */
export function mustHaveTickets(booking: Booking, now: number): void {
  const why = settled(booking, now)
  if (why && why.problem.code !== 'BOOKING_DEPARTED') throw why
}

function mustBeSwappable(booking: Booking, now: number): void {
  const why = settled(booking, now)
  if (why) throw why
  if (!booking.tariff.swappable) {
    throw new Refusal(409, 'TARIFF_NOT_SWAPPABLE', `${booking.tariff.label} cannot be changed online.`)
  }
}

export interface Move {
  moveId: string
  trip: Trip
  fare: number
  /** New fare less the old one: below zero where it is cheaper, which is not given back. */
  difference: number
  fee: number
  toPay: number
}

function moveTo(b: Booking, trip: Trip): Move {
  const riders = b.riders.map(({ band }) => band)
  const fare = fareOf(trip.run, b.tariff, riders, b.currency)
  const difference = fare - b.fare
  const fee = b.flex ? 0 : convert(b.tariff.swapCents, b.currency) * riders.length
  const moveId = `MV-${b.serial.toString(36)}-${b.issue}-${trip.run.offset}-${trip.run.run}`
  return { moveId, trip, fare, difference, fee, toPay: Math.max(0, difference) + fee }
}

/** The other departures of the booking's line on a day, `offset` days after the timetable's first. */
function movesOn({ day, now }: AppRequest, b: Booking, offset: number): Move[] {
  const runs = lines[b.run.line]?.runs ?? 0
  return Array.from({ length: runs }, (_, run) => tripOf(day, { ...b.run, run, offset }))
    .filter(({ leaves }) => leaves.ms !== b.leaves && isOnSale(leaves.ms, now))
    .map((trip) => moveTo(b, trip))
}

export function listMoves(request: SignedIn): { booking: Booking; moves: Move[] } {
  known(request.query, ['day'])
  const booking = ownBooking(request)
  mustBeSwappable(booking, request.now)
  const offset = readTravelDay(request, request.query.get('day') ?? '', 'day', booking.trip.from.zone)
  return { booking, moves: movesOn(request, booking, offset) }
}

/** A departure that this booking can still be moved to. */
export function findMove(request: SignedIn, moveId: string): { booking: Booking; move: Move } {
  const booking = ownBooking(request)
  mustBeSwappable(booking, request.now)
  const offset = /^MV-[0-9a-z]+-\d+-(-?\d{1,4})-\d{1,2}$/.exec(moveId)?.[1]
  const moves = offset === undefined ? [] : movesOn(request, booking, Number(offset))
  const move = moves.find((one) => one.moveId === moveId)
  if (!move) throw new Refusal(404, 'MOVE_NOT_FOUND', 'This booking cannot be moved there (any more).', 'moveId')
  return { booking, move }
}

function mustMatch(form: URLSearchParams, minor: number, currency: Booking['currency']): void {
  const same = readText(form.get('agreedMinor'), 'agreedMinor', 20) === String(minor)
  if (!same || (form.get('agreedCurrency') ?? currency) !== currency) {
    throw new Refusal(409, 'SUM_DIFFERS', `It is ${price(minor, currency)} now (minor ${minor}).`, 'agreedMinor')
  }
}

function tell(request: SignedIn, booking: Booking, kind: 'MOVED' | 'CALLED_OFF'): void {
  const { db, viewer, base, now } = request
  const { account, email } = viewer.account
  insertLetters(db, account, [letterAbout(booking, kind, email, base, nextSerial(db, 'letters', account), now * 1000)])
}

/** confirmed → confirmed on another departure. */
export function moveBooking(request: SignedIn): Move & { ref: string } {
  const { db, day, form } = request
  onlyFields(form, ['moveId', 'agreedMinor', 'agreedCurrency'])
  const { booking, move } = findMove(request, readText(form.get('moveId'), 'moveId', 60))
  mustMatch(form, move.toPay, booking.currency)
  const { offset, run: number } = move.trip.run
  const leaves = move.trip.leaves.ms
  const fare = Math.max(booking.fare, move.fare)
  run(
    db,
    'UPDATE bookings SET run = ?, day_offset = ?, leaves = ?, fare = ?, swap_fees = swap_fees + ?, issue = issue + 1 WHERE serial = ?',
    ...[number, offset, leaves, fare, move.fee, booking.serial],
  )
  tell(request, { ...booking, trip: tripOf(day, move.trip.run) }, 'MOVED')
  const ref = bookingRef(booking)
  request.effect('booking.move', {
    bookingRef: ref,
    moveId: move.moveId,
    toPay: move.toPay,
    currency: booking.currency,
  })
  return { ...move, ref }
}

export interface GiveBack {
  booking: Booking
  /** Why it cannot be cancelled online. */
  refused: Refusal | undefined
  minor: number
  /** What the carrier keeps of the fare. */
  kept: number
}

/** The fare comes back; within a day of departure without flex the carrier keeps a quarter of it. */
export function giveBackOf(request: SignedIn): GiveBack {
  const { now } = request
  const booking = ownBooking(request)
  const open = booking.tariff.givesBack || booking.flex
  const refused =
    settled(booking, now) ??
    (open ? undefined : new Refusal(409, 'TARIFF_KEEPS_MONEY', `${booking.tariff.label} is not refundable.`))
  if (refused) return { booking, refused, minor: 0, kept: 0 }
  const late = !booking.flex && booking.leaves < (now + 86_400) * 1000
  const kept = late ? Math.ceil(booking.fare / 4) : 0
  return { booking, refused, minor: booking.fare - kept, kept }
}

/** confirmed → cancelled, with the money that was quoted. */
export function cancelBooking(request: SignedIn): GiveBack & { ref: string } {
  const { db, form } = request
  onlyFields(form, ['agreedMinor', 'agreedCurrency'])
  const terms = giveBackOf(request)
  if (terms.refused) throw terms.refused
  const { booking, minor } = terms
  if (form.has('agreedMinor') || form.has('agreedCurrency')) mustMatch(form, minor, booking.currency)
  const sql = "UPDATE bookings SET standing = 'CANCELLED', given_back = ? WHERE serial = ?"
  run(db, sql, minor, booking.serial)
  tell(request, { ...booking, givenBack: minor }, 'CALLED_OFF')
  const ref = bookingRef(booking)
  request.effect('booking.cancel', { bookingRef: ref, givenBack: minor, currency: booking.currency })
  return { ...terms, ref }
}

/** The booking that a carrier was asked about. */
export function askedBooking(request: AppRequest): Booking {
  const key = request.params['key'] ?? ''
  const booking = bookingByKey(request, key)
  if (!booking || carrierKey(booking) !== key) throw new Refusal(404, 'BOOKING_NOT_FOUND', 'There is no such request.')
  return booking
}

/** awaiting → confirmed: the carrier's answer. */
export function agreeToBooking(request: AppRequest): Booking {
  const { db, base, now } = request
  const booking = askedBooking(request)
  if (booking.standing !== 'AWAITING') throw new Refusal(409, 'ANSWERED_ALREADY', 'This request has been answered.')
  run(db, "UPDATE bookings SET standing = 'CONFIRMED' WHERE serial = ?", booking.serial)
  const { mail } = memberOf(db, booking.account)
  const serial = nextSerial(db, 'letters', booking.account)
  insertLetters(db, booking.account, [letterAbout(booking, 'AGREED', mail, base, serial, now * 1000)])
  request.effect('carrier.agree', { bookingRef: bookingRef(booking) })
  return booking
}
