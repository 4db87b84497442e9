import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../platform/body.ts'
import { hash32 } from '../platform/random.ts'
import { all, count, maybeNumber, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { asAnswer, type Guest, type Party, type Track } from './entities.ts'
import { fold, invalid, readMail, readPhone, readText, requireText } from './input.ts'
import { numberIn, type Wish } from './paging.ts'
import { nextSerial } from './parties.ts'

const select = `SELECT g.*, (SELECT json_group_array(name) FROM (SELECT name FROM labels WHERE guest = g.serial
  ORDER BY rowid)) AS labels FROM guests g`

const trackSql = (now: number): string =>
  `CASE WHEN released IS NULL THEN 'HELD' WHEN released > ${now} THEN 'QUEUED' ELSE answer END`

function toGuest(row: Row): Guest {
  const labels: unknown = JSON.parse(text(row, 'labels'))
  return {
    serial: number(row, 'serial'),
    party: number(row, 'party'),
    called: text(row, 'called'),
    mail: text(row, 'mail'),
    mobile: text(row, 'mobile'),
    household: text(row, 'household'),
    seats: number(row, 'seats'),
    released: maybeNumber(row, 'released') ?? null,
    answer: asAnswer(text(row, 'answer')) ?? 'DELIVERED',
    headcount: number(row, 'headcount'),
    labels: Array.isArray(labels) ? labels.map(String) : [],
    made: number(row, 'made'),
    key: text(row, 'key'),
  }
}

export function findGuest(db: DatabaseSync, party: Party, serial: number): Guest {
  const row = one(db, `${select} WHERE g.serial = ? AND g.party = ?`, serial, party.serial)
  if (!row) throw new Refusal(404, 'GUEST_NOT_FOUND', 'Nobody on the guest list has this number.')
  return toGuest(row)
}

export const ownGuest = ({ db, params }: SignedIn, party: Party): Guest =>
  findGuest(db, party, numberIn(params['guest']))

/** The guest behind a link; nobody before the invitation went out. */
export function guestByKey(db: DatabaseSync, key: string, now: number): Guest {
  const row = one(db, `${select} WHERE g.key = ? AND g.released <= ?`, key, now)
  if (!row) throw new Refusal(404, 'INVITATION_NOT_FOUND', 'There is no invitation at this address.')
  return toGuest(row)
}

interface GuestFilter {
  track: Track | undefined
  label: string | undefined
  find: string
}

/** Newest first. */
export function listGuests(request: SignedIn, party: Party, filter: GuestFilter, { size, after }: Wish): Guest[] {
  const sql = `${select} WHERE party = ?1 AND serial < ?2 AND (?3 IS NULL OR ${trackSql(request.now * 1000)} = ?3)
    AND (?4 IS NULL OR EXISTS (SELECT 1 FROM labels WHERE guest = g.serial AND name = ?4)) AND instr(folded, ?5) > 0
    ORDER BY serial DESC LIMIT ?6`
  const { track = null, label = null, find } = filter
  const below = after ?? Number.MAX_SAFE_INTEGER
  return all(request.db, sql, party.serial, below, track, label, find, size).map(toGuest)
}

/** In the order in which they were added. */
export const allGuests = (db: DatabaseSync, party: Party): Guest[] =>
  all(db, `${select} WHERE party = ? ORDER BY serial`, party.serial).map(toGuest)

export const heldTotal = (db: DatabaseSync, party: Party): number =>
  count(db, 'guests WHERE party = ? AND released IS NULL', party.serial)

export function tallyOf(db: DatabaseSync, party: Party, now: number): Record<string, number> {
  const sql = `SELECT ${trackSql(now)} AS track, count(*) AS n FROM guests WHERE party = ? GROUP BY 1 ORDER BY 1`
  return Object.fromEntries(all(db, sql, party.serial).map((row) => [text(row, 'track'), number(row, 'n')]))
}

const fields = ['calledAs', 'mail', 'mobile', 'household', 'seats']

function readGuest(value: unknown): Pick<Guest, 'called' | 'mail' | 'mobile' | 'household' | 'seats'> {
  if (!isRecord(value)) throw invalid('PERSON_INVALID', 'A person is { "calledAs", "mail", … }.', 'people')
  for (const name of Object.keys(value)) {
    if (!fields.includes(name)) throw invalid('FIELD_UNKNOWN', `People have no ${name}.`, name)
  }
  const called = requireText(value['calledAs'], 'calledAs', 120)
  const mail = readMail(value['mail'], 'mail')
  const mobile = readPhone(value['mobile'], 'mobile')
  if (mail === '' && mobile === '') throw invalid('MAIL_OR_MOBILE', 'Give mail or mobile of everybody.', 'mail')
  const seats = value['seats'] ?? 1
  if (typeof seats !== 'number' || !Number.isInteger(seats) || seats < 1 || seats > 100) {
    throw invalid('SEATS_INVALID', 'seats must be a whole number from 1 to 100.', 'seats')
  }
  return { called, mail, mobile, household: readText(value['household'], 'household', 120), seats }
}

/** All of them go on the unsent list, or none. */
export function addGuests(request: SignedIn, party: Party, people: unknown): Guest[] {
  const { db, now } = request
  if (!Array.isArray(people) || people.length === 0)
    throw invalid('PEOPLE_REQUIRED', 'people must be a list.', 'people')
  if (people.length > 200) throw invalid('TOO_MANY_PEOPLE', 'Add 200 people at most at a time.', 'people')
  const first = nextSerial(db, 'guests', party.account)
  const guests = people.map((person, index): Guest => {
    const serial = first + index
    const rest = { released: null, answer: 'DELIVERED', headcount: 0, made: now * 1000 } as const
    return { ...readGuest(person), ...rest, labels: [], serial, party: party.serial, key: keyOf(party, serial) }
  })
  insertGuests(db, party.account, guests)
  const added = guests.map(({ serial, called, mail, mobile, household, seats }) => {
    return { guestNo: serial, calledAs: called, mail, mobile, household, seats }
  })
  request.effect('guests.add', { partyNo: party.serial, people: added })
  return guests
}

/** Looks random, but is the same after every reset. */
export const keyOf = ({ account }: Party, serial: number): string =>
  `${hash32(`invitation ${account} ${serial}`).toString(36)}${serial.toString(36)}`

export function insertGuests(db: DatabaseSync, account: string, guests: readonly Guest[]): void {
  const insert = db.prepare('INSERT INTO guests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const label = db.prepare('INSERT INTO labels VALUES (?, ?, ?)')
  for (const g of guests) {
    const who = [g.called, g.mail, g.mobile, g.household, g.seats] as const
    const how = [g.released, g.answer, g.headcount, g.made, g.key] as const
    insert.run(g.serial, account, g.party, ...who, ...how, fold(g.called, g.mail, [g.mobile]))
    for (const name of g.labels) label.run(g.serial, g.party, name)
  }
}
