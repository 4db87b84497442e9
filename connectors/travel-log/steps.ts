import { Type } from 'typebox'
import { toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, moment, NullableText } from '../kit/inputs.ts'
import { same } from '../kit/same-thing.ts'
import { fields, number, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { step as thisStep, trip } from './previews.ts'
import { StepId, StepRef, TripId, TripRef, fromClock, idOf, toClock, toSpot } from './shared.ts'

const Common = {
  step_id: StepRef,
  title: labelled(
    'Title',
    Type.String({ description: 'The headline of the step; at first its place when none was given.' }),
  ),
  place: labelled(
    'Place',
    Type.String({ description: 'Where it was: the name of a place, or coordinates that have no name.' }),
  ),
  date: labelled('Date', described(moment, 'When it was, by the clocks there, with their UTC offset.')),
}
const Row = {
  step_id: Common.step_id,
  title: Common.title,
  place: Common.place,
  country: described(NullableText, 'Null where the app does not know the place.'),
  date: Common.date,
  photos: Type.Integer({ description: 'How many photos it has; videos are not counted.' }),
  comments: Type.Integer({ description: 'How many comments others left; replies are not counted.' }),
  story: Type.String({
    description: 'The story up to 140 characters, a longer one cut with … at its end; empty for none.',
  }),
}
const Step = {
  step_id: Common.step_id,
  trip_id: TripRef,
  title: Common.title,
  story: labelled('Story', Type.String({ description: 'The whole story; empty when nothing was written.' })),
  place: Common.place,
  coordinates: Type.Union(
    [
      closed({
        lat: Type.Number({ description: 'Latitude in degrees, below zero in the south.' }),
        lon: Type.Number({ description: 'Longitude in degrees, below zero in the west.' }),
      }),
      Type.Null(),
    ],
    { description: 'Null where the app does not know the place.' },
  ),
  date: Common.date,
  media: Type.Array(Type.String(), {
    description: 'Addresses of its photos and videos in their order; empty for none.',
  }),
}

function row(entry: Fields) {
  const { label, land } = fields(entry['spot'])
  return {
    step_id: idOf(entry['entry']),
    title: entry['heading'],
    place: label,
    country: land === null ? null : fields(land)['label'],
    date: fromClock(entry['at'], entry['zone']),
    photos: entry['stills'],
    comments: entry['remark_count'],
    story: entry['teaser'],
  }
}

/** Checks that each row belongs to the trip. */
function rowsOf(trip_id: string, entries: unknown) {
  const found = rows(entries)
  for (const { journey } of found) same(trip_id, idOf(journey))
  return found.map(row)
}

function step(entry: Fields) {
  const { label, geo } = fields(entry['spot'])
  return {
    step_id: idOf(entry['entry']),
    trip_id: idOf(entry['journey']),
    title: entry['heading'],
    story: entry['narrative'],
    place: label,
    coordinates: geo === null ? null : coordinates(fields(geo)),
    date: fromClock(entry['at'], entry['zone']),
    media: rows(entry['gallery']).map(({ href }) => href),
  }
}

function coordinates({ lat6, lng6 }: Fields) {
  return { lat: number(lat6) / 1e6, lon: number(lng6) / 1e6 }
}

const Place = labelled(
  'Place',
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Where it was: the name of a place, or its coordinates as lat,lon such as 64.1466,-21.9426.',
  }),
)
const Moment = labelled(
  'Date',
  Type.String({
    format: 'date-time',
    description:
      'When it was there: ISO 8601 with the offset of the clocks there, or Z. Fractions of a second are cut off.',
  }),
)
const Title = labelled(
  'Title',
  Type.String({ minLength: 1, maxLength: 200, description: 'The headline; the place when left out.' }),
)
const Story = labelled(
  'Story',
  Type.String({ maxLength: 20_000, description: 'What happened, in full; empty for none.' }),
)
const urls = (least: number) =>
  labelled(
    'Photos and videos',
    Type.Array(
      Type.String({
        maxLength: 2000,
        description: 'The http or https address of a photo or video that anybody can open.',
      }),
      { minItems: least, maxItems: 50, description: `${least} to 50 addresses of photos or videos, in their order.` },
    ),
  )

