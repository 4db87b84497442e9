import { Type } from 'typebox'
import { toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, cursor, day, described, limit, moment, nextCursor, refTo } from '../kit/inputs.ts'
import { fields, nullableText, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { event } from './previews.ts'
import { AudienceType, EventId, TicketType, fromMoment, known } from './shared.ts'

const Attendee = {
  attendee_id: refTo('attendee', "The app's number of the attendee; no endpoint takes it."),
  first_name: Type.String({ description: "The attendee's given name." }),
  last_name: Type.String({ description: "The attendee's family name." }),
  email: described(NullableText, 'Where send_announcement reaches them; null when the app has no address.'),
  company: described(NullableText, 'Where they work; null when the app does not know it.'),
  ticket_type: Type.String({
    description: "The event's own name of their ticket type, which the ticket_type filters take.",
  }),
  audience_type: Type.String({
    description: 'What they are at the event: Delegate, Speaker, Exhibitor, Sponsor, Press or Crew.',
  }),
  checked_in: Type.Boolean({ description: 'Whether the app has a check-in of theirs at this event.' }),
}

function attendee({ guest_no, given_name, family_name, mail, firm, pass, crowd, arrived }: Fields) {
  return {
    attendee_id: guest_no,
    first_name: given_name,
    last_name: family_name,
    email: known(mail),
    company: known(firm),
    ticket_type: fields(pass)['label'],
    audience_type: crowd,
    checked_in: arrived !== null && text(fields(arrived)['utc']) !== '',
  }
}

function nextPage({ pagination }: Fields): string | null {
  return nullableText(fields(pagination)['continuation'])
}

export const list_attendees = endpoint({
  summary: 'List the people who attend an event, those added last first, and whether they have checked in.',
  aliases: [
    'who is coming to the event',
    'guest list of the conference',
    'who has checked in',
    'participants',
    'attendance',
    'how many people are coming',
    'is she already there',
    'who turned up',
  ],
  label: 'List attendees',
  brief: ['event_id', 'ticket_type', 'audience_type', 'checked_in'],
  access: 'read',
  request: 'GET /organizer/v1/gatherings/{event_id}/guests',
  input: {
    event_id: EventId,
    ticket_type: TicketType('Only attendees with this ticket type.'),
    audience_type: AudienceType('Only attendees of this kind.'),
    checked_in: Type.Optional(
      labelled(
        'Checked in',
        Type.Boolean({ description: 'true: only those who have checked in; false: only those who have not.' }),
      ),
    ),
    limit: limit(100, 500),
    cursor,
  },
  output: {
    attendees: Type.Array(closed(Attendee), {
      description: 'The attendees on this page, those added last first.',
    }),
    next_cursor: nextCursor,
  },
  encode: ({ ticket_type, audience_type, checked_in, limit: page_size }, { anchor }) => ({
    query: {
      pass: ticket_type,
      crowd: audience_type,
      arrived: checked_in === undefined ? null : checked_in ? 'yes' : 'no',
      page_size,
      continuation: anchor,
    },
  }),
  decode: (list, { cursor: next }) => ({
    attendees: rows(list['guests']).map(attendee),
    next_cursor: next(nextPage(list)),
  }),
})

export const list_registrations = endpoint({
  summary: 'List the orders by which people registered for an event, newest first.',
  aliases: [
    'who registered',
    'ticket orders',
    'how many tickets sold',
    'latest sign-ups',
    'registration orders',
    'event sales',
    'how many signed up this week',
    'did she buy a ticket',
  ],
  label: 'List registrations',
  brief: ['event_id', 'since', 'ticket_type'],
  access: 'read',
  request: 'GET /organizer/v1/gatherings/{event_id}/bookings',
  input: {
    event_id: EventId,
    since: Type.Optional(labelled('Since', day("Only orders of this day or later, in the event's time zone."))),
    ticket_type: TicketType('Only orders of this ticket type.'),
    limit: limit(100, 500),
    cursor,
  },
  output: {
    orders: Type.Array(
      closed({
        order_id: refTo('order', "The app's number of the order; no endpoint takes it."),
        registrant: Type.String({ description: 'The full name of the person who registered.' }),
        email: described(NullableText, 'The email address they registered with; null when the app has none.'),
        ticket_type: Type.String({ description: "The event's own name of the ticket type that was ordered." }),
        ordered_at: described(moment, "When they registered, with the offset of the event's time zone."),
      }),
      { description: 'The orders on this page, newest first.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ since, ticket_type, limit: page_size }, { anchor }) => ({
    query: { from_day: toCompact(since), pass: ticket_type, page_size, continuation: anchor },
  }),
  decode: (list, { cursor: next }) => ({
    orders: rows(list['bookings']).map(({ booking_no, booked_by, mail, pass, booked }) => ({
      order_id: booking_no,
      registrant: booked_by,
      email: known(mail),
      ticket_type: fields(pass)['label'],
      ordered_at: fromMoment(booked),
    })),
    next_cursor: next(nextPage(list)),
  }),
})

const name = (label: string, description: string) =>
  labelled(label, Type.String({ minLength: 1, maxLength: 120, description }))

export const add_attendee = endpoint({
  summary: 'Add an attendee to an event, or change the one who has this email address; nobody is written to.',
  aliases: [
    'register somebody for the event',
    'add a participant',
    'give a ticket',
    'put a guest on the list',
    "change an attendee's details",
    'put him on the list with a VIP ticket',
    'she should come as well',
  ],
  label: 'Add or change an attendee',
  brief: ['first_name', 'last_name', 'email', 'event_id'],
  approval: {
    headline:
      'Put {first_name} {last_name} on the attendee list of {event_id}[ with a {ticket_type} ticket][ as {audience_type}]',
    button: 'Save attendee',
    consequences: [
      { kind: 'other', text: 'Nobody is written to' },
      { kind: 'other', text: 'If {email} is on the list already, that attendee is changed instead' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'list_attendees', from: { event_id: 'event_id' } }],
  preview: [event],
  access: 'write',
  request: 'PUT /organizer/v1/gatherings/{event_id}/guests',
  input: {
    event_id: EventId,
    first_name: name('First name', 'Their given name.'),
    last_name: name('Last name', 'Their family name.'),
    email: labelled(
      'Email',
      Type.String({
        format: 'email',
        maxLength: 254,
        description:
          'Their email address, in any case: whoever has it already in this event is changed, not added again.',
      }),
    ),
    company: Type.Optional(
      labelled(
        'Company',
        Type.String({
          maxLength: 200,
          description: 'Where they work; "" for none. Left out: as it was, none for a new attendee.',
        }),
      ),
    ),
    ticket_type: TicketType("Left out: as it was, the event's first ticket type for a new attendee."),
    audience_type: AudienceType('Left out: as it was, Delegate for a new attendee.'),
  },
  output: {
    ...Attendee,
    created: Type.Boolean({ description: 'true: added; false: an attendee of this event was changed.' }),
  },
  encode: ({ first_name, last_name, email, company, ticket_type, audience_type }) => ({
    json: {
      given_name: first_name,
      family_name: last_name,
      mail: email,
      firm: company,
      pass: ticket_type,
      crowd: audience_type,
    },
  }),
  decode: ({ guest, fresh }) => ({ ...attendee(fields(guest)), created: fresh }),
})
