import { Type } from 'typebox'
import { fromDayFirst } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, refTo } from '../kit/inputs.ts'
import { fields, rows, word } from '../kit/wire.ts'
import { whole, wholeRows } from './lists.ts'
import { toSlashed } from './times.ts'
import { ClientName, OutClientId } from './shared.ts'

const parts = { MORNING: 'morning', AFTERNOON: 'afternoon', ANYTIME: 'any time' }

export const list_waitlist = endpoint({
  summary: 'List who waits for a place, those who have waited longest first; book_appointment takes an entry.',
  aliases: [
    'who waits for a place',
    'waiting list',
    'clients waiting for an opening',
    'who would like to come if something opens',
  ],
  label: 'List the waitlist',
  brief: ['date'],
  access: 'read',
  request: 'GET /cloud/data/waits',
  input: { date: labelled('Day', Type.Optional(day('Only entries that prefer this day; all when left out.'))) },
  output: {
    entries: Type.Array(
      closed({
        waitlist_entry_id: refTo(
          'waitlist_entry',
          'Pass it to book_appointment, which takes the entry off the waitlist.',
        ),
        client: ClientName,
        client_id: OutClientId,
        pet_id: Type.Union([refTo('pet'), Type.Null()], {
          description: 'For which pet; null when the entry is for no pet.',
        }),
        employee: labelled('Employee', Type.String({ description: 'A name, or First Available.' })),
        preferred: labelled(
          'Preferred days',
          Type.Array(Type.String(), {
            description: 'Days, each with morning, afternoon or any time behind it: 2026-12-31 morning.',
          }),
        ),
        services: labelled(
          'Services',
          Type.Array(Type.String(), { description: 'The names, not ids, of the services that they want.' }),
        ),
        comment: labelled(
          'Comment',
          Type.String({ description: 'What was noted with the wish; empty when nothing was.' }),
        ),
      }),
      { description: 'Who has waited longest comes first; empty when nobody waits.' },
    ),
  },
  encode: ({ date }) => whole({ d: toSlashed(date) }),
  decode: (answer) => ({
    entries: wholeRows(answer).map(({ wl, cl, pet, emp, pref, svcs, nts }) => ({
      waitlist_entry_id: wl,
      client: fields(cl)['nm'],
      client_id: fields(cl)['cl'],
      pet_id: pet === null ? null : fields(pet)['pet'],
      employee: emp === null ? 'First Available' : fields(emp)['nm'],
      preferred: rows(pref).map(({ d, part }) => `${fromDayFirst(d)} ${word(parts, part)}`),
      services: rows(svcs).map(({ ttl }) => ttl),
      comment: nts,
    })),
  }),
})
