import { all, maybeNumber, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import type { Span } from './input.ts'
import { conflict, ownStudio, serialIn } from './studio.ts'

/** A class on a day. */
export interface Slot {
  serial: number
  series: number
  title: string
  topic: string
  coach: string
  places: number
  day: string
  minutes: number
  start: number
  off: boolean
  /** Spots that are taken, and people who wait for one. */
  booked: number
  waiting: number
}

const select = `SELECT s.*, (SELECT count(*) FROM entries WHERE slot = s.serial AND st IN ('RSV', 'IN')) AS booked,
  (SELECT count(*) FROM entries WHERE slot = s.serial AND st = 'WL') AS waiting FROM slots s`

const toSlot = (row: Row): Slot => ({
  serial: number(row, 'serial'),
  series: number(row, 'series'),
  title: text(row, 'title'),
  topic: text(row, 'topic'),
  coach: text(row, 'coach'),
  places: number(row, 'places'),
  day: text(row, 'day'),
  minutes: number(row, 'minutes'),
  start: number(row, 'start'),
  off: number(row, 'off') === 1,
  booked: number(row, 'booked'),
  waiting: number(row, 'waiting'),
})

export const listSlots = ({ db, viewer }: SignedIn, { from, to }: Span): Slot[] =>
  all(
    db,
    `${select} WHERE s.account = ? AND s.day BETWEEN ? AND ? AND s.off = 0 ORDER BY s.start, s.serial`,
    viewer.account.account,
    from,
    to,
  ).map(toSlot)

export function ownSlot({ db, viewer, params }: SignedIn): Slot {
  const sql = `${select} WHERE s.account = ? AND s.serial = ?`
  const row = one(db, sql, viewer.account.account, serialIn('S', params['slot']))
  if (!row) throw new Refusal(404, 'SLOT_NOT_FOUND', 'There is no such class.', 'slot')
  return toSlot(row)
}

/** The class, where it was not called off. */
export function slotOn(request: SignedIn): Slot {
  const slot = ownSlot(request)
  if (slot.off) throw conflict('SLOT_OFF', 'This class was called off.')
  return slot
}

export function slotAhead(request: SignedIn): Slot {
  const slot = slotOn(request)
  if (slot.start <= request.now) throw conflict('SLOT_STARTED', 'This class has begun.')
  return slot
}

/** This class and the later ones of its series. */
export const slotsOnward = ({ db, viewer }: SignedIn, { series, start }: Slot): Slot[] =>
  all(
    db,
    `${select} WHERE s.account = ? AND s.series = ? AND s.start >= ? AND s.off = 0 ORDER BY s.start`,
    viewer.account.account,
    series,
    start,
  ).map(toSlot)

type Mark = 'RSV' | 'IN' | 'WL' | 'LC' | 'NS'

export interface Entry {
  serial: number
  slot: number
  title: string
  day: string
  client: number
  full: string
  pass: number | undefined
  st: Mark
}

const marks: readonly Mark[] = ['RSV', 'IN', 'WL', 'LC']

/** Who still had a reservation when the day was over did not come. */
function toEntry(row: Row, today: string): Entry {
  const stored = marks.find((one) => one === row['st'])
  if (!stored) throw new TypeError('An entry has no mark.')
  const day = text(row, 'day')
  return {
    serial: number(row, 'serial'),
    slot: number(row, 'slot'),
    title: text(row, 'title'),
    day,
    client: number(row, 'client'),
    full: text(row, 'full'),
    pass: maybeNumber(row, 'pass'),
    st: stored === 'RSV' && day < today ? 'NS' : stored,
  }
}

const entries = `SELECT e.*, s.title, s.day, c.full FROM entries e JOIN slots s ON s.serial = e.slot
  JOIN clients c ON c.serial = e.client`

export function entriesIn(request: SignedIn, slot: number): Entry[] {
  const { today } = ownStudio(request)
  return all(request.db, `${entries} WHERE e.slot = ? ORDER BY e.serial`, slot).map((row) => toEntry(row, today))
}

/** Latest class first. */
export function visitsOf(request: SignedIn, client: number): Entry[] {
  const { today } = ownStudio(request)
  const sql = `${entries} WHERE e.client = ? ORDER BY s.start DESC, s.serial DESC LIMIT 25`
  return all(request.db, sql, client).map((row) => toEntry(row, today))
}

/** Who did not come or cancelled late, in order of the class. */
export function missesIn(request: SignedIn, { from, to }: Span, kind: 'NS' | 'LC' | undefined): Entry[] {
  const { today } = ownStudio(request)
  const sql = `${entries} WHERE e.account = ? AND s.day BETWEEN ? AND ? AND e.st IN ('RSV', 'LC') ORDER BY s.start, e.serial`
  return all(request.db, sql, request.viewer.account.account, from, to)
    .map((row) => toEntry(row, today))
    .filter(({ st }) => (kind === undefined ? st === 'NS' || st === 'LC' : st === kind))
}
