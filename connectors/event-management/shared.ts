import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { id } from '../kit/inputs.ts'
import { UnknownShape, fields, nullableText, text } from '../kit/wire.ts'
import { offsetAt } from '../kit/zones.ts'

export const EventId = labelled('Event', id('event', 'Which event: event_id from list_events.'))

export const TicketType = (description: string) =>
  Type.Optional(
    labelled(
      'Ticket type',
      Type.String({
        minLength: 1,
        maxLength: 120,
        description: `${description} One of the event's own ticket types, in any case, as ticket_type of list_attendees shows them; another is refused with those that there are.`,
      }),
    ),
  )

export const AudienceType = (description: string) =>
  Type.Optional(
    labelled(
      'Kind of attendee',
      Type.String({
        minLength: 1,
        maxLength: 120,
        description: `${description} Delegate, Speaker, Exhibitor, Sponsor, Press or Crew, in any case; another is refused.`,
      }),
    ),
  )

/** The app writes unknown texts as an empty string. */
export function known(value: unknown): string | null {
  return nullableText(value) || null
}

/** A timestamp of the app, with the UTC offset of the event's time zone at that time. */
export function fromMoment(value: unknown): string {
  const { utc, local, zone } = fields(value)
  const at = Date.parse(text(utc).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const written = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(text(local))
  if (Number.isNaN(at) || !written) throw new UnknownShape('not a moment')
  return `${written[1]}T${written[2]}${offsetAt(at, text(zone))}`
}

/** A timestamp as the app takes it; fractions of a second stay, and the app refuses them. */
export function toMoment(moment: string): { readonly utc: string }
export function toMoment(moment: string | undefined): { readonly utc: string } | undefined
export function toMoment(moment: string | undefined): { readonly utc: string } | undefined {
  if (moment === undefined) return undefined
  const date = new Date(moment)
  if (Number.isNaN(date.getTime()) || /\.\d*[1-9]/.test(moment)) return { utc: moment }
  return { utc: date.toISOString().replace('.000Z', 'Z').replaceAll(/[-:]/g, '') }
}
