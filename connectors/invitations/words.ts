import { Type } from 'typebox'
import type { Csrf } from '../kit/csrf.ts'
import { fromEpoch } from '../kit/dates.ts'
import { id, oneOf } from '../kit/inputs.ts'
import { UnknownShape, fields, number, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const EventId = id('event', 'Which event: event_id from list_events.')
export const GuestId = id('guest', 'Which guest of the event: guest_id from list_guests.')

export const SentAt = Type.String({ format: 'date-time', description: 'When the message was sent, in UTC.' })

/** The words of the tracking page, by the app's own. */
export const tracks = {
  HELD: 'unsent',
  QUEUED: 'scheduled',
  DELIVERED: 'sent',
  SEEN: 'opened',
  COMING: 'attending',
  DECLINED: 'not_attending',
  UNSURE: 'maybe',
  BOUNCED: 'bounced',
} as const

type GuestStatus = (typeof tracks)[keyof typeof tracks]

export function guestStatuses<S extends GuestStatus[]>(statuses: [...S], description: string) {
  return oneOf(statuses, description)
}

/** The app's word for one of ours. */
export function trackOf(status: GuestStatus): string | undefined {
  return Object.entries(tracks).find(([, ours]) => ours === status)?.[0]
}

/** Things are numbers in the app, identifiers here. */
export function ref(value: unknown): string {
  return String(number(value))
}

export function fromMs(ms: unknown): string {
  return fromEpoch(number(ms) / 1000)
}

/** The app has an empty text where it has nothing. */
export function orNull(value: unknown): string | null {
  return text(value) === '' ? null : text(value)
}

export const NullableText = Type.Union([Type.String(), Type.Null()])

/** The session's key is the same in every page; this answer is free, and is there whatever the event is like. */
export const headerKey: Csrf = {
  page: '/api/whoami',
  answer: 'json',
  find: (page) => ({ headers: { 'x-form-key': keyIn(page) } }),
}

export const formKey: Csrf = { ...headerKey, find: (page) => ({ form: { formKey: keyIn(page) } }) }

function keyIn(page: string): string {
  return text(fields(JSON.parse(page))['formKey'])
}

/** Where a form led: back to its own page, with what it did; one of `done`. */
export function ledBack(location: string, page: string, ...done: readonly string[]): Fields {
  const query = location.startsWith(`${page}?`) ? location.slice(page.length + 1) : ''
  const said: Fields = Object.fromEntries(new URLSearchParams(query))
  if (!done.includes(String(said['done']))) throw new UnknownShape('led elsewhere')
  return said
}
