import { Type } from 'typebox'
import { fromDayFirst, toDayFirst } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import { closed, day, defaulted, described, moment, refTo } from '../kit/inputs.ts'
import { fields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { whole, wholeRows } from './lists.ts'
import { Pet, pet } from './pet.ts'
import { fromClocks, toSlashed } from './times.ts'
import { ClientName, Day, OutPetId, PetId, PetName } from './shared.ts'
import { pet as petShown } from './previews.ts'

const note = (label: string, kind: string) =>
  Type.Optional(
    labelled(
      label,
      Type.String({
        maxLength: 2000,
        description: `The new ${kind} notes in place of the old ones; an empty text clears them. They stay when left out.`,
      }),
    ),
  )

export const list_vaccination_alerts = endpoint({
  summary: 'List pets whose vaccination has expired or soon will, soonest expiry first, with their next appointment.',
  aliases: [
    'expired vaccinations',
    'whose rabies shot runs out',
    'shots due',
    'pets without valid vaccination',
    'who needs a new shot',
    'whose papers run out',
  ],
  label: 'List vaccination alerts',
  brief: ['expiring_before', 'upcoming_only'],
  access: 'read',
  request: 'GET /cloud/data/vaxalerts',
  input: {
    expiring_before: labelled(
      'Expiring before',
      Type.Optional(
        day(
          "Only what expires before this day; today on the salon's clocks when left out. Vaccinations are flagged 3 months ahead; a pet without a record of a vaccine is not listed.",
        ),
      ),
    ),
    upcoming_only: labelled(
      'Upcoming only',
      defaulted(Type.Boolean({ description: 'true: only pets with an appointment ahead. false: all of them.' }), false),
    ),
  },
  output: {
    alerts: Type.Array(
      closed({
        pet_id: OutPetId,
        pet: PetName,
        client: ClientName,
        vaccine: Type.String({ description: 'The name of the vaccine, as add_vaccination takes it.' }),
        expires: described(Day, 'The day on which the latest record of it expires, maybe past.'),
        next_appointment: labelled(
          'Next appointment',
          Type.Union([moment, Type.Null()], {
            description: "When the pet comes next, with the offset of the salon's time zone; null when none is ahead.",
          }),
        ),
      }),
      { description: 'One for each pet and vaccine, soonest expiry first; empty when none is due.' },
    ),
  },
  encode: ({ expiring_before, upcoming_only }) =>
    whole({ before: toSlashed(expiring_before), coming: upcoming_only ? '1' : '0' }),
  decode: (answer) => ({
    alerts: wholeRows(answer).map((alert) => {
      const { next } = alert
      return {
        pet_id: fields(alert['pet'])['pet'],
        pet: fields(alert['pet'])['nm'],
        client: fields(alert['cl'])['nm'],
        vaccine: fields(alert['vx'])['ttl'],
        expires: fromDayFirst(alert['exp']),
        next_appointment: next === null ? null : fromClocks(fields(next)['d'], fields(next)['t'], answer['tz']),
      }
    }),
  }),
})

export const update_pet_notes = endpoint({
  summary: "Change a pet's general, grooming, personality or medical notes, for the team only.",
  aliases: [
    'dog bites',
    'note an allergy of a pet',
    'medical note',
    'grooming preferences',
    'personality of a cat',
    'remark about a pet',
    'careful, he bites',
    'she hates the dryer',
    'he is afraid of the clippers',
  ],
  label: 'Change pet notes',
  brief: ['pet_id', 'general', 'grooming', 'medical'],
  approval: {
    headline:
      'Change the notes on {pet_id}[ of {pet_id.client}][, medical to {medical}][, general to {general}][, grooming to {grooming}][, personality to {personality}]',
    button: 'Change notes',
    consequences: [
      { kind: 'irreversible', text: 'The medical notes are emptied', when: { medical: [''] } },
      { kind: 'irreversible', text: 'The general notes are emptied', when: { general: [''] } },
      { kind: 'irreversible', text: 'The grooming notes are emptied', when: { grooming: [''] } },
      { kind: 'irreversible', text: 'The personality notes are emptied', when: { personality: [''] } },
      { kind: 'other', text: 'Replaces the old notes; only your team sees them' },
    ],
  },
  effect: 'changes',
  shownBy: [],
  preview: [petShown],
  access: 'write',
  request: 'PATCH /cloud/data/pets/{pet_id}/nts',
  input: {
    pet_id: PetId,
    general: note('General notes', 'general'),
    grooming: note('Grooming notes', 'grooming'),
    personality: note('Personality notes', 'personality'),
    medical: note('Medical notes', 'medical'),
  },
  atLeastOne: ['general', 'grooming', 'personality', 'medical'],
  output: Pet,
  encode: ({ general, grooming, personality, medical }) => ({
    json: { gen: general, grm: grooming, prs: personality, med: medical },
  }),
  decode: pet,
})

/** The code of a vaccine, by name. Without vaccines there are no pets either: the app refuses. */
function vaccineCode(name: string, { vaxs }: Fields): string {
  const known = rows(vaxs)
  if (known.length === 0) return name
  const found = known.find(({ ttl }) => text(ttl).toLowerCase() === name.trim().toLowerCase())
  if (found) return text(found['vx'])
  const names = known.map(({ ttl }) => text(ttl)).join('; ')
  throw new InputRejected('VAX_UNKNOWN', `There is no vaccine ${name}. There are: ${names}.`)
}

export const add_vaccination = endpoint({
  summary: 'Record a vaccination of a pet with the day on which it expires. Nobody is told.',
  aliases: [
    'record a rabies shot',
    'new vaccination date',
    'dog was vaccinated',
    'update shots',
    'he had his shot',
    'she got vaccinated at the vet',
  ],
  label: 'Record a vaccination',
  brief: ['pet_id', 'vaccine', 'expires'],
  approval: {
    headline: 'Record a {vaccine} vaccination for {pet_id}[ of {pet_id.client}], expiring on {expires}',
    button: 'Record vaccination',
    consequences: [{ kind: 'other', text: 'Only your team sees it; nobody is told' }],
  },
  effect: 'adds',
  shownBy: [],
  preview: [petShown],
  access: 'write',
  request: 'POST /cloud/data/pets/{pet_id}/shots',
  before: '/cloud/data/setup',
  input: {
    pet_id: PetId,
    vaccine: labelled(
      'Vaccine',
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'The vaccine by its name, as list_vaccination_alerts shows it, such as Rabies; another is refused with the list of them.',
      }),
    ),
    expires: labelled('Expires on', day('The day on which it expires, today to 10 years ahead.')),
  },
  output: {
    pet_id: refTo('pet', 'The pet that was vaccinated.'),
    vaccine: Type.String({ description: 'The name of the vaccine, as the app writes it.' }),
    expires: described(Day, 'The day on which the vaccination expires.'),
  },
  encode: ({ vaccine, expires }, { before }) => ({
    json: { vx: vaccineCode(vaccine, before), exp: toDayFirst(expires) },
  }),
  decode: ({ pet: pet_id, vx, exp }) => ({ pet_id, vaccine: fields(vx)['ttl'], expires: fromDayFirst(exp) }),
})
