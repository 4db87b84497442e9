import type { DatabaseSync } from 'node:sqlite'
import { number, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest, type SignedIn } from '../platform/types.ts'
import { isDay, moment, whenIn } from './clock.ts'
import { isOver, ownGathering, passCalled, passOut, takeSerial, type Gathering } from './gatherings.ts'
import { firstPass, guestWithMail, insertGuest } from './guests.ts'
import { needMail, needText, readForm, readQuery, readText } from './input.ts'
import { pageNames, readPage, type Page } from './paging.ts'

interface Booking {
  serial: number
  bookedBy: string
  mail: string
  pass: number
  seats: number
  paid: number
  booked: number
}

export function insertBooking(db: DatabaseSync, gathering: number, booking: Booking): void {
  const { serial, bookedBy, mail, pass, seats, paid, booked } = booking
  const values = [serial, gathering, bookedBy, mail, pass, seats, paid, booked]
  run(db, 'INSERT INTO bookings VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...values)
}

const bookingOut = (row: Row, { zone, cur }: Gathering) => ({
  booking_no: String(number(row, 'serial')),
  booked_by: text(row, 'booked_by'),
  mail: text(row, 'mail'),
  pass: passOut(row),
  seats: number(row, 'seats'),
  paid: { minor: number(row, 'paid'), cur },
  booked: moment(number(row, 'booked'), zone),
})

/** Midnight at the gathering's place before this day. */
function dayBegins(day: string, zone: string): number {
  if (!isDay(day)) throw new Refusal(400, 'PARAMETER_INVALID', 'from_day must be a day such as 20261231.', 'from_day')
  return whenIn(zone, Date.parse(day.replace(/(....)(..)(..)/, '$1-$2-$3')) / 1000)
}

export function listBookings(request: SignedIn): Page<ReturnType<typeof bookingOut>> {
  const gathering = ownGathering(request)
  const { pass, from_day: day } = readQuery(request.query, ['pass', 'from_day', ...pageNames])
  const values: number[] = [gathering.serial]
  let sql = `SELECT bookings.*, passes.label FROM bookings JOIN passes ON passes.serial = bookings.pass
    WHERE bookings.gathering = ?`
  if (pass !== undefined) {
    sql += ' AND bookings.pass = ?'
    values.push(passCalled(request.db, gathering, pass).serial)
  }
  if (day !== undefined) {
    sql += ' AND booked >= ?'
    values.push(dayBegins(day, gathering.zone))
  }
  const found = { sql, values, serial: 'bookings.serial' }
  return readPage(request, `bookings ${gathering.serial}`, found, (row) => bookingOut(row, gathering))
}

/** Somebody without a session books one seat for themselves. */
export function bookSeat(request: AppRequest, gathering: Gathering): void {
  const { db, now } = request
  const fields = readForm(request.form, ['given_name', 'family_name', 'mail', 'pass'])
  const [given, family] = [needText(fields, 'given_name', 120), needText(fields, 'family_name', 120)]
  const mail = needMail(fields)
  const wanted = readText(fields, 'pass', 120)
  const pass = wanted === undefined ? firstPass(db, gathering) : passCalled(db, gathering, wanted)
  if (isOver(gathering, now)) throw new Refusal(409, 'SIGNUP_CLOSED', 'This gathering is over.')
  if (guestWithMail(db, gathering, mail)) {
    throw new Refusal(409, 'SIGNED_UP_ALREADY', 'Somebody with this address is on the list.', 'mail')
  }
  const [serial, guest] = [takeSerial(db, gathering.account), takeSerial(db, gathering.account)]
  const bookedBy = `${given} ${family}`
  insertBooking(db, gathering.serial, {
    serial,
    bookedBy,
    mail,
    pass: pass.serial,
    seats: 1,
    paid: pass.price,
    booked: now,
  })
  const person = { serial: guest, given, family, mail, firm: '', pass: pass.serial, crowd: 'Delegate', arrived: null }
  insertGuest(db, gathering.serial, person)
  request.effect('booking.make', { gathering_no: String(gathering.serial), booking_no: String(serial), ...fields })
}
