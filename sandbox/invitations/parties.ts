import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { isZone } from './clock.ts'
import { asFormat, asStanding, type Party, type Stage } from './entities.ts'
import { invalid, onlyFields, readMoment, readText, requireText } from './input.ts'
import { numberIn, type Wish } from './paging.ts'

function toParty(row: Row): Party {
  return {
    serial: number(row, 'serial'),
    account: text(row, 'account'),
    headline: text(row, 'headline'),
    format: asFormat(text(row, 'format')) ?? 'CARD',
    starts: number(row, 'starts'),
    zone: text(row, 'zone'),
    venue: text(row, 'venue'),
    host: text(row, 'host'),
    standing: asStanding(text(row, 'standing')) ?? 'COHOST',
    made: number(row, 'made'),
    dispatched: maybeNumber(row, 'dispatched') ?? null,
  }
}

/** A party that this account hosts or helps to host; any other does not exist. */
export function ownParty({ db, viewer, params }: SignedIn): Party {
  const sql = 'SELECT * FROM parties WHERE serial = ? AND account = ?'
  const row = one(db, sql, numberIn(params['party']), viewer.account.account)
  if (!row) throw new Refusal(404, 'PARTY_NOT_FOUND', 'You have no party with this number.')
  return toParty(row)
}

/** Whatever the account, for those who hold a link into it. */
export function anyParty(db: DatabaseSync, serial: number): Party | undefined {
  const row = one(db, 'SELECT * FROM parties WHERE serial = ?', serial)
  return row && toParty(row)
}

const stageSql: Readonly<Record<Stage, string>> = {
  DRAFT: 'dispatched IS NULL',
  QUEUED: 'dispatched > ?2',
  OUT: 'dispatched <= ?2',
}

/** Newest first. */
export function listParties(request: SignedIn, stage: Stage | undefined, { size, after }: Wish): Party[] {
  const { db, viewer, now } = request
  const sql = `SELECT * FROM parties WHERE account = ?1 AND ?2 > 0 ${stage ? `AND ${stageSql[stage]}` : ''}
    AND serial < ?3 ORDER BY serial DESC LIMIT ?4`
  return all(db, sql, viewer.account.account, now * 1000, after ?? Number.MAX_SAFE_INTEGER, size).map(toParty)
}

export function createParty(request: SignedIn): Party {
  const { db, viewer, form } = request
  const { account, person } = viewer.account
  onlyFields(form, ['headline', 'format', 'startsMs', 'zone', 'venue'])
  const format = asFormat(form.get('format') ?? '')
  if (!format) throw invalid('FORMAT_INVALID', 'format must be CARD or FLYER.', 'format')
  const starts = readMoment(form.get('startsMs'), 'startsMs', request.now * 1000)
  if (starts === undefined) throw invalid('FIELD_REQUIRED', 'startsMs is required.', 'startsMs')
  const zone = form.get('zone') ?? ''
  if (!isZone(zone)) throw invalid('ZONE_UNKNOWN', 'zone must be a time zone such as Europe/Lisbon.', 'zone')
  const party: Party = {
    serial: nextSerial(db, 'parties', account),
    account,
    headline: requireText(form.get('headline'), 'headline', 200),
    format,
    starts,
    zone,
    venue: readText(form.get('venue'), 'venue', 500),
    host: person,
    standing: 'HOST',
    made: request.now * 1000,
    dispatched: null,
  }
  insertParty(db, party)
  const { serial, headline, venue } = party
  request.effect('party.create', { partyNo: serial, headline, format, startsMs: starts, zone, venue })
  return party
}

export function insertParty(db: DatabaseSync, p: Party): void {
  const values = [p.serial, p.account, p.headline, p.format, p.starts, p.zone, p.venue, p.host, p.standing] as const
  run(db, 'INSERT INTO parties VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values, p.made, p.dispatched)
}

/** Serials rise within an account and never meet those of another one. */
export function nextSerial(db: DatabaseSync, of: 'parties' | 'guests' | 'letters' | 'cards', account: string): number {
  const sql = `SELECT coalesce((SELECT max(serial) FROM ${of} WHERE account = ?1), ordinal * 100000) + 1 AS serial
    FROM members WHERE account = ?1`
  return number(one(db, sql, account) ?? {}, 'serial')
}
