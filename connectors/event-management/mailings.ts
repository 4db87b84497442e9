import { Type } from 'typebox'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { id, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { number } from '../kit/wire.ts'
import { formStamp } from './stamp.ts'
import { event, speakers } from './previews.ts'
import { EventId } from './shared.ts'

const Letter = {
  subject: Type.Optional(
    labelled(
      'Subject',
      Type.String({
        minLength: 1,
        maxLength: 150,
        description: 'The subject line; "News about" and the name of the event when left out.',
      }),
    ),
  ),
  message: labelled(
    'Message',
    Type.String({ minLength: 1, maxLength: 5000, description: 'The text they will read, as the organizer.' }),
  ),
}

const MailedEvent = refTo('event', 'The event whose people were written to.')

const Sent = {
  emailed: Type.Integer({ description: 'How many people the email was sent to.' }),
  without_email: Type.Integer({ description: 'How many it did not reach because they have no address.' }),
}

/** The outcome of a form, from its redirect to the event's page. */
function sent(location: string, event: string, done: string) {
  const { query } = ledTo(location, `desk/gatherings/${encodeURIComponent(event)}`, { done, mailing_no: true })
  return {
    mailing: query.get('mailing_no'),
    emailed: number(query.get('reached')),
    without_email: number(query.get('skipped')),
  }
}

export const send_announcement = endpoint({
  summary: 'Email an announcement to all attendees of an event who have an address.',
  aliases: [
    'email all attendees',
    'tell participants about the venue change',
    'newsletter to attendees',
    'announce to everybody at the event',
    'notify attendees',
    'everybody who comes should know that the venue changed',
    'tell all participants when doors open',
  ],
  label: 'Send an announcement',
  brief: ['event_id', 'subject', 'message'],
  approval: {
    headline: 'E-mail all attendees of {event_id}[ about {subject}][: {message}]',
    button: 'E-mail all attendees',
    consequences: [{ kind: 'people', text: 'Every attendee with an e-mail address gets it' }],
  },
  effect: 'adds',
  shownBy: [],
  preview: [event],
  access: 'write',
  confirm: true,
  request: 'POST /desk/gatherings/{event_id}/announce',
  input: { event_id: EventId, ...Letter },
  output: {
    event_id: MailedEvent,
    announcement_id: refTo('announcement', "The app's number of this announcement; no endpoint takes it."),
    ...Sent,
  },
  encode: ({ subject, message }) => ({ form: { subject, words: message } }),
  csrf: formStamp,
  answer: 'redirect',
  decode: (_fields, { input, location }) => {
    const { mailing, ...counts } = sent(location, input.event_id, 'announced')
    return { event_id: input.event_id, announcement_id: mailing, ...counts }
  },
})

export const message_speakers = endpoint({
  summary: 'Email all speakers of an event who have an address, or only the listed ones.',
  aliases: [
    'email the speakers',
    'write to the presenters',
    'remind speakers of their slides',
    'ask the presenters for their slides',
    'tell those on stage when to arrive',
  ],
  label: 'Email speakers',
  brief: ['event_id', 'subject', 'message', 'speaker_ids'],
  approval: {
    headline: 'E-mail [{speaker_ids} among ]the speakers of {event_id}[ about {subject}][: {message}]',
    button: 'E-mail[ {speaker_ids|of the|of the}] speakers',
    consequences: [
      {
        kind: 'people',
        text: 'Reaches[ only {speaker_ids|of|of}] all the speakers with an e-mail address',
      },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [event, speakers],
  access: 'write',
  confirm: true,
  request: 'POST /desk/gatherings/{event_id}/mail-voices',
  input: {
    event_id: EventId,
    ...Letter,
    speaker_ids: Type.Optional(
      labelled(
        'Speakers',
        recipients(
          Type.Array(id('speaker', 'A speaker who has an email address: speaker_id from list_speakers.'), {
            minItems: 1,
            maxItems: 500,
            uniqueItems: true,
            description:
              'Only these speakers of the event, all of whom must have an address; all speakers when left out.',
          }),
        ),
      ),
    ),
  },
  output: {
    event_id: MailedEvent,
    message_id: refTo('message', "The app's number of this message; no endpoint takes it."),
    ...Sent,
  },
  encode: ({ subject, message, speaker_ids }) => ({ form: { subject, words: message, voice_no: speaker_ids } }),
  csrf: formStamp,
  answer: 'redirect',
  decode: (_fields, { input, location }) => {
    const { mailing, ...counts } = sent(location, input.event_id, 'voices_mailed')
    return { event_id: input.event_id, message_id: mailing, ...counts }
  },
})