const NewStep = {
  place: Place,
  date: Moment,
  title: Type.Optional(Title),
  story: Type.Optional(Story),
  photo_urls: Type.Optional(urls(0)),
}

interface Draft {
  readonly place?: string
  readonly date?: string
  readonly title?: string
  readonly story?: string
  readonly photo_urls?: readonly string[]
}

function draft({ place, date, title, story, photo_urls }: Draft) {
  return {
    spot: place === undefined ? undefined : toSpot(place),
    ...(date === undefined ? {} : toClock(date)),
    heading: title,
    narrative: story,
    gallery: photo_urls,
  }
}

export const list_steps = endpoint({
  summary: "List a trip's steps in the order of the trip, with a short preview of each story.",
  aliases: [
    'stops of a trip',
    'places along the way',
    'route',
    'which places did I visit',
    'diary entries',
    'where did we go',
    'what came after that place',
  ],
  label: 'List steps',
  brief: ['trip_id', 'since'],
  access: 'read',
  request: 'GET /v3/journeys/{trip_id}/entries',
  input: {
    trip_id: TripId,
    since: Type.Optional(
      labelled('Since', day('Only steps of this day and later, by the clocks where each was; all when left out.')),
    ),
  },
  output: {
    steps: Type.Array(closed(Row), {
      description: 'All steps, or those of since and later; empty when there are none.',
    }),
  },
  encode: ({ since }) => ({ query: { from_day: toCompact(since) } }),
  decode: ({ entries }, { input }) => ({ steps: rowsOf(input.trip_id, entries) }),
})

export const get_step = endpoint({
  summary: 'Read one step with its full story, coordinates, photos and videos.',
  aliases: [
    'read a travel story',
    'what did I write about a place',
    'photos of a stop',
    'story of a day',
    'read me what I wrote about that day',
  ],
  label: 'Show a step',
  brief: ['step_id'],
  access: 'read',
  request: 'GET /v3/entries/{step_id}',
  input: { step_id: StepId },
  output: Step,
  decode: ({ entry }) => step(fields(entry)),
})

