import { randomBytes } from 'node:crypto'
import { run } from '../platform/rows.ts'
import { Refusal, type AppRequest } from '../platform/types.ts'
import { bookingId, insertBookings, type Booking } from './bookings.ts'
import { panelDay, startOf } from './clock.ts'
import { formFields, invalid, readDay, readText, readWhole } from './input.ts'
import { nextSerial } from './provider.ts'
import { slotsOf } from './slots.ts'
import { tourId, type Tour } from './tours.ts'

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const newLocator = (): string =>
  `CM-${Array.from(randomBytes(6), (byte) => letters[byte % letters.length] ?? '').join('')}`

function readMail(value: unknown): string {
  const mail = readText(value, 'mail', 200)
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(mail)) throw invalid('MAIL_INVALID', `${mail} is no e-mail address.`, 'mail')
  return mail
}

/** A traveller buys places in the shop: only of a departure ahead that is on sale and has them left. */
export function book(request: AppRequest, tour: Tour): Booking {
  const { db, form, now } = request
  const fields = formFields(form, 'day', 'hour', 'pax', 'full', 'mail', 'tel')
  const day = readDay(fields['day'], 'day')
  const slot = slotsOf(db, tour.serial, { from: day, to: day }).find(({ hour }) => hour === fields['hour'])
  if (!slot) throw invalid('NO_DEPARTURES', 'This tour does not depart then.', 'hour')
  const start = startOf(tour.zone, day, slot.hour)
  const pax = readWhole(Number(fields['pax']), 'pax', 1, 50)
  const full = readText(fields['full'], 'full', 120)
  const mail = readMail(fields['mail'])
  const tel = fields['tel'] === undefined ? null : readText(fields['tel'], 'tel', 40)
  if (start <= now) throw invalid('DAY_PASSED', 'This departure is over.', 'day')
  if (slot.shut) throw new Refusal(409, 'SALES_SHUT', 'This departure is not on sale.', 'hour')
  if (slot.sold + pax > slot.places) throw new Refusal(409, 'SOLD_OUT', 'There are not as many places left.', 'pax')
  const booking: Booking = {
    serial: nextSerial(db, 'bookings', tour.account),
    account: tour.account,
    tour: tour.serial,
    tourTitle: tour.title,
    zone: tour.zone,
    key: randomBytes(9).toString('base64url'),
    locator: newLocator(),
    ...{ day, hour: slot.hour, start, pax, full, mail, tel },
    state: 'VALID',
    total: tour.price * pax,
  }
  insertBookings(db, [booking])
  request.effect('trip.book', {
    bk: bookingId(booking.serial),
    act: tourId(tour.serial),
    day: panelDay(day),
    hour: slot.hour,
    pax,
  })
  return booking
}

/** Only the traveller calls a trip off, before it departs. */
export function callOff(request: AppRequest, booking: Booking): void {
  formFields(request.form)
  if (booking.state === 'VOID') throw new Refusal(409, 'ALREADY_VOID', 'This booking is cancelled already.')
  if (booking.start <= request.now) throw new Refusal(409, 'DEPARTED', 'This trip has begun.')
  run(request.db, "UPDATE bookings SET state = 'VOID' WHERE serial = ?", booking.serial)
  request.effect('trip.cancel', { bk: bookingId(booking.serial) })
}
