import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { defaulted, oneOf, refTo } from '../kit/inputs.ts'
import { number } from '../kit/wire.ts'
import { EventId, GuestId, SentAt, formKey, fromMs, guestStatuses, ledBack, trackOf } from './words.ts'

const presets = {
  reminder_to_rsvp: 'NUDGE',
  event_reminder: 'HEADS_UP',
  time_location_change: 'CHANGE',
  write_your_own: 'FREE',
} as const

const Recipients = Type.Object(
  {
    status: Type.Array(
      guestStatuses(
        ['sent', 'opened', 'attending', 'not_attending', 'maybe'],
        'A guest status, as on the tracking page.',
      ),
      {
        minItems: 1,
        maxItems: 5,
        uniqueItems: true,
        description:
          'Everybody with one of these statuses. Guests who are unsent, scheduled or bounced cannot be written to.',
      },
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 40, description: 'A Guest Tag of the event.' }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'Of these only guests with at least one of these Guest Tags, as in tags of list_guests.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Who gets it: guests by status and, if you like, by Guest Tag.' },
)

export const send_message = endpoint({
  summary: 'Send a message at once to the guests of an event with certain statuses.',
  access: 'write',
  confirm: true,
  request: 'POST /parties/{event_id}/broadcast',
  input: {
    event_id: EventId,
    template: defaulted(
      oneOf(
        ['reminder_to_rsvp', 'event_reminder', 'time_location_change', 'write_your_own'],
        'What it says: asks for a reply, reminds of the event, tells its time and place, or only what you write.',
      ),
      'write_your_own',
    ),
    message: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'Your text. Needed for write_your_own; with another template it is added below its words.',
      }),
    ),
    recipients: Recipients,
  },
  output: {
    event_id: refTo('event', 'The event whose guests were written to.'),
    recipients: Type.Integer({ description: 'How many guests it went to.' }),
    sent_at: SentAt,
  },
  csrf: formKey,
  answer: 'redirect',
  encode: ({ template, message, recipients: { status, tags } }) => ({
    form: { preset: presets[template], body: message, track: status.map(trackOf), label: tags },
  }),
  decode: (_answer, { input, location }) => {
    const { count, atMs } = ledBack(location, `parties/${input.event_id}`, 'broadcast')
    return { event_id: input.event_id, recipients: number(count), sent_at: fromMs(atMs) }
  },
})

export const send_private_message = endpoint({
  summary: 'Send a message to one guest alone, who has had the invitation already.',
  access: 'write',
  confirm: true,
  request: 'POST /parties/{event_id}/guests/{guest_id}/note',
  input: {
    event_id: EventId,
    guest_id: GuestId,
    subject: Type.Optional(
      Type.String({ maxLength: 150, description: 'The subject line; "A note from" you when left out.' }),
    ),
    message: Type.String({ minLength: 1, maxLength: 2000, description: 'The text that they will read, as from you.' }),
  },
  output: {
    event_id: refTo('event', 'The event whose guest was written to.'),
    guest_id: refTo('guest', 'The guest who was written to.'),
    sent_at: SentAt,
  },
  csrf: formKey,
  answer: 'redirect',
  encode: ({ subject, message }) => ({ form: { subject, body: message } }),
  decode: (_answer, { input: { event_id, guest_id }, location }) => {
    const { atMs } = ledBack(location, `parties/${event_id}/guests/${guest_id}`, 'noted')
    return { event_id, guest_id, sent_at: fromMs(atMs) }
  },
})
