import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { metresBetween, type Geo } from './atlas.ts'
import { dayIn } from './clock.ts'
import { nextId } from './ids.ts'
import { invalid, need, needConfirmed, readChoice, readDay, readLine, readText, type Fields } from './input.ts'
import { cut, ownRow, readCount, readOlderThan, readOne } from './lists.ts'

export const audiences = ['self', 'circle', 'world'] as const
export type Audience = (typeof audiences)[number]

const phases = ['any', 'ahead', 'underway', 'behind'] as const

export interface Journey {
  id: number
  account: string
  heading: string
  firstDay: number
  /** Null while it goes on. */
  lastDay: number | null
  blurb: string
  audience: Audience
  companions: string[]
  metres: number
  entries: number
}

function toJourney(db: DatabaseSync, row: Row): Journey {
  const id = number(row, 'id')
  const counted = one(db, 'SELECT count(*) AS n FROM entries WHERE journey = ?', id) ?? {}
  return {
    id,
    account: text(row, 'account'),
    heading: text(row, 'heading'),
    firstDay: number(row, 'first_day'),
    lastDay: maybeNumber(row, 'last_day') ?? null,
    blurb: text(row, 'blurb'),
    audience: audiences.find((audience) => audience === row['audience']) ?? 'self',
    companions: JSON.parse(text(row, 'companions')) as string[],
    metres: number(row, 'metres'),
    entries: number(counted, 'n'),
  }
}

export const ownJourney = (request: SignedIn): Journey => toJourney(request.db, ownRow(request, 'journeys'))

/** Whoever it belongs to. */
export function findJourney(db: DatabaseSync, id: number): Journey | undefined {
  const row = one(db, 'SELECT * FROM journeys WHERE id = ?', id)
  return row && toJourney(db, row)
}

export function homeZone({ db, viewer }: SignedIn): string {
  return text(one(db, 'SELECT zone FROM travellers WHERE account = ?', viewer.account.account) ?? {}, 'zone')
}

/** One page, the latest first day first; what is ahead, underway or behind is so by today's day at home. */
export function listJourneys(request: SignedIn): { rows: Journey[]; olderThan: number | null } {
  const { db, viewer, query, now } = request
  const phase = readOne(query, 'phase', phases)
  const size = readCount(query)
  const behind = readOlderThan(request, 'journeys')
  const today = dayIn(now, homeZone(request))
  const is = `CASE WHEN first_day > ?2 THEN 'ahead' WHEN last_day < ?2 THEN 'behind' ELSE 'underway' END`
  const sql = `SELECT * FROM journeys WHERE account = ?1 AND (?3 = 'any' OR ${is} = ?3)
    AND (first_day < ?4 OR (first_day = ?4 AND id < ?5)) ORDER BY first_day DESC, id DESC LIMIT ?6`
  const place = [behind ? number(behind, 'first_day') : 99_999_999, behind ? number(behind, 'id') : 0]
  const found = all(db, sql, viewer.account.account, today, phase, ...place, size + 1)
  return cut(
    found.map((row) => toJourney(db, row)),
    size,
  )
}

/** Its countries in the order in which they were first reached. */
export function landsOf(db: DatabaseSync, journey: number): string[] {
  const sql = 'SELECT land FROM entries WHERE journey = ? AND land IS NOT NULL ORDER BY at, id'
  return [...new Set(all(db, sql, journey).map((row) => text(row, 'land')))]
}

/** Metres along the pins in their order. */
export function lengthOf(pins: readonly Geo[]): number {
  let metres = 0
  let last: Geo | undefined
  for (const pin of pins) {
    if (last) metres += metresBetween(last, pin)
    last = pin
  }
  return Math.round(metres)
}

/** Measures its way anew, after an entry came or moved. */
export function remeasure(db: DatabaseSync, journey: number): void {
  const sql = 'SELECT lat6, lng6 FROM entries WHERE journey = ? AND lat6 IS NOT NULL ORDER BY at, id'
  const pins = all(db, sql, journey).map((row) => ({ lat6: number(row, 'lat6'), lng6: number(row, 'lng6') }))
  run(db, 'UPDATE journeys SET metres = ? WHERE id = ?', lengthOf(pins), journey)
}

const untravelled = { companions: [], metres: 0, entries: 0 }

export function createJourney(request: SignedIn, fields: Fields): Journey {
  const { db, viewer, effect } = request
  needConfirmed(request)
  const heading = need(readLine(fields, 'heading', 200), 'heading')
  const firstDay = need(readDay(fields, 'first_day'), 'first_day')
  const lastDay = readDay(fields, 'last_day') ?? null
  const blurb = readText(fields, 'blurb', 10_000) ?? ''
  const audience = readChoice(fields, 'audience', audiences) ?? 'self'
  if (lastDay !== null && lastDay < firstDay) {
    throw invalid('DAYS_BACKWARDS', 'last_day is before first_day.', 'last_day')
  }
  const id = nextId(request, 'journeys')
  const sql = `INSERT INTO journeys VALUES (?, ?, ?, ?, ?, ?, ?, '[]', 0)`
  run(db, sql, id, viewer.account.account, heading, firstDay, lastDay, blurb, audience)
  effect('journey.create', { journey: id, heading, first_day: firstDay, last_day: lastDay, blurb, audience })
  return { id, account: viewer.account.account, heading, firstDay, lastDay, blurb, audience, ...untravelled }
}

/** From any audience to any, also the one that it has. Nobody is written to. */
export function setAudience(request: SignedIn, journey: Journey, fields: Fields): Audience {
  needConfirmed(request)
  const audience = need(readChoice(fields, 'audience', audiences), 'audience')
  run(request.db, 'UPDATE journeys SET audience = ? WHERE id = ?', audience, journey.id)
  request.effect('journey.audience', { journey: journey.id, audience })
  return audience
}

interface Tally {
  journeys: number
  entries: number
  /** Different countries. */
  lands: number
  metres: number
}

export function tallyOf({ db, viewer }: SignedIn): Tally {
  const sql = `SELECT count(*) AS journeys, coalesce(sum(metres), 0) AS metres,
    (SELECT count(*) FROM entries WHERE account = ?1) AS entries,
    (SELECT count(DISTINCT land) FROM entries WHERE account = ?1) AS lands FROM journeys WHERE account = ?1`
  const row = one(db, sql, viewer.account.account) ?? {}
  const [journeys, entries, lands] = [number(row, 'journeys'), number(row, 'entries'), number(row, 'lands')]
  return { journeys, entries, lands, metres: number(row, 'metres') }
}
