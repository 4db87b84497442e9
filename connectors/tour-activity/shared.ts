import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { day, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const ActivityId = labelled('Activity', id('activity', 'Which activity: activity_id from list_activities.'))
export const BookingId = labelled(
  'Booking',
  id('booking', 'Which booking: booking_id from list_bookings or list_messages.'),
)
export const Day = Type.String({ format: 'date' })
export const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' })
/** An amount with the decimals of the currency beside it: 42.50, 4250, 4.250. */
export const Decimal = money(
  { unit: 'major', currency: { field: 'currency' } },
  Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }),
)

/** References to the entity, wherever an answer names it. */
export const Which = {
  activity_id: refTo(
    'activity',
    'Which activity; pass it to get_availability, list_bookings or wherever an activity_id is asked for.',
  ),
  booking_id: refTo('booking', 'Which booking; pass it to get_booking, list_messages or send_message.'),
}

/** The days and departures that a write affects. */
export const Departures = {
  activity_id: ActivityId,
  from: labelled('First day', day("The first day, in the activity's time zone; today or later.")),
  to: labelled('Last day', day('The last day, included; at most 730 days ahead, and 366 days in all.')),
  times: Type.Optional(
    labelled(
      'Start times',
      // An empty list would be omitted from the request, which means all departures.
      Type.Array(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }), {
        minItems: 1,
        maxItems: 24,
        description: 'Only departures at these start times, such as 10:00, from get_availability. All when left out.',
      }),
    ),
  ),
}

/** Converts `2026-12-31` into `31-12-2026`, and `2026-12` into `12-2026`. */
export function toPanel(date: string): string
export function toPanel(date: string | undefined): string | undefined
export function toPanel(date: string | undefined): string | undefined {
  return date?.split('-').reverse().join('-')
}

export function fromPanelDay(value: unknown): string {
  return reversed(value, /^(\d\d)-(\d\d)-(\d{4})$/)
}

export function fromPanelMonth(value: unknown): string {
  return reversed(value, /^(\d\d)-(\d{4})$/)
}

function reversed(value: unknown, form: RegExp): string {
  const found = form.exec(text(value))
  if (!found) throw new UnknownShape('not a date as the panel writes it')
  return found.slice(1).toReversed().join('-')
}

/** Converts a message's local time and offset, to the minute, into UTC. */
export function fromMoment(said: Fields): string {
  const { day: date, hour, off } = said
  const moment = new Date(`${fromPanelDay(date)}T${text(hour)}:00${text(off)}`)
  if (Number.isNaN(moment.getTime())) throw new UnknownShape('not a moment')
  return moment.toISOString().replace('.000Z', 'Z')
}

export function amount(money: unknown): { readonly value: unknown; readonly currency: unknown } {
  const { value, cur } = fields(money)
  return { value, currency: cur }
}
