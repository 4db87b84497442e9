import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described, oneOf, refTo } from '../kit/inputs.ts'
import { fields, rows } from '../kit/wire.ts'
import { EventId } from './shared.ts'

const Day = Type.String({ format: 'date' })
const phase = codec({ upcoming: 'AHEAD', past: 'OVER' })

export const list_events = endpoint({
  summary: 'List your events, the one that begins last first; one that still runs is upcoming.',
  aliases: [
    'upcoming events',
    'my conferences',
    'which events do I organize',
    'past events',
    'what is coming up',
    'which conferences are ahead',
    'what have I planned',
  ],
  label: 'List events',
  brief: ['status'],
  access: 'read',
  request: 'GET /organizer/v1/gatherings',
  input: {
    status: defaulted(
      labelled(
        'Status',
        oneOf(['upcoming', 'past', 'all'], 'past: only events whose last day is over where they take place.'),
      ),
      'upcoming',
    ),
  },
  output: {
    events: Type.Array(
      closed({
        event_id: refTo('event', 'Pass it as event_id to the endpoints about one event.'),
        name: Type.String({ description: 'What the event is called, as attendees read it.' }),
        start: labelled('Starts on', described(Day, "The event's first day, in its own time zone.")),
        end: labelled(
          'Ends on',
          described(Day, "The event's last day, in its own time zone; the same as start for a one-day event."),
        ),
        status: labelled(
          'Status',
          oneOf(
            phase.words,
            'Past once the last day is over where the event is; upcoming until then, also while it runs.',
          ),
        ),
      }),
      { description: 'All events that were asked for, the one that begins last first.' },
    ),
  },
  encode: ({ status }) => ({ query: { phase: status === 'all' ? null : phase.encode(status) } }),
  decode: ({ gatherings }) => ({
    events: rows(gatherings).map(({ gathering_no, called, days, phase: now }) => ({
      event_id: gathering_no,
      name: called,
      start: fromCompact(fields(days)['first']),
      end: fromCompact(fields(days)['last']),
      status: phase.decode(now),
    })),
  }),
})

export const get_post_event_report = endpoint({
  summary: 'Read the report on a past event; it is there once the organizer has requested it in the app.',
  aliases: [
    'how did the event go',
    'results of the past event',
    'summary after the conference',
    'attendance report',
    'event report',
    'was the summit a success',
    'how did people like the event',
  ],
  label: 'Read a post-event report',
  brief: ['event_id', 'section'],
  access: 'read',
  request: 'GET /organizer/v1/gatherings/{event_id}/wrap-up',
  input: {
    event_id: EventId,
    section: Type.Optional(
      labelled(
        'Section',
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'Only the section with this title, in any case; all when left out. A title that the report does not have is refused with those that it has.',
        }),
      ),
    ),
  },
  output: {
    event_id: refTo('event', 'The event that the report is about.'),
    sections: Type.Array(
      closed({
        title: Type.String({ description: "The section's heading; pass it as section to read only this one." }),
        text: Type.String({
          description: 'Plain text with line breaks, with the figures of when the organizer requested the report.',
        }),
      }),
      { description: 'The section that was asked for, or all in the order of the report.' },
    ),
  },
  encode: ({ section }) => ({ query: { chapter: section } }),
  decode: ({ wrap_up }) => {
    const { gathering_no, chapters } = fields(wrap_up)
    return {
      event_id: gathering_no,
      sections: rows(chapters).map(({ heading, words }) => ({ title: heading, text: words })),
    }
  },
})
