import { bookingId, type Booking } from './bookings.ts'
import { moment, panelDay } from './clock.ts'
import type { Thread } from './inbox.ts'
import { amount, type Month } from './money.ts'
import type { Review } from './reviews.ts'
import type { Slot } from './slots.ts'
import { tourId, type Tour } from './tours.ts'

type Out = Record<string, unknown>

export const tourOut = ({ serial, title, town, zone, state }: Tour): Out => ({
  act: tourId(serial),
  title,
  town,
  tz: zone,
  state,
})

export const bookingOut = (b: Booking): Out => ({
  bk: bookingId(b.serial),
  act: tourId(b.tour),
  actTitle: b.tourTitle,
  day: panelDay(b.day),
  hour: b.hour,
  tz: b.zone,
  pax: b.pax,
  st: b.state,
})

/** `m•••@mail.example` and `•••62`: enough to recognise somebody by. */
export function holderOf({ full, mail, tel, state }: Booking, whole: boolean): Pick<Booking, 'full' | 'mail' | 'tel'> {
  if (whole && state === 'VALID') return { full, mail, tel }
  return { full, mail: `${mail.slice(0, 1)}•••${mail.slice(mail.indexOf('@'))}`, tel: tel && `•••${tel.slice(-2)}` }
}

/** Whole addresses only for who may see them, and only while the booking is valid. */
export const bookingFull = (b: Booking, cur: string, whole: boolean): Out => ({
  ...bookingOut(b),
  loc: b.locator,
  total: amount(b.total, cur),
  holder: holderOf(b, whole),
})

/** A day is shut when all its departures are. */
export function daysOut(slots: readonly Slot[]): Out[] {
  const days = Map.groupBy(slots, ({ day }) => day)
  return [...days].map(([day, runs]) => ({
    day: panelDay(day),
    sale: runs.every(({ shut }) => shut) ? 'SHUT' : 'OPEN',
    runs: runs.map(({ hour, places, sold, shut }) => ({ hour, places, sold, shut })),
  }))
}

export const threadOut = (t: Thread): Out => ({
  bk: bookingId(t.booking),
  act: tourId(t.tour),
  actTitle: t.tourTitle,
  side: t.side,
  fresh: t.fresh,
  last: { by: t.recipient === null ? t.side : 'US', words: t.words, ...moment(t.zone, t.at) },
})

export const reviewOut = ({ tour, mark, words, day }: Review): Out => ({
  act: tourId(tour),
  mark,
  words,
  day: panelDay(day),
})

export const billOut = ({ month, fee }: Month, inv: string, cur: string, pdf: string): Out => ({
  inv,
  month: panelDay(month),
  sum: amount(fee, cur),
  pdf,
})

export const monthOut = ({ month, gross, fee, due, ref, paidOn }: Month, cur: string): Out => ({
  month: panelDay(month),
  gross: amount(gross, cur),
  fee: amount(fee, cur),
  due: amount(due, cur),
  state: ref === null ? 'WAITING' : 'PAID',
  ref,
  paidOn: paidOn && panelDay(paidOn),
})
