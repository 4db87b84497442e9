import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { idOf, serialOf, type Person } from './entities.ts'
import { invalid, readLine, readMail, readWords, type Sent } from './input.ts'
import type { Wish } from './parameters.ts'
import { nextSerial } from './studio.ts'

function toPerson(row: Row): Person {
  return {
    serial: number(row, 'serial'),
    fullName: text(row, 'full_name'),
    mail: text(row, 'mail'),
    tel: text(row, 'tel'),
    standing: text(row, 'standing'),
    made: number(row, 'made'),
  }
}

/** Somebody in this account's address book; undefined for anybody else. */
export function findPerson(db: DatabaseSync, account: string, serial: number | undefined): Person | undefined {
  const sql = 'SELECT * FROM people WHERE serial = ? AND account = ?'
  const row = serial === undefined ? undefined : one(db, sql, serial, account)
  return row && toPerson(row)
}

export function ownPerson({ db, viewer }: SignedIn, id: string): Person {
  const person = findPerson(db, viewer.account.account, serialOf('people', id))
  if (!person) throw new Refusal(404, 'PERSON_NOT_FOUND', 'Nobody in your address book has this id.')
  return person
}

/** Those of the serials, each once. */
export function findPeople(db: DatabaseSync, account: string, serials: readonly number[]): Person[] {
  return [...new Set(serials)].flatMap((serial) => findPerson(db, account, serial) ?? [])
}

/** Newest first; one row more than asked for shows that there is a next page. */
export function listPeople(
  db: DatabaseSync,
  account: string,
  search: string,
  { size, below }: Wish,
): { rows: Person[]; matching: number } {
  // A line end stands between name and address: no search matches across the two.
  const where = 'people WHERE account = ? AND instr(folded, ?) > 0'
  const sql = `SELECT * FROM ${where} AND serial < ? ORDER BY serial DESC LIMIT ?`
  const rows = all(db, sql, account, search, below, size + 1).map(toPerson)
  return { rows, matching: count(db, where, account, search) }
}

export function addPerson(request: SignedIn, { attributes }: Sent): Person {
  const { db, viewer, now } = request
  const { account } = viewer.account
  const standing = attributes['standing'] ?? 'lead'
  if (standing !== 'lead' && standing !== 'client') {
    throw invalid('STANDING_INVALID', 'standing must be lead or client.', 'standing')
  }
  const person: Person = {
    serial: nextSerial(db, 'people', account),
    fullName: readLine(attributes['full_name'], 'full_name', 120),
    mail: readMail(attributes['mail'], 'mail'),
    tel: readWords(attributes['tel'], 'tel', 40).trim(),
    standing,
    made: now * 1000,
  }
  if (count(db, 'people WHERE account = ? AND lower(mail) = lower(?)', account, person.mail) > 0) {
    throw new Refusal(409, 'MAIL_TAKEN', 'Somebody in your address book has this address already.', 'mail')
  }
  insertPeople(db, account, [person])
  const { serial, fullName, mail, tel } = person
  request.effect('person.add', { id: idOf('people', serial), full_name: fullName, mail, tel, standing })
  return person
}

export function insertPeople(db: DatabaseSync, account: string, people: readonly Person[]): void {
  const insert = db.prepare('INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, fullName, mail, tel, standing, made } of people) {
    const folded = `${fullName}\n${mail}`.toLowerCase()
    insert.run(serial, account, fullName, mail, tel, standing, folded, made)
  }
}
