import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { invalid, maybeWords, moment, readBody } from './params.ts'
import { idOf, need } from './salon.ts'
import { branchesOf, findStylist, type Stylist } from './shop.ts'
import { busy } from './visits.ts'
import { wallAt } from './zones.ts'

export const offKinds = ['pause', 'course', 'office'] as const
type OffKind = (typeof offKinds)[number]

export interface TimeOff {
  id: string
  stylist: string
  kind: OffKind
  label: string
  starts: number
  ends: number
}

/** From a moment on, earliest first. */
export function timeOffOf(db: DatabaseSync, stylist: string, from: number): TimeOff[] {
  const sql = 'SELECT * FROM time_off WHERE stylist = ? AND ends > ? ORDER BY starts, rowid LIMIT 200'
  return all(db, sql, stylist, from).map((row) => ({
    id: text(row, 'id'),
    stylist,
    kind: offKinds.find((kind) => kind === text(row, 'kind')) ?? 'pause',
    label: text(row, 'label'),
    starts: number(row, 'starts'),
    ends: number(row, 'ends'),
  }))
}

/** The clock that somebody's day follows: that of the first branch of the day. */
export function zoneOf(db: DatabaseSync, account: string, stylist: Stylist): string {
  const [shift] = stylist.shifts
  return branchesOf(db, account).find(({ id }) => id === shift?.branch)?.zone ?? 'Etc/UTC'
}

export function insertTimeOff(db: DatabaseSync, account: string, off: Omit<TimeOff, 'id'>): TimeOff {
  const id = idOf(account, 'time off', count(db, 'time_off WHERE account = ?', account) + 1)
  const { stylist, kind, label, starts, ends } = off
  run(db, 'INSERT INTO time_off VALUES (?, ?, ?, ?, ?, ?, ?)', id, account, stylist, kind, label, starts, ends)
  return { id, ...off }
}

/** Keeps somebody's chair free of bookings. Never over a visit; over other time off it may lie. */
export function blockTime(request: SignedIn, json: unknown): { off: TimeOff; zone: string } {
  need(request, 'diary')
  const { db, viewer, params, now } = request
  const { account } = viewer.account
  const stylist = findStylist(db, account, params['stylist'] ?? '')
  const body = readBody(json, ['kind', 'begin_local', 'finish_local', 'tz', 'label'])
  const kind = offKinds.find((known) => known === body['kind'])
  if (!kind) throw invalid('kind', `kind must be one of ${offKinds.join(', ')}.`, 'KIND_INVALID')
  const label = maybeWords(body, 'label', 200) ?? ''
  const span = { starts: moment(body, 'begin_local'), ends: moment(body, 'finish_local') }
  if (span.ends <= span.starts) throw invalid('finish_local', 'It must end after it begins.', 'TIME_ORDER')
  if (span.ends <= now) throw invalid('finish_local', 'This time has passed.', 'TIME_PASSED')
  const zone = zoneOf(db, account, stylist)
  if (wallAt(span.starts, zone).day !== wallAt(span.ends - 60, zone).day) {
    throw invalid('finish_local', `It must begin and end on one day in ${zone}.`, 'TIME_TOO_LONG')
  }
  if (busy(db, stylist.id, span).some(({ off }) => !off)) {
    throw invalid('begin_local', `${stylist.name} has a visit at this time: move it first.`, 'TIME_TAKEN')
  }
  const off = insertTimeOff(db, account, { stylist: stylist.id, kind, label, ...span })
  request.effect('time_off.add', { time_off: off.id, stylist: stylist.id, kind, label, ...span })
  return { off, zone }
}
