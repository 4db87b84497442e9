import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type Account, type Viewer } from '../platform/types.ts'
import { fold, type Person } from './entities.ts'
import { may, visible } from './levels.ts'
import { insert, nextId, where, type Slice, type Wish } from './tables.ts'

const toPerson = (row: Row): Person => ({
  id: number(row, 'id'),
  name: text(row, 'name'),
  mail: text(row, 'mail'),
  mobile: text(row, 'mobile'),
})

export function findPerson(db: DatabaseSync, { account }: Account, id: number): Person {
  const row = one(db, 'SELECT * FROM people WHERE id = ? AND account = ?', id, account)
  if (!row) throw new Refusal(404, 'PERSON_NOT_FOUND', 'You have no such contact.', 'personId')
  return toPerson(row)
}

/** Where the list goes on after this person. */
function placeOf(db: DatabaseSync, { account }: Account, after: number | undefined): [string, number] {
  if (after === undefined) return ['', 0]
  const row = one(db, 'SELECT folded FROM people WHERE id = ? AND account = ?', after, account)
  if (!row) throw new Refusal(422, 'CURSOR_INVALID', 'after is no cursor of this list.', 'after')
  return [text(row, 'folded'), after]
}

/** By name, without regard to case and accents; those of whom the viewer may see an engagement, if not all. */
export function listPeople(db: DatabaseSync, viewer: Viewer, search: string | undefined, wish: Wish): Slice<Person> {
  const sought = fold(search ?? '')
  const [seen, ...seenValues] = visible(viewer)
  const matching = where(
    ['p.account = ?', viewer.account.account],
    !may(viewer, 'see-all') && [
      `EXISTS (SELECT 1 FROM engagements e WHERE e.person = p.id AND ${seen})`,
      ...seenValues,
    ],
    sought !== '' && ['instr(p.folded, ?) OR instr(lower(p.mail), ?)', sought, (search ?? '').trim().toLowerCase()],
  )
  const anchor = where(['(p.folded, p.id) > (?, ?)', ...placeOf(db, viewer.account, wish.after)])
  const sql = `SELECT p.* FROM people p WHERE ${matching.sql} AND ${anchor.sql} ORDER BY p.folded, p.id LIMIT ?`
  return {
    rows: all(db, sql, ...matching.values, ...anchor.values, wish.first + 1).map(toPerson),
    total: count(db, `people p WHERE ${matching.sql}`, ...matching.values),
  }
}

/** Ids of the person's engagements that the viewer may see, newest first. */
export function engagementsOf(db: DatabaseSync, viewer: Viewer, person: number): number[] {
  const [seen, ...values] = visible(viewer)
  const sql = `SELECT e.id FROM engagements e WHERE e.person = ? AND ${seen} ORDER BY e.id DESC`
  return all(db, sql, person, ...values).map((row) => number(row, 'id'))
}

export function insertPerson(db: DatabaseSync, account: Account, person: Omit<Person, 'id'>): Person {
  const id = nextId(db, 'people', account)
  insert(db, 'people', { ...person, id, account: account.account, folded: fold(person.name) })
  return { ...person, id }
}

/** An address stands for one contact only. */
export function addPerson(db: DatabaseSync, account: Account, person: Omit<Person, 'id'>): Person {
  const taken = person.mail !== '' && [account.account, person.mail.toLowerCase()]
  if (taken && count(db, 'people WHERE account = ? AND lower(mail) = ?', ...taken) > 0) {
    throw new Refusal(409, 'MAIL_TAKEN', 'One of your contacts has this address already.', 'person.mail')
  }
  return insertPerson(db, account, person)
}
