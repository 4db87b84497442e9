import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, defaulted, described, limit, moment, NullableDay, oneOf } from '../kit/inputs.ts'
import { UnknownShape, fields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { trip as thisTrip } from './previews.ts'
import { Day, Privacy, TripId, TripRef, audiences, formToken, fromDayNumber } from './shared.ts'
import { idOf, kilometres, privacy, toDayNumber } from './shared.ts'

const Created = {
  trip_id: TripRef,
  name: labelled('Trip', Type.String({ description: 'What the traveller calls the trip.' })),
  start_date: labelled(
    'First day',
    described(Day, 'The first day of the trip, a calendar day as entered; it can lie ahead.'),
  ),
  end_date: labelled(
    'Last day',
    described(NullableDay, 'The last day of the trip, a calendar day as entered; null while it has no end.'),
  ),
  privacy: Privacy,
  steps: labelled('Steps', Type.Integer({ description: 'How many steps the trip has.' })),
}
const Trip = {
  ...Created,
  distance_km: Type.Number({
    description: 'Kilometres from step to step in their order; steps without coordinates are left out.',
  }),
}

function created({ journey, heading, first_day, last_day, audience, entry_count }: Fields) {
  return {
    trip_id: idOf(journey),
    name: heading,
    start_date: fromDayNumber(first_day),
    end_date: last_day === null ? null : fromDayNumber(last_day),
    privacy: audiences.decode(audience),
    steps: entry_count,
  }
}

function trip(journey: Fields) {
  return { ...created(journey), distance_km: kilometres(journey['metres']) }
}

const phases = { all: 'any', planned: 'ahead', ongoing: 'underway', past: 'behind' }

export const list_trips = endpoint({
  summary: 'List your trips, newest first: those that start latest come first.',
  aliases: ['my trips', 'all journeys', 'where have I been', 'past and planned trips', 'where have I travelled'],
  label: 'List trips',
  brief: ['status'],
  access: 'read',
  request: 'GET /v3/journeys',
  input: {
    status: defaulted(
      labelled(
        'Status',
        oneOf(
          ['all', 'planned', 'ongoing', 'past'],
          'planned: not begun yet. ongoing: begun and not over, or without an end. past: over. Today is that of your home.',
        ),
      ),
      'all',
    ),
    limit: limit(50),
  },
  output: {
    trips: Type.Array(closed(Trip), { description: 'Your trips, up to limit; empty when none has that status.' }),
  },
  encode: ({ status, limit: count }) => ({ query: { phase: phases[status], count } }),
  decode: ({ journeys }) => ({ trips: rows(journeys).map(trip) }),
})

export const get_trip = endpoint({
  summary: 'Read one trip with its summary, travel buddies and the countries along the way.',
  aliases: ['details of a trip', 'travel buddies', 'summary of my journey', 'countries along the way'],
  label: 'Show a trip',
  brief: ['trip_id'],
  access: 'read',
  request: 'GET /v3/journeys/{trip_id}',
  input: { trip_id: TripId },
  output: {
    ...Trip,
    summary: Type.String({ description: 'What the trip is about; empty when nothing was written.' }),
    travel_buddies: Type.Array(Type.String(), {
      description: 'Names of the people who travel along; empty for none.',
    }),
    countries: Type.Array(Type.String(), {
      description: 'Names of the countries of its steps, in the order first reached; empty while none is known.',
    }),
  },
  decode: ({ journey }) => {
    const { blurb, companions, lands } = fields(journey)
    return {
      ...trip(fields(journey)),
      summary: blurb,
      travel_buddies: rows(companions).map(({ called }) => called),
      countries: rows(lands).map(({ label }) => label),
    }
  },
})

export const get_travel_stats = endpoint({
  summary: 'Show how far you have travelled in all: countries, kilometres, trips and steps.',
  aliases: [
    'how many countries have I visited',
    'kilometres travelled',
    'my travel statistics',
    'total trips',
    'how far have I been',
    'how many countries have I been to',
    'how far did I go',
  ],
  label: 'Sum up your travels',
  brief: [],
  access: 'read',
  request: 'GET /v3/tally',
  input: {},
  output: {
    countries: Type.Integer({ description: 'How many different countries the steps of all trips are in.' }),
    distance_km: Type.Number({ description: 'Kilometres of all trips added up, each from step to step.' }),
    trips: Type.Integer({ description: 'How many trips there are, planned and ongoing ones included.' }),
    steps: Type.Integer({ description: 'How many steps all trips have together.' }),
  },
  decode: ({ tally }) => {
    const { land_count, metres, journey_count, entry_count } = fields(tally)
    return { countries: land_count, distance_km: kilometres(metres), trips: journey_count, steps: entry_count }
  },
})

const formats = codec({ json: 'json', gpx: 'gpx', markdown: 'md' })

export const export_trip = endpoint({
  summary: 'Get a link to download a trip as a file; it opens for anybody and is good for one hour.',
  aliases: [
    'download my trip',
    'backup of a trip',
    'trip as a file',
    'share a download link',
    'gpx',
    'I want to keep a copy',
  ],
  label: 'Export a trip',
  brief: ['trip_id', 'format', 'include_media'],
  access: 'read',
  request: 'GET /v3/journeys/{trip_id}/archive',
  input: {
    trip_id: TripId,
    format: defaulted(
      labelled('Format', oneOf(formats.words, 'json holds everything, gpx the route, markdown the stories.')),
      'json',
    ),
    include_media: defaulted(
      labelled(
        'With photos, videos',
        Type.Boolean({ description: 'true: the link is to a zip of the file and all full-size photos and videos.' }),
      ),
      false,
    ),
  },
  output: {
    trip_id: TripRef,
    format: Type.Enum(formats.words, {
      type: 'string',
      description: 'What the file is written in; with include_media it lies in a zip.',
    }),
    download_url: Type.String({
      description: 'Downloads the trip as it is at that moment; opens without signing in until expires_at.',
    }),
    expires_at: described(moment, 'When the link stops working, in UTC: one hour after this call.'),
    steps: Created.steps,
  },
  encode: ({ format, include_media }) => ({
    query: { as: formats.encode(format), originals: include_media ? 'yes' : 'no' },
  }),
  decode: ({ archive }) => {
    const { journey, as, href, good_until, entry_count } = fields(archive)
    return {
      trip_id: idOf(journey),
      format: formats.decode(as),
      download_url: text(href),
      expires_at: fromEpoch(good_until),
      steps: entry_count,
    }
  },
})

export const create_trip = endpoint({
  summary: 'Start a trip without steps; its privacy says who will see them.',
  aliases: [
    'start a new trip',
    'begin a travel diary',
    'new journey',
    'log a vacation',
    'we leave for Peru on Monday',
    'I am going away, start a diary',
  ],
  label: 'Start a trip',
  brief: ['name', 'start_date', 'end_date', 'privacy'],
  approval: {
    headline: 'Start the trip {name}[, visible to {privacy}], from {start_date}[ to {end_date}]',
    button: 'Start trip',
    consequences: [
      { kind: 'other', text: 'Only you see it; nobody is told', when: { privacy: ['only_me'] } },
      { kind: 'public', text: 'Your followers can see it and its steps', when: { privacy: ['followers'] } },
      { kind: 'public', text: 'Anybody can see it and its steps', when: { privacy: ['everyone'] } },
      {
        kind: 'people',
        text: 'Followers get an e-mail when steps are added',
        when: { privacy: ['followers', 'everyone'] },
      },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_trips' }],
  preview: [],
  verify: {
    read: 'list_trips',
    set: { limit: 100 },
    at: 'trips',
    id: 'trip_id',
    same: { name: 'name', start_date: 'start_date', end_date: 'end_date' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /v3/journeys',
  input: {
    name: labelled('Name', Type.String({ minLength: 1, maxLength: 200, description: 'What the trip is called.' })),
    start_date: labelled('First day', day('The first day, past or to come.')),
    end_date: Type.Optional(
      labelled(
        'Last day',
        Type.Union(
          [
            day('The last day, not before start_date.'),
            Type.String({ maxLength: 0, description: 'Empty: the trip goes on.' }),
          ],
          { description: 'The last day, not before start_date. Leave it out, or empty, while the trip goes on.' },
        ),
      ),
    ),
    summary: Type.Optional(
      labelled('Summary', Type.String({ maxLength: 10_000, description: 'What the trip is about.' })),
    ),
    privacy: defaulted(privacy('Who sees the trip and its steps.'), 'only_me'),
  },
  output: Created,
  encode: (input) => ({
    json: {
      heading: input.name,
      first_day: toDayNumber(input.start_date),
      last_day: input.end_date ? toDayNumber(input.end_date) : undefined,
      blurb: input.summary,
      audience: audiences.encode(input.privacy),
    },
  }),
  decode: ({ journey }) => created(fields(journey)),
})

export const set_trip_privacy = endpoint({
  summary: 'Choose who sees a trip and all of its steps. Nobody is notified.',
  aliases: [
    'make a trip private',
    'who can see my trip',
    'share the trip with friends only',
    'hide a journey',
    'make public',
    'nobody but my friends should see it',
  ],
  label: 'Change who sees a trip',
  brief: ['trip_id', 'privacy'],
  approval: {
    headline: 'Change who sees {trip_id}[ from {trip_id.privacy}] to {privacy}',
    button: 'Show to {privacy}',
    consequences: [
      {
        kind: 'other',
        text: 'Nobody but you can see it[ and its {trip_id.steps|step|steps}]',
        when: { privacy: ['only_me'] },
      },
      {
        kind: 'public',
        text: 'Your followers can see it[ and its {trip_id.steps|step|steps}]',
        when: { privacy: ['followers'] },
      },
      {
        kind: 'public',
        text: 'Anybody can see it[ and its {trip_id.steps|step|steps}]',
        when: { privacy: ['everyone'] },
      },
      { kind: 'other', text: 'Nobody is notified' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_trip', from: { trip_id: 'trip_id' } }],
  preview: [{ ...thisTrip, matters: ['name', 'privacy', 'steps'] }],
  verify: { read: 'get_trip', from: { trip_id: 'trip_id' }, same: { trip_id: 'trip_id', privacy: 'privacy' } },
  access: 'write',
  confirm: true,
  request: 'POST /journeys/{trip_id}/audience',
  input: { trip_id: TripId, privacy: privacy('Who sees the trip and its steps from now on.') },
  output: { trip_id: TripRef, privacy: Privacy },
  encode: ({ privacy: chosen }) => ({ form: { audience: audiences.encode(chosen) } }),
  csrf: formToken,
  answer: 'redirect',
  decode: (_answer, { location }) => {
    const [, journey, audience] = /^journeys\/(\d+)\?audience=(\w+)$/.exec(location) ?? []
    if (journey === undefined) throw new UnknownShape('led elsewhere')
    return { trip_id: journey, privacy: audiences.decode(audience) }
  },
})
