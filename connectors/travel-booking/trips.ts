import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, defaulted, described, id, limit, refTo } from '../kit/inputs.ts'
import { fields, number, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { fareId, tripId, tripOf } from './ids.ts'
import { Price, sum } from './money.ts'
import { Arrives, Departs, Fare, Mode, Operator, duration, fromStopTime, modes, toDay } from './shared.ts'

const count = (label: string, who: string) =>
  Type.Optional(labelled(label, Type.Integer({ minimum: 0, maximum: 9, description: `How many ${who}.` })))
const Passengers = Type.Object(
  {
    adult: count('Adults', 'are 26 to 59 years old'),
    youth: count('Youths', 'are 12 to 25 years old'),
    child: count('Children', 'are up to 11 years old, never without somebody older'),
    senior: count('Seniors', 'are 60 years old or older'),
  },
  { additionalProperties: false, minProperties: 1, description: 'Who travels, 1 to 9 in all; one adult if left out.' },
)

const place = (label: string, description: string) =>
  labelled(
    label,
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `${description} A city, such as Istanbul, or one station of it.`,
    }),
  )

const Head = {
  trip_id: refTo('trip', 'Pass it to get_trip; it begins with O for the way there, B for the way back.'),
  mode: labelled('Mode', described(Mode, 'What it travels by: train, bus, flight or ferry.')),
  operator: Operator,
}
const Times = { departs: Departs, arrives: Arrives }

function head({ tripNo, vehicle, carrier }: Fields, searchToken: unknown) {
  return { trip_id: tripId(text(tripNo), text(searchToken)), mode: modes.decode(vehicle), operator: carrier }
}

function times({ leaves, reaches }: Fields) {
  return { departs: fromStopTime(leaves), arrives: fromStopTime(reaches) }
}

export const search_trips = endpoint({
  summary:
    'Search trains, buses, flights and ferries of a day, by departure, each with its lowest price for the party.',
  aliases: [
    'find a train',
    'cheapest bus',
    'flights from Rome to Milan',
    'ferry times',
    'connections on Friday',
    'how do I get there',
    'tickets to a city',
    'travel options',
    'I need to be in Lyon by noon',
    'how can I get to Berlin',
    'what goes there on Friday',
  ],
  label: 'Search trips',
  brief: ['from', 'to', 'date', 'passengers'],
  access: 'read',
  request: 'GET /trips/x/searches',
  input: {
    from: place('From', 'Where the journey begins.'),
    to: place('To', 'Where it ends.'),
    date: labelled('Date', day('The day of departure on the clocks there, today to 180 days from today.')),
    return_date: Type.Optional(
      labelled(
        'Return date',
        day(
          'The day of the way back, not before date. Its trips come after those of the way there, and their trip_id begins with B instead of O.',
        ),
      ),
    ),
    passengers: defaulted(labelled('Passengers', Passengers), { adult: 1 }),
    modes: Type.Optional(
      labelled(
        'Modes',
        Type.Array(Mode, {
          minItems: 1,
          maxItems: 4,
          uniqueItems: true,
          description: 'Only these modes; all of them if left out.',
        }),
      ),
    ),
    limit: described(
      limit(20, 50),
      'How many to return at most, 1 to 50. With a return_date both ways share it, half each.',
    ),
  },
  output: {
    trips: Type.Array(
      closed({
        ...Head,
        ...Times,
        duration: Type.String({ description: 'The time from departure to arrival, such as 4h 30m.' }),
        changes: Type.Integer({ minimum: 0, description: 'How often one changes on the way; 0 is direct.' }),
        price: described(
          Price,
          'The lowest price for the whole party, service fee included, as in get_trip; without flex.',
        ),
      }),
      { description: 'By departure, those of the way back last; empty when nothing is on sale.' },
    ),
  },
  encode: ({ from, to, date, return_date, passengers, modes: only, limit: take }) => ({
    query: {
      start: from,
      goal: to,
      day: toDay(date),
      backOn: toDay(return_date),
      grownUps: passengers.adult,
      youngsters: passengers.youth,
      kids: passengers.child,
      elders: passengers.senior,
      by: only?.map((mode) => modes.encode(mode)),
      take,
    },
  }),
  decode: ({ searchToken, there, back }, { input }) => ({
    trips: shared(hits(there), back === null ? [] : hits(back), input.limit).map((hit) => ({
      ...head(hit, searchToken),
      ...times(hit),
      duration: duration(hit['minutes']),
      changes: number(hit['swaps']),
      price: sum(hit['cheapest'], hit['serviceFee']),
    })),
  }),
})

