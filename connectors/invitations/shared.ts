import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { id } from '../kit/inputs.ts'
import { number } from '../kit/wire.ts'

export const EventId = labelled('Event', id('event', 'Which event: event_id from list_events.'))
export const GuestId = labelled('Guest', id('guest', 'Which guest of the event: guest_id from list_guests.'))

export const SentAt = Type.String({ format: 'date-time', description: 'When the message was sent, in UTC.' })

/** Status of a guest's invitation or reply, as the tracking page shows it. */
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

/** The app's ids are numbers; here they are strings. */
export function ref(value: unknown): string {
  return String(number(value))
}

export function fromMs(ms: unknown): string {
  return fromEpoch(number(ms) / 1000)
}

/** CSRF token, the same for the whole session; this read is free and needs no event. */
export const headerKey: Csrf = jsonToken({ page: '/api/whoami', field: 'formKey', header: 'x-form-key' })

export const formKey: Csrf = asField(headerKey, 'formKey')
