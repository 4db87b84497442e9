import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { groupKeywords } from '../kit/groups.ts'
import { oneOf, refTo } from '../kit/inputs.ts'
import type { Fields } from '../kit/wire.ts'
import { guestStatuses, ref } from './shared.ts'

export const Guest = {
  guest_id: refTo('guest', 'Pass it to get_guest, tag_guests or send_private_message.'),
  name: Type.String({ description: 'How the invitation addresses them.' }),
  status: labelled(
    'Status',
    oneOf(
      guestStatuses.words,
      'Their invitation or reply, as on the tracking page; bounced: it could not be delivered.',
    ),
  ),
  total_attending: labelled(
    'Attending',
    Type.Integer({
      description: 'How many come with this guest, themselves included; 0 unless attending.',
    }),
  ),
  tags: labelled(
    'Guest Tags',
    Type.Array(Type.String(), {
      description: 'Guest Tags, which only hosts and co-hosts see; empty when there are none.',
    }),
  ),
}

export function guest({ guestNo, calledAs, track, headcount, labels }: Fields) {
  return {
    guest_id: ref(guestNo),
    name: calledAs,
    status: guestStatuses.decode(track),
    total_attending: headcount,
    tags: labels,
  }
}

/** A new guest for the guest list. */
export const GuestInput = Type.Object(
  {
    name: labelled(
      'Name',
      Type.String({ minLength: 1, maxLength: 120, description: 'How the invitation addresses them.' }),
    ),
    email: labelled(
      'Email',
      Type.Optional(
        Type.String({
          format: 'email',
          maxLength: 254,
          description: 'Where the invitation goes; it goes by phone when there is none.',
        }),
      ),
    ),
    phone: labelled(
      'Phone number',
      Type.Optional(
        Type.String({
          minLength: 5,
          maxLength: 40,
          description: 'Their phone number, with the country code; needed when there is no email.',
        }),
      ),
    ),
    group_name: labelled(
      'Group',
      Type.Optional(
        Type.String({
          maxLength: 120,
          description: 'The household or group that they belong to, such as "Family Lee".',
        }),
      ),
    ),
    total_invited: labelled(
      'Number invited',
      Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'How many are invited, themselves included; 1 by default.',
        }),
      ),
    ),
  },
  {
    additionalProperties: false,
    ...groupKeywords({ atLeastOne: ['email', 'phone'] }, {}),
    description: 'A guest: name, and email or phone or both.',
  },
)
