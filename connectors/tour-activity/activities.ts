import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described } from '../kit/inputs.ts'
import { flag, rows, text, word } from '../kit/wire.ts'
import { spanOf, todayIn } from './spans.ts'
import { ActivityId, Day, Which, fromPanelDay, toPanel } from './shared.ts'

export const list_activities = endpoint({
  summary: "List the provider's activities with their destination and status.",
  aliases: ['my tours', 'which activities do we offer', 'excursions that we sell', 'our tours and their status'],
  label: 'List activities',
  brief: [],
  access: 'read',
  request: 'GET /panel/tours',
  input: {},
  output: {
    activities: Type.Array(
      closed({
        activity_id: Which.activity_id,
        name: labelled('Activity', Type.String({ description: "The activity's title, as travellers see it." })),
        destination: labelled(
          'Town',
          Type.String({ description: 'The town where it takes place, as the app names it.' }),
        ),
        status: labelled(
          'Status',
          Type.Enum(['live', 'paused', 'in_review'], {
            type: 'string',
            description: 'in_review: with the editors of the app, not yet in the calendar.',
          }),
        ),
      }),
      { description: 'All of them, those that are not on sale too.' },
    ),
  },
  decode: ({ rows: tours }) => ({
    activities: rows(tours).map(({ act, title, town, state }) => ({
      activity_id: act,
      name: title,
      destination: town,
      status: word({ LIVE: 'live', PAUSED: 'paused', CHECKING: 'in_review' }, state),
    })),
  }),
})

export const get_availability = endpoint({
  summary:
    'Show on which days an activity departs, whether they are on sale, and how many places each departure sells.',
  aliases: [
    'on which days does the tour run',
    'departures still on sale',
    'places left',
    'calendar of an activity',
    'are we sold out',
    'on which days do we run',
    'is it on sale in May',
    'how many seats are left',
  ],
  label: 'Show the calendar',
  brief: ['activity_id', 'from', 'to'],
  access: 'read',
  request: 'GET /panel/tours/{activity_id}/calendar',
  before: '/panel/tours',
  input: {
    activity_id: ActivityId,
    from: Type.Optional(labelled('First day', day("The first day, in the activity's time zone; today when left out."))),
    to: Type.Optional(
      labelled(
        'Last day',
        day(
          'The last day, included, at most 366 days in all. When left out: 30 days from today, or from a from that is later than that.',
        ),
      ),
    ),
  },
  output: {
    activity_id: Which.activity_id,
    days: Type.Array(
      closed({
        date: described(Day, "The day of departure, in the activity's time zone."),
        status: Type.Enum(['open', 'closed'], {
          type: 'string',
          description: 'closed: no departure of this day is on sale. open: at least one is.',
        }),
        slots: Type.Array(
          closed({
            time: Type.String({ description: "The start as HH:MM, on the clocks of the activity's place." }),
            quota: Type.Integer({
              description:
                'The most places sold in all, as set_quota sets it; of an open day, 0 for a departure that is closed.',
            }),
          }),
          { description: 'The departures of that day, by start time.' },
        ),
      }),
      { description: 'Days without a departure are left out.' },
    ),
  },
  encode: ({ activity_id, from, to }, { before, now }) => {
    const tour = rows(before['rows']).find(({ act }) => text(act) === activity_id)
    if (!tour) return {}
    const span = spanOf({ from, to }, todayIn(text(tour['tz']), now), 30)
    return { query: { fromDay: toPanel(span.from), toDay: toPanel(span.to) } }
  },
  decode: ({ act, days }) => ({
    activity_id: act,
    days: rows(days).map(({ day: date, sale, runs }) => ({
      date: fromPanelDay(date),
      status: word({ OPEN: 'open', SHUT: 'closed' }, sale),
      slots: rows(runs).map(({ hour, places, shut }) => ({
        time: hour,
        quota: flag(shut) && sale === 'OPEN' ? 0 : places,
      })),
    })),
  }),
})

export const list_reviews = endpoint({
  summary: 'List what travellers said about the activities, latest first; it cannot be answered here.',
  aliases: ['what did travellers say', 'ratings of the tour', 'feedback from guests', 'bad reviews'],
  label: 'List reviews',
  brief: ['activity_id', 'since'],
  access: 'read',
  request: 'GET /panel/reviews',
  input: {
    activity_id: Type.Optional(ActivityId),
    since: Type.Optional(labelled('Since', day('Only reviews of this day and later.'))),
  },
  output: {
    reviews: Type.Array(
      closed({
        activity_id: Which.activity_id,
        rating: Type.Integer({ minimum: 1, maximum: 10, description: '1 to 10, 10 is best.' }),
        text: Type.String({ description: 'Empty when only a rating was given.' }),
        date: described(Day, 'The day on which the app dates the review.'),
      }),
      { description: 'All that match, the latest first.' },
    ),
  },
  encode: ({ activity_id, since }) => ({ query: { act: activity_id, fromDay: toPanel(since) } }),
  decode: ({ rows: reviews }) => ({
    reviews: rows(reviews).map(({ act, mark, words, day: date }) => ({
      activity_id: act,
      rating: mark,
      text: words,
      date: fromPanelDay(date),
    })),
  }),
})
