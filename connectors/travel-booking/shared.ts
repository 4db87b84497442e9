import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { labelled } from '../kit/declared.ts'
import { described, id, moment, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, number, text } from '../kit/wire.ts'

/** CSRF token, the same for the whole session; reading it is free. */
export const headerSeal: Csrf = jsonToken({ page: '/trips/x/me', field: 'seal', header: 'x-seal' })
export const formSeal: Csrf = asField(headerSeal, 'seal')

export const BookingId = labelled(
  'Booking',
  id('booking', 'Which booking: booking_id from list_bookings or book_trip.'),
)
export const BookingRef = refTo(
  'booking',
  'The reference of the booking: pass it to get_booking, get_tickets, change_booking and cancel_booking.',
)
export const Operator = labelled(
  'Operator',
  Type.String({ description: 'The railway, bus, air or ferry company, as the app names it.' }),
)
export const Departs = labelled(
  'Departs',
  described(moment, 'When it leaves, by the clocks at the place of departure, with their UTC offset.'),
)
export const Arrives = labelled(
  'Arrives',
  described(moment, 'When it arrives, by the clocks at the place of arrival, with their UTC offset.'),
)
export const Fare = {
  class: labelled(
    'Fare',
    Type.String({ description: 'What the fare is called, in the words of the app, such as Standard, 2nd class.' }),
  ),
  exchangeable: labelled(
    'Exchangeable',
    Type.Boolean({ description: 'Whether the fare lets change_booking switch to another departure.' }),
  ),
  refundable: labelled(
    'Refundable',
    Type.Boolean({ description: 'Whether the fare itself allows cancelling for a refund; with flex any fare does.' }),
  ),
}

export const modes = codec({ train: 'RAIL', bus: 'COACH', flight: 'AIR', ferry: 'SEA' })
export const Mode = Type.Enum(modes.words, { type: 'string' })

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Converts an ISO day into `28 Feb 2027`. */
export function toDay(day: string): string
export function toDay(day: string | undefined): string | undefined
export function toDay(day: string | undefined): string | undefined {
  if (day === undefined) return undefined
  const [year, month, date] = day.split('-')
  return `${date} ${months[Number(month) - 1]} ${year}`
}

function fromDay(value: unknown): string {
  const [, date, name = '', year] = /^(\d\d) ([A-Z][a-z]{2}) (\d{4})$/.exec(text(value)) ?? []
  const month = months.indexOf(name) + 1
  if (month === 0) throw new UnknownShape('not a day as 28 Feb 2027')
  return `${year}-${String(month).padStart(2, '0')}-${date}`
}

/** Converts local time at a stop and its UTC offset into a timestamp with that offset. */
export function fromStopTime(value: unknown): string {
  const { day, clock, minutesFromUtc } = fields(value)
  const away = number(minutesFromUtc)
  const two = (part: number): string => String(Math.trunc(part)).padStart(2, '0')
  const offset = `${away < 0 ? '-' : '+'}${two(Math.abs(away) / 60)}:${two(Math.abs(away) % 60)}`
  return `${fromDay(day)}T${text(clock)}:00${offset}`
}

/** Converts minutes into `6h 30m`. */
export function duration(minutes: unknown): string {
  const all = number(minutes)
  return `${Math.trunc(all / 60)}h ${all % 60}m`
}

/** The booking's page, which its forms redirect to. */
export const pageOf = (booking: string): string => `trips/bookings/${encodeURIComponent(booking)}`
