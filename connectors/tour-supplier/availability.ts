import { Type } from 'typebox'
import { fromCompact, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described } from '../kit/inputs.ts'
import { rows, word } from '../kit/wire.ts'
import { dayOfOption } from './previews.ts'
import { Day, OptionId, Time, Which, fromStart, time } from './shared.ts'

const DayThere = described(Day, "The day of departure, in the product's time zone.")
const Vacancies = Type.Integer({ description: 'Places that can still be sold; 0 when sold out or closed.' })

export const get_availability = endpoint({
  summary: 'Show how many places each departure of an option has left and how many are booked, day by day.',
  aliases: [
    'places left on a departure',
    'is the tour full',
    'how many are booked',
    'free seats',
    'remaining capacity',
    'is there room for four more',
    'is the walk full',
  ],
  label: 'Show places left',
  brief: ['option_id', 'from', 'to'],
  access: 'read',
  request: 'GET /extranet/rest/variants/{option_id}/seats',
  input: {
    option_id: OptionId,
    from: labelled('First day', day("The first day, in the product's time zone.")),
    to: labelled('Last day', day('The last day, included; 366 days at most.')),
  },
  output: {
    option_id: Which.option_id,
    days: labelled(
      'Places now',
      Type.Array(
        closed({
          date: DayThere,
          slots: Type.Array(
            closed({
              time: Time,
              vacancies: Vacancies,
              booked: Type.Integer({ description: 'Places taken by confirmed bookings, adults and children.' }),
            }),
            {
              description: 'By time; empty on a day without departures.',
            },
          ),
        }),
        { description: 'Every day from the first to the last one asked for.' },
      ),
    ),
  },
  encode: ({ from, to }) => ({ query: { first: toCompact(from), last: toCompact(to) } }),
  decode: ({ variantId, calendar }) => ({
    option_id: variantId,
    days: rows(calendar).map(({ day: date, departures }) => ({
      date: fromCompact(date),
      slots: rows(departures).map(({ start, free, taken }) => ({
        time: fromStart(start),
        vacancies: free,
        booked: taken,
      })),
    })),
  }),
})

/** Not `Type.Record`: with `additionalProperties: false` it throws when defaults are filled in. */
const Slots = Type.Unsafe<Readonly<Record<string, number>>>({
  type: 'object',
  patternProperties: {
    [time]: Type.Integer({ minimum: 0, maximum: 999, description: 'Places that can still be sold.' }),
  },
  additionalProperties: false,
  minProperties: 1,
  description:
    'By start time (HH:MM, as in get_availability), how many places can still be sold, 0 to 999, besides those booked; 0 closes the slot. Slots that are left out stay as they are.',
})

export const update_availability = endpoint({
  summary: 'Set how many places departures of one day have left, or close them; bookings stay and nobody is told.',
  aliases: [
    'close a departure',
    'set the places left',
    'add seats',
    'stop selling a departure',
    'mark as sold out',
    'more capacity',
    'block a date',
    'nobody can book that day',
    'we have room for more',
    'stop taking people',
  ],
  label: 'Set places left',
  brief: ['option_id', 'date', 'slots'],
  approval: {
    headline: 'Set the places left for {option_id} on {date}[, by start time {slots}]',
    button: 'Set places left',
    consequences: [
      { kind: 'public', text: 'Travelers can book that many places; 0 closes a departure' },
      { kind: 'other', text: 'Bookings that there are stay, and nobody is told' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_availability', from: { option_id: 'option_id', from: 'date', to: 'date' } }],
  preview: dayOfOption,
  access: 'write',
  request: 'PUT /extranet/rest/variants/{option_id}/seats/{date}',
  input: {
    option_id: OptionId,
    date: labelled('Date', day("The day, in the product's time zone, today to 730 days ahead.")),
    slots: labelled('Places left', Slots),
  },
  output: {
    option_id: Which.option_id,
    date: DayThere,
    slots: Type.Array(
      closed({
        time: Time,
        vacancies: Vacancies,
        status: Type.Enum(['open', 'closed'], {
          type: 'string',
          description: 'closed: set to 0 places. open: on sale, or sold out when vacancies is 0.',
        }),
      }),
      { description: 'All slots of the day, by time.' },
    ),
    bookings_on_date: Type.Integer({ description: 'Confirmed bookings of the option on that day.' }),
  },
  segments: { date: toCompact },
  encode: ({ slots }) => ({
    json: { departures: Object.entries(slots).map(([time, free]) => ({ start: time.replace(':', ''), free })) },
  }),
  decode: ({ variantId, day: date, departures, orders }) => ({
    option_id: variantId,
    date: fromCompact(date),
    slots: rows(departures).map(({ start, free, gate }) => ({
      time: fromStart(start),
      vacancies: free,
      status: word({ OPEN: 'open', SHUT: 'closed' }, gate),
    })),
    bookings_on_date: orders,
  }),
})
