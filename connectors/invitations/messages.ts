import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { defaulted, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { number } from '../kit/wire.ts'
import { shownEvent, writtenGuest } from './previews.ts'
import { EventId, GuestId, SentAt, formKey, fromMs, guestStatuses } from './shared.ts'

const presets = codec({
  reminder_to_rsvp: 'NUDGE',
  event_reminder: 'HEADS_UP',
  time_location_change: 'CHANGE',
  write_your_own: 'FREE',
})

const Recipients = labelled(
  'Recipients',
  Type.Object(
    {
      status: labelled(
        'Statuses',
        Type.Array(
          oneOf(['sent', 'opened', 'attending', 'not_attending', 'maybe'], 'A guest status, as on the tracking page.'),
          {
            minItems: 1,
            maxItems: 5,
            uniqueItems: true,
            description:
              'Everybody with one of these statuses. Guests who are unsent, scheduled or bounced cannot be written to.',
          },
        ),
      ),
      tags: labelled(
        'Guest Tags',
        Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 40, description: 'A Guest Tag of the event.' }), {
            minItems: 1,
            maxItems: 50,
            uniqueItems: true,
            description: 'Of these only guests with at least one of these Guest Tags, as in tags of list_guests.',
          }),
        ),
      ),
    },
    { additionalProperties: false, description: 'Who gets it: guests by status and, if you like, by Guest Tag.' },
  ),
)

export const send_message = endpoint({
  summary: 'Send a message at once to the guests of an event with certain statuses.',
  aliases: [
    'message everybody who is coming',
    'tell all guests about parking',
    'remind those who have not replied',
    'update to guests',
    'message all guests',
    'remind all who have not answered',
    'let all guests know about the new place',
    'thank everybody who came',
  ],
  label: 'Send a message',
  brief: ['recipients', 'template', 'message', 'event_id'],
  approval: {
    headline: 'Message guests of {event_id}[ marked {recipients.status}][ and tagged {recipients.tags}][: {message}]',
    button: 'Send message',
    consequences: [
      { kind: 'people', text: 'Reaches guests who are attending', when: { 'recipients.status': ['attending'] } },
      { kind: 'people', text: 'Reaches guests who replied maybe', when: { 'recipients.status': ['maybe'] } },
      {
        kind: 'people',
        text: 'Reaches guests who are not attending',
        when: { 'recipients.status': ['not_attending'] },
      },
      {
        kind: 'people',
        text: 'Reaches guests who have not replied',
        when: { 'recipients.status': ['sent', 'opened'] },
      },
      { kind: 'people', text: '[Of these, only guests with any of the tags {recipients.tags}]' },
      { kind: 'other', text: 'Asks them to reply', when: { template: ['reminder_to_rsvp'] } },
      { kind: 'other', text: 'Reminds them of the event', when: { template: ['event_reminder'] } },
      { kind: 'other', text: 'Tells them its time and place', when: { template: ['time_location_change'] } },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [shownEvent],
  access: 'write',
  confirm: true,
  request: 'POST /parties/{event_id}/broadcast',
  input: {
    event_id: EventId,
    template: labelled(
      'Template',
      defaulted(
        oneOf(
          presets.words,
          'What it says: asks for a reply, reminds of the event, tells its time and place, or only what you write.',
        ),
        'write_your_own',
      ),
    ),
    message: labelled(
      'Message',
      Type.Optional(
        Type.String({
          maxLength: 2000,
          description: 'Your text. Needed for write_your_own; with another template it is added below its words.',
        }),
      ),
    ),
    recipients: Recipients,
  },
  atLeastOne: ['message', { is: { template: ['reminder_to_rsvp', 'event_reminder', 'time_location_change'] } }],
  output: {
    event_id: refTo('event', 'The event whose guests were written to.'),
    recipients: Type.Integer({ description: 'How many guests it went to.' }),
    sent_at: SentAt,
  },
  csrf: formKey,
  answer: 'redirect',
  encode: ({ template, message, recipients: { status, tags } }) => ({
    form: {
      preset: presets.encode(template),
      body: message,
      track: status.map((one) => guestStatuses.encode(one)),
      label: tags,
    },
  }),
  decode: (_answer, { input, location }) => {
    const { query } = ledTo(location, `parties/${input.event_id}`, { done: 'broadcast' })
    return {
      event_id: input.event_id,
      recipients: number(query.get('count')),
      sent_at: fromMs(query.get('atMs')),
    }
  },
})

export const send_private_message = endpoint({
  summary: 'Send a message to one guest alone, who has had the invitation already.',
  aliases: [
    'write to one guest only',
    'message a single guest',
    'tell only her',
    'tell just her',
    'a word to my aunt alone',
  ],
  label: 'Send a private message',
  brief: ['guest_id', 'subject', 'message', 'event_id'],
  approval: {
    headline: 'Write to {guest_id}[, a guest of {event_id}][: {message}]',
    button: 'Send message',
    consequences: [{ kind: 'people', text: 'Only this guest gets it, as from you' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_guest', from: { event_id: 'event_id', guest_id: 'guest_id' } }],
  preview: [shownEvent, writtenGuest],
  verify: {
    read: 'get_guest',
    from: { event_id: 'event_id', guest_id: 'guest_id' },
    at: 'messages',
    same: { subject: 'subject' },
    is: { type: ['private'] },
    since: 'sent_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /parties/{event_id}/guests/{guest_id}/note',
  input: {
    event_id: EventId,
    guest_id: recipients(GuestId),
    subject: labelled(
      'Subject',
      Type.Optional(Type.String({ maxLength: 150, description: 'The subject line; "A note from" you when left out.' })),
    ),
    message: labelled(
      'Message',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text that they will read, as from you.' }),
    ),
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
    const { query } = ledTo(location, `parties/${event_id}/guests/${guest_id}`, { done: 'noted' })
    return { event_id, guest_id, sent_at: fromMs(query.get('atMs')) }
  },
})
