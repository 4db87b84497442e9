import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import {
  NullableText,
  closed,
  cursor,
  defaulted,
  described,
  limit,
  moment,
  nextCursor,
  oneOf,
  refTo,
} from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, nullableText, number, rows, textOrNull, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { shownEvent, unsentList } from './previews.ts'
import { EventId, formKey, fromMs, ref } from './shared.ts'

const stages = codec({ draft: 'DRAFT', sent: 'OUT', scheduled: 'QUEUED' })
const types = codec({ card: 'CARD', flyer: 'FLYER' })
/** Whether an invitation was sent at once or is scheduled. */
const sendings = { dispatched: 'sent', queued: 'scheduled' }

const Event = {
  event_id: refTo('event', 'Pass it to get_event, send_invitation, and every endpoint about guests or messages.'),
  title: labelled('Title', Type.String({ description: 'The headline of the invitation.' })),
  type: labelled('Type', oneOf(types.words, 'What the invitation is: a card or a flyer.')),
  status: labelled(
    'Status',
    oneOf(stages.words, 'Where the invitation stands; draft: it was never sent; scheduled: it waits for its time.'),
  ),
  event_date: labelled('Event date', described(moment, 'When the event begins, in UTC.')),
}

function event({ partyNo, headline, format, stage, startsMs }: Fields) {
  return {
    event_id: ref(partyNo),
    title: headline,
    type: types.decode(format),
    status: stages.decode(stage),
    event_date: fromMs(startsMs),
  }
}

export const list_events = endpoint({
  summary: 'List the events that you host or co-host, with sent invitations unless you ask for others, newest first.',
  aliases: [
    'my parties',
    'events that I host',
    'upcoming parties',
    'drafts of invitations',
    'which parties have I planned',
  ],
  label: 'List events',
  brief: ['status'],
  access: 'read',
  request: 'GET /api/parties',
  input: {
    status: labelled(
      'Status',
      defaulted(
        oneOf(
          stages.words,
          'Only events whose invitation was never sent (draft), was sent, or waits for its time (scheduled).',
        ),
        'sent',
      ),
    ),
    limit: limit(20),
    cursor,
  },
  output: {
    events: Type.Array(closed(Event), { description: 'Newest first; empty when no event has this status.' }),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({
    query: { stage: stages.encode(input.status), pageSize: input.limit, moreToken: anchor },
  }),
  decode: ({ parties, moreToken }, { cursor: next }) => ({
    events: rows(parties).map(event),
    next_cursor: next(nullableText(moreToken)),
  }),
})

export const get_event = endpoint({
  summary: 'Read one event: its invitation, host, place and time.',
  aliases: [
    'details of my party',
    'where and when is the event',
    'who hosts',
    'what does the invitation say',
    'where is the party',
    'when does it begin',
  ],
  label: 'Read an event',
  brief: ['event_id'],
  access: 'read',
  request: 'GET /api/parties/{event_id}',
  input: { event_id: EventId },
  output: {
    ...Event,
    host_name: labelled(
      'Host',
      Type.String({ description: 'Who hosts the event, as guests read it; not you where you co-host.' }),
    ),
    location: labelled('Place', described(NullableText, 'The place as the host wrote it; null when none is given.')),
    time_zone: labelled(
      'Time zone',
      Type.String({ description: 'The time zone of the place, as the IANA names it; event_date is in UTC.' }),
    ),
  },
  decode: (answer) => {
    const party = fields(answer['party'])
    return {
      ...event(party),
      host_name: party['hostedBy'],
      location: textOrNull(party['venue']),
      time_zone: party['zone'],
    }
  },
})

const sendAt = 'When to send: an ISO 8601 date and time with an offset or Z, later than now, at most two years ahead.'

export const send_invitation = endpoint({
  summary: 'Send the invitation to everybody on the unsent list of an event, now or at a time of your choice.',
  aliases: [
    'send the invites',
    'mail the invitation cards',
    'invite everybody on the list',
    'send out invites at a later time',
    'it is ready, let it go out',
    'mail the cards',
  ],
  label: 'Send an invitation',
  brief: ['event_id', 'send_at'],
  approval: {
    headline: 'Send the invitation to {event_id}[, to go out on {send_at}]',
    button: 'Send invitation',
    consequences: [
      {
        kind: 'people',
        text: 'Everybody on the unsent list gets it[: at least {event_id.guests|guest|guests}], by e-mail or else by phone',
      },
      { kind: 'other', text: '[Scheduled for {send_at}]' },
    ],
  },
  effect: 'adds',
  shownBy: [
    { read: 'get_event', from: { event_id: 'event_id' } },
    { read: 'list_guests', from: { event_id: 'event_id' } },
  ],
  preview: [shownEvent, unsentList],
  verify: {
    read: 'get_event',
    from: { event_id: 'event_id' },
    same: { event_id: 'event_id' },
    is: { status: ['sent', 'scheduled'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /parties/{event_id}/dispatch',
  input: {
    event_id: EventId,
    send_at: labelled(
      'Sending time',
      Type.Optional(
        Type.Union(
          [
            Type.String({ format: 'date-time', description: sendAt }),
            Type.String({ maxLength: 0, description: 'Empty: now.' }),
          ],
          { description: `${sendAt} Empty or left out: now.` },
        ),
      ),
    ),
  },
  output: {
    event_id: refTo('event', 'The event whose invitation it is.'),
    status: oneOf(
      ['sent', 'scheduled'],
      'What became of it; sent: it went out at once; scheduled: it goes out at send_at.',
    ),
    recipients: Type.Integer({ description: 'How many guests it went, or will go, to.' }),
    send_at: described(moment, 'When the invitation went out, or will, in UTC.'),
  },
  csrf: formKey,
  answer: 'redirect',
  // An invalid time becomes NaN, which the app refuses; omitting it would mean "send now".
  encode: ({ send_at }) => ({ form: { atMs: send_at ? Date.parse(send_at) : undefined } }),
  decode: (_answer, { input, location }) => {
    const { query } = ledTo(location, `parties/${input.event_id}`)
    return {
      event_id: input.event_id,
      status: word(sendings, query.get('done')),
      recipients: number(query.get('count')),
      send_at: fromMs(query.get('atMs')),
    }
  },
})
