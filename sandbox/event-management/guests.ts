import type { DatabaseSync } from 'node:sqlite'
import { maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { moment } from './clock.ts'
import { crowdCalled, crowds, ownGathering, passCalled, passesOf, passOut, takeSerial } from './gatherings.ts'
import type { Gathering, Pass } from './gatherings.ts'
import { fold, needMail, needText, readQuery, readText, type Fields } from './input.ts'
import { pageNames, readPage, type Page } from './paging.ts'

interface Guest {
  serial: number
  given: string
  family: string
  mail: string
  firm: string
  pass: number
  crowd: string
  arrived: number | null
}

export function insertGuest(db: DatabaseSync, gathering: number, guest: Guest): void {
  const { serial, given, family, mail, firm, pass, crowd, arrived } = guest
  const values = [serial, gathering, given, family, mail, fold(mail), firm, pass, crowd, arrived]
  run(db, 'INSERT INTO guests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values)
}

const guestSql = 'SELECT guests.*, passes.label FROM guests JOIN passes ON passes.serial = guests.pass'

function guestOut(row: Row, { zone }: Gathering) {
  const arrived = maybeNumber(row, 'arrived')
  return {
    guest_no: String(number(row, 'serial')),
    given_name: text(row, 'given'),
    family_name: text(row, 'family'),
    mail: text(row, 'mail'),
    firm: text(row, 'firm'),
    pass: passOut(row),
    crowd: text(row, 'crowd'),
    arrived: arrived === undefined ? null : moment(arrived, zone),
  }
}

type GuestOut = ReturnType<typeof guestOut>

export function listGuests(request: SignedIn): Page<GuestOut> {
  const gathering = ownGathering(request)
  const { pass, crowd, arrived } = readQuery(request.query, ['pass', 'crowd', 'arrived', ...pageNames])
  if (arrived !== undefined && arrived !== 'yes' && arrived !== 'no') {
    throw new Refusal(400, 'PARAMETER_INVALID', 'arrived must be yes or no.', 'arrived')
  }
  const values: (string | number)[] = [gathering.serial]
  let sql = `${guestSql} WHERE guests.gathering = ?`
  if (pass !== undefined) {
    sql += ' AND guests.pass = ?'
    values.push(passCalled(request.db, gathering, pass).serial)
  }
  if (crowd !== undefined) {
    sql += ' AND crowd = ?'
    values.push(crowdCalled(crowd))
  }
  if (arrived !== undefined) sql += ` AND arrived IS ${arrived === 'yes' ? 'NOT NULL' : 'NULL'}`
  const found = { sql, values, serial: 'guests.serial' }
  return readPage(request, `guests ${gathering.serial}`, found, (row) => guestOut(row, gathering))
}

export const guestNames = ['given_name', 'family_name', 'mail', 'firm', 'pass', 'crowd'] as const

interface Wish {
  given: string
  family: string
  mail: string
  firm: string | undefined
  pass: Pass | undefined
  crowd: string | undefined
}

function readWish(db: DatabaseSync, gathering: Gathering, fields: Fields): Wish {
  const pass = readText(fields, 'pass', 120)
  const crowd = readText(fields, 'crowd', 120)
  return {
    given: needText(fields, 'given_name', 120),
    family: needText(fields, 'family_name', 120),
    mail: needMail(fields),
    firm: readText(fields, 'firm', 200),
    pass: pass === undefined ? undefined : passCalled(db, gathering, pass),
    crowd: crowd === undefined ? undefined : crowdCalled(crowd),
  }
}

export const firstPass = (db: DatabaseSync, gathering: Gathering): Pass => {
  const [pass] = passesOf(db, gathering)
  if (!pass) throw new Error(`Gathering ${gathering.serial} has no pass.`)
  return pass
}

export const guestWithMail = (db: DatabaseSync, gathering: Gathering, mail: string): Row | undefined =>
  one(db, 'SELECT * FROM guests WHERE gathering = ? AND folded = ?', gathering.serial, fold(mail))

/** Adds a guest, or changes the one who has this address. Nobody is written to. */
export function putGuest(request: SignedIn, fields: Fields): { guest: GuestOut; fresh: boolean } {
  const { db } = request
  const gathering = ownGathering(request)
  const { given, family, mail, firm, pass, crowd } = readWish(db, gathering, fields)
  const known = guestWithMail(db, gathering, mail)
  const serial = known ? number(known, 'serial') : takeSerial(db, gathering.account)
  const guest: Guest = {
    serial,
    given,
    family,
    mail,
    firm: firm ?? (known ? text(known, 'firm') : ''),
    pass: pass?.serial ?? (known ? number(known, 'pass') : firstPass(db, gathering).serial),
    crowd: crowd ?? (known ? text(known, 'crowd') : crowds[0]),
    arrived: (known && maybeNumber(known, 'arrived')) ?? null,
  }
  run(db, 'DELETE FROM guests WHERE serial = ?', serial)
  insertGuest(db, gathering.serial, guest)
  request.effect(known ? 'guest.change' : 'guest.add', {
    gathering_no: String(gathering.serial),
    guest_no: String(serial),
    ...fields,
  })
  const row = one(db, `${guestSql} WHERE guests.serial = ?`, serial) ?? {}
  return { guest: guestOut(row, gathering), fresh: !known }
}
