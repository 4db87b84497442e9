import type { DatabaseSync } from 'node:sqlite'
import { all, number, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import type { Party } from './entities.ts'
import { findGuest } from './guests.ts'
import { invalid, onlyFields, requireText } from './input.ts'
import { numberIn } from './paging.ts'

export interface LabelCount {
  name: string
  guests: number
}

/** Those in use at a party, by name. */
export function labelsOf(db: DatabaseSync, party: Party): LabelCount[] {
  const sql = 'SELECT name, count(*) AS n FROM labels WHERE party = ? GROUP BY name ORDER BY name'
  return all(db, sql, party.serial).map((row) => ({ name: text(row, 'name'), guests: number(row, 'n') }))
}

/** Puts a label on guests; those who have it keep it. */
export function labelGuests(request: SignedIn, party: Party): { label: string; count: number; fresh: number } {
  const { db, form } = request
  onlyFields(form, ['label'], ['guestNo'])
  const label = requireText(form.get('label'), 'label', 40)
  const given = form.getAll('guestNo').map(numberIn)
  if (given.length === 0) throw invalid('FIELD_REQUIRED', 'Say which guests.', 'guestNo')
  if (given.length > 200) throw invalid('TOO_MANY_PEOPLE', 'Label 200 guests at most at a time.', 'guestNo')
  if (new Set(given).size < given.length) throw invalid('GUEST_TWICE', 'A guest is given twice.', 'guestNo')
  const guests = given.map((serial) => findGuest(db, party, serial))
  const fresh = guests.filter(({ labels }) => !labels.includes(label))
  for (const { serial } of fresh) run(db, 'INSERT INTO labels VALUES (?, ?, ?)', serial, party.serial, label)
  request.effect('guests.label', { partyNo: party.serial, label, guestNos: given })
  return { label, count: guests.length, fresh: fresh.length }
}
