import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import type { Days, Slice } from './params.ts'

/** `own`: one of the salon's own states, whose word is in `own`. */
export const states = ['planned', 'agreed', 'done', 'called_off', 'missed', 'own'] as const
export type State = (typeof states)[number]

/** What keeps no chair busy, and does not count as having been there. */
export const gone = ['called_off', 'missed'] as const

export interface Visit {
  id: string
  account: string
  n: number
  guest: string
  stylist: string
  branch: string
  starts: number
  ends: number
  /** At the branch. */
  day: number
  items: { id: string; label: string }[]
  state: State
  own: string | null
  remark: string
  reason: string | null
}

/** With what other tables know. */
export interface ShownVisit extends Visit {
  guestName: string
  stylistName: string
  zone: string
}

const select = `SELECT v.*, g.name AS guest_name, s.name AS stylist_name, b.zone FROM visits v
  JOIN guests g ON g.id = v.guest JOIN stylists s ON s.id = v.stylist JOIN branches b ON b.id = v.branch`

function toVisit(row: Row): ShownVisit {
  const state = states.find((known) => known === text(row, 'state'))
  if (!state) throw new TypeError(`Visit ${text(row, 'id')} has no known state.`)
  return {
    id: text(row, 'id'),
    account: text(row, 'account'),
    n: number(row, 'n'),
    guest: text(row, 'guest'),
    stylist: text(row, 'stylist'),
    branch: text(row, 'branch'),
    starts: number(row, 'starts'),
    ends: number(row, 'ends'),
    day: number(row, 'day'),
    items: JSON.parse(text(row, 'items')) as Visit['items'],
    state,
    own: maybeText(row, 'own') ?? null,
    remark: text(row, 'remark'),
    reason: maybeText(row, 'reason') ?? null,
    guestName: text(row, 'guest_name'),
    stylistName: text(row, 'stylist_name'),
    zone: text(row, 'zone'),
  }
}

/** A visit to this salon; somebody else's does not exist. */
export function findVisit(db: DatabaseSync, account: string, id: string): ShownVisit {
  const row = one(db, `${select} WHERE v.id = ? AND v.account = ? AND v.died IS NULL`, id, account)
  if (!row) throw new Refusal(404, 'VISIT_NOT_FOUND', 'There is no visit with this id.')
  return toVisit(row)
}

export interface VisitFilter {
  days: Days
  state: State | undefined
  own: string | undefined
  guest: string | undefined
  stylist: string | undefined
  branch: string | undefined
}

/** By start, earliest first, as it stood at `slice.asOf`. */
export function listVisits(
  db: DatabaseSync,
  account: string,
  filter: VisitFilter,
  slice: Slice,
): { rows: ShownVisit[]; total: number } {
  const { tick } = slice.asOf
  const where = ['v.account = ?', 'v.day BETWEEN ? AND ?', 'v.born <= ?', '(v.died IS NULL OR v.died > ?)']
  const values: (string | number)[] = [account, filter.days.first, filter.days.last, tick, tick]
  for (const name of ['state', 'own', 'guest', 'stylist', 'branch'] as const) {
    const value = filter[name]
    if (value === undefined) continue
    where.push(`v.${name} = ?`)
    values.push(value)
  }
  const condition = where.join(' AND ')
  const sql = `${select} WHERE ${condition} ORDER BY v.starts, v.n LIMIT ? OFFSET ?`
  return {
    rows: all(db, sql, ...values, slice.limit, slice.offset).map(toVisit),
    total: count(db, `visits v WHERE ${condition}`, ...values),
  }
}

/** All of one guest, latest first. */
export function visitsOf(db: DatabaseSync, guest: string): ShownVisit[] {
  return all(db, `${select} WHERE v.guest = ? AND v.died IS NULL ORDER BY v.starts DESC, v.n DESC`, guest).map(toVisit)
}

export interface Span {
  starts: number
  ends: number
}

/** When somebody's chair is taken between two moments: visits that take place, and time off. */
export function busy(db: DatabaseSync, stylist: string, span: Span, except = ''): (Span & { off: boolean })[] {
  const sql = `SELECT starts, ends, 0 AS off FROM visits WHERE stylist = ? AND starts < ? AND ends > ? AND died IS NULL
      AND state NOT IN ('${gone.join("', '")}') AND id <> ?
    UNION ALL SELECT starts, ends, 1 FROM time_off WHERE stylist = ? AND starts < ? AND ends > ?`
  const between = [stylist, span.ends, span.starts]
  return all(db, sql, ...between, except, ...between).map((row) => ({
    starts: number(row, 'starts'),
    ends: number(row, 'ends'),
    off: number(row, 'off') === 1,
  }))
}

/** The visit's first version, or its next one. */
export function putVisit(db: DatabaseSync, visit: Visit, tick: number): void {
  run(db, 'UPDATE visits SET died = ? WHERE id = ? AND died IS NULL', tick, visit.id)
  insertVisit(db, visit, tick)
}

export function insertVisit(db: DatabaseSync, v: Visit, tick: number): void {
  const sql = 'INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)'
  const place = [v.guest, v.stylist, v.branch, v.starts, v.ends, v.day]
  const rest = [JSON.stringify(v.items), v.state, v.own, v.remark, v.reason, tick]
  run(db, sql, v.id, v.account, v.n, ...place, ...rest)
}

export function nextVisitNumber(db: DatabaseSync, account: string): number {
  return number(one(db, 'SELECT coalesce(max(n), 0) + 1 AS n FROM visits WHERE account = ?', account) ?? {}, 'n')
}
