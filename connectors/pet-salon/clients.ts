import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { closed, described, limit } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { Pet, pet } from './pet.ts'
import { fromClocks } from './times.ts'
import {
  ClientId,
  ClientName,
  NullableText,
  OutAppointmentId,
  OutClientId,
  OutPetId,
  PetName,
  Start,
  fromPence,
  given,
} from './words.ts'

export const find_clients = endpoint({
  summary: 'Find clients and their pets by a part of name, phone or email, best match first.',
  access: 'read',
  request: 'GET /cloud/data/clients',
  input: {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description: 'A part of their name or email, in any case, or at least 3 digits of their phone number.',
    }),
    limit: limit(10, 50),
  },
  output: {
    clients: Type.Array(
      closed({
        client_id: OutClientId,
        name: ClientName,
        phone: described(NullableText, 'Their mobile number as saved; null when there is none.'),
        pets: Type.Array(closed({ pet_id: OutPetId, name: PetName }), {
          description: 'Empty when they have none, as always outside the pet edition.',
        }),
      }),
      { description: 'Best match first; empty when nobody matches.' },
    ),
  },
  encode: (input) => ({ query: { q: input.query, lim: input.limit } }),
  decode: ({ rows: found }) => ({
    clients: rows(found).map(({ cl, nm, mob, pets }) => ({
      client_id: cl,
      name: nm,
      phone: given(mob),
      pets: rows(pets).map((one) => ({ pet_id: one['pet'], name: one['nm'] })),
    })),
  }),
})

export const get_client = endpoint({
  summary: "Read one client: email, balance, the team's notes, appointments ahead, and pets with their notes.",
  access: 'read',
  request: 'GET /cloud/data/clients/{client_id}',
  input: { client_id: ClientId },
  output: {
    client_id: OutClientId,
    name: ClientName,
    email: described(NullableText, 'Their email address; null when there is none.'),
    balance: Type.Number({ description: "In the salon's currency: below 0 they owe, above it they have credit." }),
    client_notes: Type.String({ description: 'For the staff only.' }),
    upcoming: Type.Array(closed({ appointment_id: OutAppointmentId, start: Start }), {
      description: 'Earliest first.',
    }),
    pets: Type.Array(closed(Pet), { description: 'Empty when they have none, as always outside the pet edition.' }),
  },
  decode: ({ cl, nm, mail, bal, desk_nts, ahead, pets, tz }) => ({
    client_id: cl,
    name: nm,
    email: given(mail),
    balance: fromPence(bal),
    client_notes: desk_nts,
    upcoming: rows(ahead).map(({ tkt, d, t }) => ({ appointment_id: tkt, start: fromClocks(d, t, tz) })),
    pets: rows(pets).map(pet),
  }),
})