export const add_step = endpoint({
  summary: 'Add a step to a trip; everyone who can see the trip sees it, and followers are emailed.',
  aliases: [
    'add a stop',
    'new diary entry',
    'log a place',
    'check in at a place',
    'write about today',
    'new story',
    'we reached the city, put it in my diary',
    'write a few lines about today',
    'we are in a new place',
  ],
  label: 'Add a step',
  brief: ['trip_id', 'title', 'place', 'date'],
  approval: {
    headline: 'Add a step to {trip_id}: {place}, {date}[, {title}][ with {photo_urls|photo or video|photos or videos}]',
    button: 'Add step',
    consequences: [
      { kind: 'people', text: 'Followers who can see the trip get an e-mail' },
      { kind: 'public', text: 'Whoever can see the trip sees it[: {trip_id.privacy}]' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_steps', from: { trip_id: 'trip_id' } }],
  preview: [trip],
  verify: {
    read: 'list_steps',
    from: { trip_id: 'trip_id' },
    at: 'steps',
    id: 'step_id',
    same: { date: 'date', title: 'title', story: 'story' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /v3/journeys/{trip_id}/entries',
  input: { trip_id: TripId, ...NewStep },
  output: Step,
  encode: (input) => ({ json: draft(input) }),
  decode: ({ entry }) => step(fields(entry)),
})

export const import_steps = endpoint({
  summary: 'Add many steps to a trip at once, all or none; followers who can see the trip get one email.',
  aliases: ['add many stops at once', 'bulk import places', 'import my route', 'load several steps'],
  label: 'Import steps',
  brief: ['trip_id', 'steps'],
  approval: {
    headline: 'Add {steps|step|steps} to {trip_id}[: {steps.place}]',
    button: 'Add {steps|step|steps}',
    consequences: [
      { kind: 'people', text: 'Followers who can see the trip get one e-mail' },
      { kind: 'public', text: 'Whoever can see the trip sees them[: {trip_id.privacy}]' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_steps', from: { trip_id: 'trip_id' } }],
  preview: [trip],
  access: 'write',
  confirm: true,
  request: 'POST /v3/journeys/{trip_id}/entries/batch',
  input: {
    trip_id: TripId,
    steps: labelled(
      'Steps',
      Type.Array(described(closed(NewStep), 'One step, as for add_step.'), {
        minItems: 1,
        maxItems: 100,
        description: '1 to 100 steps in any order: they are sorted by date.',
      }),
    ),
  },
  output: {
    trip_id: TripRef,
    steps: Type.Array(closed(Row), { description: 'The new steps only, sorted by date.' }),
  },
  encode: ({ steps }) => ({ json: { entries: steps.map(draft) } }),
  decode: ({ entries }, { input }) => ({ trip_id: input.trip_id, steps: rowsOf(input.trip_id, entries) }),
})

export const update_step = endpoint({
  summary: 'Change the title, story, place or date of a step; what is left out stays. Nobody is notified.',
  aliases: [
    'edit a stop',
    'change the story of a place',
    'fix the date of a step',
    'rename a stop',
    'correct the location',
    'I got the date wrong',
    'add a line to my entry',
  ],
  label: 'Change a step',
  brief: ['step_id', 'title', 'place', 'date'],
  approval: {
    headline:
      'Change the step[ {step_id}][, title to {title}][, place to {place}][, date to {date}][, story to {story}]',
    button: 'Change step',
    consequences: [
      { kind: 'public', text: 'Whoever can see the trip sees the change at once' },
      { kind: 'other', text: '[Its date was {step_id.date} and becomes {date}]' },
      { kind: 'other', text: '[{story|new text becomes|new texts become} its story]' },
      { kind: 'other', text: 'Its story is taken away', when: { story: [''] } },
      { kind: 'other', text: 'Nobody is notified' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_step', from: { step_id: 'step_id' } }],
  preview: [thisStep],
  verify: {
    read: 'get_step',
    from: { step_id: 'step_id' },
    same: { step_id: 'step_id', title: 'title', story: 'story', place: 'place', date: 'date' },
  },
  access: 'write',
  confirm: true,
  request: 'PATCH /v3/entries/{step_id}',
  input: {
    step_id: StepId,
    title: Type.Optional(described(Title, 'The new headline.')),
    story: Type.Optional(described(Story, 'The new story, in full; empty for none.')),
    place: Type.Optional(Place),
    date: Type.Optional(Moment),
  },
  atLeastOne: ['title', 'story', 'place', 'date'],
  output: Step,
  encode: (input) => ({ json: draft(input) }),
  decode: ({ entry }) => step(fields(entry)),
})

export const add_step_photos = endpoint({
  summary: 'Add photos or videos to a step, after those that it has. Nobody is notified.',
  aliases: [
    'add pictures to a stop',
    'upload travel photos',
    'attach videos to a step',
    'put photos to a place',
    'here are pictures of the hike',
  ],
  label: 'Add photos',
  brief: ['step_id', 'photo_urls'],
  approval: {
    headline: 'Add {photo_urls|photo or video|photos or videos} to the step[ {step_id}][ of {step_id.date}]',
    button: 'Add photos',
    consequences: [
      { kind: 'public', text: 'Whoever can see the trip sees them at once' },
      { kind: 'other', text: 'Nobody is notified' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_step', from: { step_id: 'step_id' } }],
  preview: [{ ...thisStep, shows: ['title', 'place', 'date'], matters: ['title', 'place', 'date'] }],
  access: 'write',
  confirm: true,
  request: 'POST /v3/entries/{step_id}/gallery',
  input: { step_id: StepId, photo_urls: urls(1) },
  output: Step,
  encode: ({ photo_urls }) => ({ json: { gallery: photo_urls } }),
  decode: ({ entry }) => step(fields(entry)),
})
