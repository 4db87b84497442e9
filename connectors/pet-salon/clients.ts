import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, described, limit } from '../kit/inputs.ts'
import { rows, textOrNull } from '../kit/wire.ts'
import { Pet, pet } from './pet.ts'
import { fromClocks } from './times.ts'
import {
  ClientId,
  ClientName,
  OutAppointmentId,
  OutClientId,
  OutPetId,
  PetName,
  Start,
  fromPence,
  salonMoney,
} from './shared.ts'

export const find_clients = endpoint({
  summary: 'Find clients and their pets by a part of name, phone or email, best match first.',
  aliases: [
    "find a pet's owner",
    'look up a client by phone',
    'search for a dog by name',
    'whose dog is it',
    'search clients',
  ],
  label: 'Find clients',
  brief: ['query'],
  access: 'read',
  request: 'GET /cloud/data/clients',
  input: {
    query: labelled(
      'Search',
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description: 'A part of their name or email, in any case, or at least 3 digits of their phone number.',
      }),
    ),
    limit: limit(10, 50),
  },
  output: {
    clients: Type.Array(
      closed({
        client_id: OutClientId,
        name: ClientName,
        phone: labelled(
          'Phone number',
          described(NullableText, 'Their mobile number as saved; null when there is none.'),
        ),
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
      phone: textOrNull(mob),
      pets: rows(pets).map((one) => ({ pet_id: one['pet'], name: one['nm'] })),
    })),
  }),
})

export const get_client = endpoint({
  summary: "Read one client: email, balance, the team's notes, appointments ahead, and pets with their notes.",
  aliases: [
    "client's balance",
    'pets of a client',
    'client profile',
    'notes about a client',
    'upcoming appointments of a client',
    'what does she owe us',
    'which animals has he got',
  ],
  label: 'Read a client',
  brief: ['client_id'],
  access: 'read',
  request: 'GET /cloud/data/clients/{client_id}',
  input: { client_id: ClientId },
  output: {
    client_id: OutClientId,
    name: ClientName,
    email: labelled('Email', described(NullableText, 'Their email address; null when there is none.')),
    balance: labelled(
      'Balance',
      money(
        salonMoney,
        Type.Number({ description: "In the salon's currency: below 0 they owe, above it they have credit." }),
      ),
    ),
    client_notes: Type.String({ description: 'For the staff only.' }),
    upcoming: Type.Array(closed({ appointment_id: OutAppointmentId, start: Start }), {
      description: 'Earliest first.',
    }),
    pets: Type.Array(closed(Pet), { description: 'Empty when they have none, as always outside the pet edition.' }),
  },
  decode: ({ cl, nm, mail, bal, desk_nts, ahead, pets, tz }) => ({
    client_id: cl,
    name: nm,
    email: textOrNull(mail),
    balance: fromPence(bal),
    client_notes: desk_nts,
    upcoming: rows(ahead).map(({ tkt, d, t }) => ({ appointment_id: tkt, start: fromClocks(d, t, tz) })),
    pets: rows(pets).map(pet),
  }),
})
