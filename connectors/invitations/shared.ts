import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { asField } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { id } from '../kit/inputs.ts'
import { fields, number, text } from '../kit/wire.ts'

export const EventId = labelled('Event', id('event', 'Which event: event_id from list_events.'))
export const GuestId = labelled('Guest', id('guest', 'Which guest of the event: guest_id from list_guests.'))

export const SentAt = Type.String({ format: 'date-time', description: 'When the message was sent, in UTC.' })

/** A guest's invitation or reply, in the words of the tracking page. */
export const guestStatuses = codec({
  unsent: 'HELD',
  scheduled: 'QUEUED',
  sent: 'DELIVERED',
  opened: 'SEEN',
  attending: 'COMING',
  not_attending: 'DECLINED',
  maybe: 'UNSURE',
  bounced: 'BOUNCED',
})

/** Things are numbers in the app, identifiers here. */
export function ref(value: unknown): string {
  return String(number(value))
}

export function fromMs(ms: unknown): string {
  return fromEpoch(number(ms) / 1000)
}

/** The session's key is the same in every page; this answer is free, and is there whatever the event is like. */
export const headerKey: Csrf = {
  page: '/api/whoami',
  answer: 'json',
  fills: { header: 'x-form-key' },
  find: (page) => keyIn(page),
}

export const formKey: Csrf = asField(headerKey, 'formKey')

function keyIn(page: string): string {
  return text(fields(JSON.parse(page))['formKey'])
}
