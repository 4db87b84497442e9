import { all, maybeNumber, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { serialIn, todayHere } from './host.ts'
import type { Span } from './input.ts'

export const bookedStates = ['UPCOMING', 'HERE', 'DONE', 'OFF'] as const
export type StayState = (typeof bookedStates)[number] | 'ASKED' | 'LAPSED' | 'DECLINED'

/** What was decided about a stay; the rest of its state the calendar and the clock tell. */
export type Verdict = 'ASKED' | 'BOOKED' | 'DECLINED' | 'OFF'

/** Somebody asks for a pitch, or has it. */
export interface Stay {
  serial: number
  land: number
  landTitle: string
  pitch: number
  pitchLabel: string
  first: string
  last: string
  mail: string
  come: number
  leave: number
  heads: number
  hello: string
  nightly: number
  cur: string
  until: number | null
  state: StayState
}

export const totalOf = ({ nightly, come, leave }: Pick<Stay, 'nightly' | 'come' | 'leave'>): number =>
  nightly * (leave - come)

const select = `SELECT s.*, p.label, p.land, l.title, l.cur FROM stays s JOIN pitches p ON p.serial = s.pitch
  JOIN lands l ON l.serial = p.land`

/** Of a row with `verdict`, `until`, `come` and `leave`. */
export function stateOf(row: Row, today: number, now: number): StayState {
  const verdict = text(row, 'verdict')
  if (verdict === 'OFF' || verdict === 'DECLINED') return verdict
  if (verdict === 'ASKED') return (maybeNumber(row, 'until') ?? 0) > now ? 'ASKED' : 'LAPSED'
  if (number(row, 'come') > today) return 'UPCOMING'
  return number(row, 'leave') > today ? 'HERE' : 'DONE'
}

function toStay(row: Row, today: number, now: number): Stay {
  return {
    serial: number(row, 'serial'),
    land: number(row, 'land'),
    landTitle: text(row, 'title'),
    pitch: number(row, 'pitch'),
    pitchLabel: text(row, 'label'),
    first: text(row, 'first'),
    last: text(row, 'last'),
    mail: text(row, 'mail'),
    come: number(row, 'come'),
    leave: number(row, 'leave'),
    heads: number(row, 'heads'),
    hello: text(row, 'hello'),
    nightly: number(row, 'nightly'),
    cur: text(row, 'cur'),
    until: maybeNumber(row, 'until') ?? null,
    state: stateOf(row, today, now),
  }
}

/** Whose arrival is in the span, soonest first. */
export function listStays(request: SignedIn, land: number, { first, last }: Span, state: StayState): Stay[] {
  const { db, viewer, now } = request
  const today = todayHere(request)
  const sql = `${select} WHERE s.account = ?1 AND (?2 = 0 OR p.land = ?2) AND s.come BETWEEN ?3 AND ?4
    ORDER BY s.come, s.serial`
  return all(db, sql, viewer.account.account, land, first, last)
    .map((row) => toStay(row, today, now))
    .filter((stay) => stay.state === state)
}

/** Those that still wait for an answer, soonest end first. */
export function listAsks(request: SignedIn, land: number): Stay[] {
  const { db, viewer, now } = request
  const sql = `${select} WHERE s.account = ?1 AND (?2 = 0 OR p.land = ?2) AND s.verdict = 'ASKED' AND s.until > ?3
    ORDER BY s.until, s.serial`
  const today = todayHere(request)
  return all(db, sql, viewer.account.account, land, now).map((row) => toStay(row, today, now))
}

/** Those that were not called off and are over, latest end first. */
export function listPaidStays(request: SignedIn): Stay[] {
  const { db, viewer, now } = request
  const today = todayHere(request)
  const sql = `${select} WHERE s.account = ? AND s.verdict = 'BOOKED' AND s.leave <= ? ORDER BY s.leave DESC, s.serial DESC`
  return all(db, sql, viewer.account.account, today).map((row) => toStay(row, today, now))
}

export function ownStay(request: SignedIn, id = request.params['stay']): Stay {
  const { db, viewer, now } = request
  const row = one(db, `${select} WHERE s.serial = ? AND s.account = ?`, serialIn('S', id), viewer.account.account)
  if (!row) throw new Refusal(404, 'STAY_NOT_FOUND', 'None of your stays or asks has this id.', 'stay')
  return toStay(row, todayHere(request), now)
}
