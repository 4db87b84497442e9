import { Type } from 'typebox'
import { toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, day, described, id, moment, refTo } from '../kit/inputs.ts'
import { same } from '../kit/same-thing.ts'
import { fields, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { event } from './previews.ts'
import { EventId, fromMoment, known, toMoment } from './shared.ts'

const Session = {
  session_id: refTo('session', 'Pass it to update_session, and to list_speakers for its speakers.'),
  title: Type.String({ description: 'What the session is called in the agenda.' }),
  start: labelled('Starts at', described(moment, "When it begins, with the offset of the event's time zone.")),
  end: described(moment, "When it ends, with the offset of the event's time zone."),
  tracks: labelled(
    'Tracks',
    Type.Array(Type.String(), {
      description: "The names of the event's tracks that it is in; empty when in none.",
    }),
  ),
  speakers: labelled(
    'Speakers',
    Type.Array(Type.String(), {
      description: 'The full names of those who speak; empty when nobody does.',
    }),
  ),
}

function session({ slot_no, heading, opens, closes, streams, voices }: Fields) {
  return {
    session_id: slot_no,
    title: heading,
    start: fromMoment(opens),
    end: fromMoment(closes),
    tracks: streams,
    speakers: rows(voices).map(({ called }) => called),
  }
}

export const list_sessions = endpoint({
  summary: "Show an event's agenda: its sessions, earliest first, with their tracks and speakers.",
  aliases: [
    'program of the conference',
    'agenda',
    'what talks are there',
    'schedule of the event',
    'which session is at ten',
    "what happens at ten o'clock",
    'what is on in the afternoon',
    'when is the keynote',
  ],
  label: 'List sessions',
  brief: ['event_id', 'date', 'track'],
  access: 'read',
  request: 'GET /organizer/v1/gatherings/{event_id}/slots',
  input: {
    event_id: EventId,
    date: Type.Optional(labelled('Day', day("Only sessions that start on this day, in the event's time zone."))),
    track: Type.Optional(
      labelled(
        'Track',
        Type.String({
          minLength: 1,
          maxLength: 120,
          description:
            'Only sessions in this track, in any case, as tracks of sessions show them; another is refused with those that there are.',
        }),
      ),
    ),
  },
  output: {
    sessions: Type.Array(closed(Session), {
      description: 'All sessions that were asked for, in the order of the agenda.',
    }),
  },
  encode: ({ date, track }) => ({ query: { day: toCompact(date), stream: track } }),
  decode: ({ slots }, { input }) => {
    const found = rows(slots)
    for (const { gathering_no } of found) same(input.event_id, gathering_no)
    return { sessions: found.map(session) }
  },
})

const time = (label: string, description: string) =>
  labelled(
    label,
    Type.String({
      format: 'date-time',
      description: `${description} To the second, ISO 8601 with an offset or Z, within the days of the event.`,
    }),
  )

function names(maxItems: number, item: string, description: string) {
  return Type.Array(Type.String({ minLength: 1, maxLength: 120, description: item }), {
    maxItems,
    uniqueItems: true,
    description,
  })
}

const tracks = (description: string) =>
  Type.Optional(labelled('Tracks', names(10, 'A track, new or as tracks of list_sessions show it.', description)))
const speakers = (description: string) =>
  Type.Optional(
    labelled('Speakers', names(20, 'A full name: name from list_speakers, or that of a new speaker.', description)),
  )
const about = (description: string) =>
  Type.Optional(labelled('Description', Type.String({ maxLength: 5000, description })))

const Written = {
  ...Session,
  description: Type.String({ description: 'What attendees read about the session; empty when there is nothing.' }),
}

function written({ slot }: Fields) {
  return { ...session(fields(slot)), description: fields(slot)['blurb'] }
}

export const add_session = endpoint({
  summary:
    'Add a session; it shows in the agenda at once, and named speakers appear as speakers. Nobody is written to.',
  aliases: [
    'add a talk to the agenda',
    'new workshop in the program',
    'put a keynote in the schedule',
    'new slot in the agenda',
    'there is one more talk after lunch',
    'put a panel into the program',
  ],
  label: 'Add a session',
  brief: ['title', 'start', 'speakers', 'event_id'],
  approval: {
    headline: 'Add {title}[ with {speakers}] to the agenda of {event_id} on {start}',
    button: 'Add session',
    consequences: [
      { kind: 'public', text: 'The agenda shows it at once[, with {speakers} speaking]' },
      { kind: 'other', text: 'Ends on {end}' },
      { kind: 'other', text: 'Nobody is written to' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_sessions', from: { event_id: 'event_id' } }],
  preview: [event],
  verify: {
    read: 'list_sessions',
    from: { event_id: 'event_id' },
    at: 'sessions',
    id: 'session_id',
    same: { title: 'title', start: 'start', end: 'end' },
  },
  access: 'write',
  request: 'POST /organizer/v1/gatherings/{event_id}/slots',
  input: {
    event_id: EventId,
    title: labelled('Title', Type.String({ minLength: 1, maxLength: 200, description: 'Its title in the agenda.' })),
    start: time('Starts at', 'When it begins.'),
    end: time('Ends at', 'When it ends, after start.'),
    tracks: tracks('The tracks that it is in, up to 10; none when left out.'),
    speakers: speakers('Who speaks, up to 20; names that the event does not know become speakers without an address.'),
    description: about('What attendees read about it.'),
  },
  output: Written,
  encode: ({ title, start, end, tracks: streams, speakers: voices, description }) => ({
    json: { heading: title, opens: toMoment(start), closes: toMoment(end), streams, voices, blurb: description },
  }),
  decode: (answer, { input }) => {
    same(input.event_id, fields(answer['slot'])['gathering_no'])
    return written(answer)
  },
})

export const update_session = endpoint({
  summary: 'Change the time, tracks, speakers or description of a session in the agenda. Nobody is written to.',
  aliases: [
    'move a talk to another time',
    'change the speaker of a session',
    'edit the description of a talk',
    'reschedule a session',
    'the talk starts later',
    'swap the speaker',
    'the panel moves to another hour',
  ],
  label: 'Change a session',
  brief: ['session_id', 'start', 'end', 'speakers'],
  approval: {
    headline:
      'Change {session_id}[ to start on {start}][, with {speakers} speaking][, in {tracks}][, to end on {end}][, with {description|new description|new descriptions}]',
    button: 'Change session',
    consequences: [
      { kind: 'people', text: '[From now on only {speakers|person speaks|people speak} in it]' },
      { kind: 'public', text: 'The agenda shows the change' },
      { kind: 'other', text: '[Starts on {start}]' },
      { kind: 'other', text: '[Ends on {end}]' },
      { kind: 'other', text: 'Its description is removed', when: { description: [''] } },
      { kind: 'other', text: 'Nobody is written to' },
    ],
  },
  effect: 'changes',
  // No read shows a session by its id alone: the agenda needs the event, which is not an input.
  shownBy: [],
  preview: [],
  access: 'write',
  request: 'PATCH /organizer/v1/slots/{session_id}',
  input: {
    session_id: labelled('Session', id('session', 'Which session: session_id from list_sessions or add_session.')),
    start: Type.Optional(time('Starts at', 'When it begins from now on; as it was when left out.')),
    end: Type.Optional(time('Ends at', 'When it ends from now on; as it was when left out.')),
    tracks: tracks('All tracks that it is in from now on, up to 10; [] for none, as it was when left out.'),
    speakers: speakers(
      'All who speak from now on, up to 20; [] for nobody, as it was when left out. Who is dropped stays a speaker of the event.',
    ),
    description: about('What attendees read about it; "" for nothing, as it was when left out.'),
  },
  atLeastOne: ['start', 'end', 'tracks', 'speakers', 'description'],
  output: Written,
  encode: ({ start, end, tracks: streams, speakers: voices, description }) => ({
    json: { opens: toMoment(start), closes: toMoment(end), streams, voices, blurb: description },
  }),
  decode: written,
})

export const list_speakers = endpoint({
  summary: "List an event's speakers in the order in which they were added, with the titles of their sessions.",
  aliases: [
    'who speaks at the event',
    'speaker list',
    'who gives a talk',
    'presenters',
    'who is on stage',
    'who gives the keynote',
  ],
  label: 'List speakers',
  brief: ['event_id', 'session_id'],
  access: 'read',
  request: 'GET /organizer/v1/gatherings/{event_id}/voices',
  input: {
    event_id: EventId,
    session_id: Type.Optional(
      labelled(
        'Session',
        id('session', 'Only speakers of this session of the event: session_id from list_sessions. All when left out.'),
      ),
    ),
  },
  output: {
    speakers: Type.Array(
      closed({
        speaker_id: refTo('speaker', 'Pass it in speaker_ids of message_speakers.'),
        name: Type.String({ description: "The speaker's full name, as speakers of list_sessions show it." }),
        email: labelled(
          'Email',
          described(NullableText, 'Where message_speakers reaches them; null when the app has no address.'),
        ),
        sessions: labelled(
          'Sessions',
          Type.Array(Type.String(), {
            description: 'The titles of all sessions they speak at, earliest first; empty when at none.',
          }),
        ),
      }),
      { description: 'All speakers of the event, or of the given session, in the order in which they were added.' },
    ),
  },
  encode: ({ session_id }) => ({ query: { slot_no: session_id } }),
  decode: ({ voices }) => ({
    speakers: rows(voices).map(({ voice_no, called, mail, slots }) => ({
      speaker_id: voice_no,
      name: called,
      email: known(mail),
      sessions: rows(slots).map(({ heading }) => heading),
    })),
  }),
})
