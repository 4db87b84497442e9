import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { vaccineName, vaccines } from './catalog.ts'
import { ownPet, type Pet } from './clients.ts'
import { shiftMonths, slashed } from './clock.ts'
import { invalid, readDay, readText, required, type Slice } from './input.ts'
import { idOf, need, nextRev, nextSerial, salonOf, type Salon } from './salon.ts'
import { ticketsAhead } from './tickets.ts'

const noteKinds = ['gen', 'grm', 'prs', 'med'] as const

type Fields = Readonly<Record<string, unknown>>

/** Changes the notes that are given and leaves the others; an empty text clears one. */
export function noteDown(request: SignedIn, sent: Fields): Pet {
  const { db, params } = request
  const salon = salonOf(request)
  need(salon, 'pets')
  const pet = ownPet(db, salon, params['pet'] ?? '')
  const given = noteKinds.filter((kind) => sent[kind] !== undefined)
  if (given.length === 0) throw invalid('NOTHING_TO_CHANGE', 'Give at least one note.', 'gen')
  const notes = Object.fromEntries(given.map((kind) => [kind, readText(sent[kind], kind, 2000)]))
  const changed = { ...pet, ...notes }
  const { gen, grm, prs, med, serial } = changed
  run(db, 'UPDATE pets SET gen = ?, grm = ?, prs = ?, med = ? WHERE serial = ?', gen, grm, prs, med, serial)
  request.effect('pet.notes', { pet: idOf('pet', serial), ...notes })
  return changed
}

export interface Shot {
  serial: number
  pet: number
  vx: string
  expires: string
}

export function addShot(request: SignedIn, sent: Fields): Shot {
  const { db, params } = request
  const salon = salonOf(request)
  need(salon, 'pets')
  const pet = ownPet(db, salon, params['pet'] ?? '')
  const wanted = readText(required(sent['vx'], 'vx'), 'vx', 100)
  const vaccine = vaccines.find(({ vx }) => vx === wanted)
  if (!vaccine) throw invalid('VAX_UNKNOWN', `There is no vaccine ${wanted}.`, 'vx')
  const expires = readDay(sent['exp'], 'exp')
  if (expires < salon.today) throw invalid('EXP_PASSED', 'exp must not be before today.', 'exp')
  if (expires > shiftMonths(salon.today, 120)) throw invalid('EXP_TOO_FAR', 'exp is 10 years ahead at most.', 'exp')
  const shot = { serial: nextSerial(db, 'shots', salon), pet: pet.serial, vx: vaccine.vx, expires }
  if (count(db, 'shots WHERE pet = ? AND vx = ? AND expires = ?', pet.serial, shot.vx, expires) > 0) {
    throw new Refusal(409, 'SHOT_KNOWN', 'This vaccination is on record already.', 'exp')
  }
  insertShots(db, salon.account, [shot], nextRev(db, salon))
  request.effect('pet.shot', {
    shot: idOf('shot', shot.serial),
    pet: idOf('pet', pet.serial),
    vx: shot.vx,
    exp: slashed(expires),
  })
  return shot
}

export function insertShots(db: DatabaseSync, account: string, shots: readonly Shot[], since: number): void {
  const insert = db.prepare('INSERT INTO shots VALUES (?, ?, ?, ?, ?, ?)')
  for (const { serial, pet, vx, expires } of shots) insert.run(serial, account, pet, vx, expires, since)
}

/** The latest expiry of each vaccine that a pet has a record of, soonest first. */
export const shotsOf = (db: DatabaseSync, pet: number): { vx: string; ttl: string; exp: string }[] =>
  all(db, 'SELECT vx, max(expires) AS expires FROM shots WHERE pet = ? GROUP BY vx ORDER BY 2, 1', pet).map((row) => ({
    vx: text(row, 'vx'),
    ttl: vaccineName(text(row, 'vx')),
    exp: slashed(text(row, 'expires')),
  }))

export interface Alert {
  pet: number
  petName: string
  client: number
  clientName: string
  vx: string
  expires: string
  next: { serial: number; begins: string } | undefined
}

/** What has expired or expires within 3 months, of that what expires before a day; soonest first. */
export function listAlerts(
  db: DatabaseSync,
  { account }: Salon,
  { before, coming }: { before: string; coming: boolean },
  slice: Slice,
): { tot: number; rows: Alert[] } {
  const sql = `SELECT s.pet, s.vx, max(s.expires) AS expires, p.name AS pet_name, p.client, c.name AS client_name
    FROM shots s JOIN pets p ON p.serial = s.pet JOIN clients c ON c.serial = p.client
    WHERE s.account = ? AND s.since <= ? GROUP BY s.pet, s.vx HAVING max(s.expires) < ? AND max(s.expires) <= ?
    ORDER BY max(s.expires), s.pet, s.vx`
  const flagged = shiftMonths(slice.now.slice(0, 10), 3)
  const found = all(db, sql, account, slice.rev, before, flagged)
    .map((row) => ({
      pet: number(row, 'pet'),
      petName: text(row, 'pet_name'),
      client: number(row, 'client'),
      clientName: text(row, 'client_name'),
      vx: text(row, 'vx'),
      expires: text(row, 'expires'),
      next: ticketsAhead(db, 'pet', number(row, 'pet'), slice)[0],
    }))
    .filter(({ next }) => !coming || next !== undefined)
  return { tot: found.length, rows: found.slice(slice.off, slice.off + slice.lim) }
}