function hits(way: unknown): readonly Fields[] {
  return rows(fields(way)['hits'])
}

/** Half of each direction; if one has fewer, the other gets its share. */
function shared(there: readonly Fields[], back: readonly Fields[], limit: number): readonly Fields[] {
  const first = there.slice(0, Math.max(Math.ceil(limit / 2), limit - back.length))
  return [...first, ...back.slice(0, limit - first.length)]
}

export const get_trip = endpoint({
  summary: 'Read one trip that a search found: its legs, and its fares with what they allow and cost for the party.',
  aliases: [
    'fare conditions',
    'what does the ticket allow',
    'legs and changes of a connection',
    'baggage rules',
    'is it refundable before I book',
    'may I give the ticket back',
    'what is allowed with the cheap fare',
    'do I have to change trains',
  ],
  label: 'Show a trip',
  brief: ['trip_id'],
  access: 'read',
  request: 'GET /trips/x/searches/{trip_id}/{trip_id}',
  segments: { trip_id: tripOf },
  input: { trip_id: labelled('Trip', id('trip', 'Which trip: trip_id from search_trips.')) },
  output: {
    ...Head,
    legs: Type.Array(
      closed({
        from: Type.String({ description: 'Where the leg begins: the city and the name of its stop.' }),
        to: Type.String({ description: 'Where the leg ends: the city and the name of its stop.' }),
        ...Times,
      }),
      { description: 'The parts of the journey, in the order of travel; one alone is direct.' },
    ),
    fares: Type.Array(
      closed({
        fare_id: refTo('fare', 'Pass it to book_trip, for the party of the search.'),
        class: Type.String({
          description:
            'What the fare is called, in the words of the app, such as Standard, 2nd class; “with flex” stands behind it where flex is part of the fare.',
        }),
        price: described(
          Price,
          'What book_trip charges for the whole party, service fee included: pass it there as total.',
        ),
        exchangeable: Fare.exchangeable,
        refundable: Fare.refundable,
        flex_available: Type.Boolean({
          description:
            'Whether there is flex for this class: then it is here twice, without flex and, at its own price, with flex.',
        }),
      }),
      { description: 'The fares to choose from, priced for the whole party; that with flex comes after that without.' },
    ),
  },
  decode: ({ trip }) => {
    const { searchToken, tripNo, hops, tariffs } = fields(trip)
    return {
      ...head(fields(trip), searchToken),
      legs: rows(hops).map((hop) => ({ from: hop['fromStop'], to: hop['toStop'], ...times(hop) })),
      fares: rows(tariffs).flatMap(({ tariffCode, label, fare, serviceFee, flexPrice, ...tariff }) => {
        const one = (flex: boolean) => ({
          fare_id: fareId(text(tripNo), text(searchToken), text(tariffCode), flex),
          class: flex ? `${text(label)}, with flex` : label,
          price: flex ? sum(fare, serviceFee, flexPrice) : sum(fare, serviceFee),
          exchangeable: tariff['swappable'],
          refundable: tariff['givesBack'],
          flex_available: tariff['flexOffered'],
        })
        return tariff['flexOffered'] === true ? [one(false), one(true)] : [one(false)]
      }),
    }
  },
})
