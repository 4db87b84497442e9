import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type Reply, type SignedIn } from '../platform/types.ts'
import { fold, invalid, readQuery } from './input.ts'

export interface Gathering {
  serial: number
  account: string
  called: string
  zone: string
  firstDay: string
  lastDay: string
  /** Midnight in its zone before the first day and after the last one. */
  opens: number
  closes: number
  venue: string
  cur: string
  signup: string
  /** When its wrap-up was asked for. */
  wrapped: number | undefined
}

export function toGathering(row: Row): Gathering {
  return {
    serial: number(row, 'serial'),
    account: text(row, 'account'),
    called: text(row, 'called'),
    zone: text(row, 'zone'),
    firstDay: text(row, 'first_day'),
    lastDay: text(row, 'last_day'),
    opens: number(row, 'opens'),
    closes: number(row, 'closes'),
    venue: text(row, 'venue'),
    cur: text(row, 'cur'),
    signup: text(row, 'signup'),
    wrapped: maybeNumber(row, 'wrapped'),
  }
}

/** A number as ids are written; 0, which nothing has, for anything else. */
export const serialIn = (words: string | undefined): number => (/^[1-9]\d{0,14}$/.test(words ?? '') ? Number(words) : 0)

/** One of the account's own; any other does not exist. */
export function findGathering({ db, viewer }: SignedIn, serial: number): Gathering {
  const row = one(db, 'SELECT * FROM gatherings WHERE serial = ? AND account = ?', serial, viewer.account.account)
  if (!row) throw new Refusal(404, 'GATHERING_NOT_FOUND', 'You have no gathering with this number.')
  return toGathering(row)
}

export const ownGathering = (request: SignedIn): Gathering =>
  findGathering(request, serialIn(request.params['gathering']))

export const isOver = ({ closes }: Gathering, now: number): boolean => closes <= now

export const gatheringOut = (gathering: Gathering, now: number) => ({
  gathering_no: String(gathering.serial),
  called: gathering.called,
  days: { first: gathering.firstDay, last: gathering.lastDay },
  zone: gathering.zone,
  phase: isOver(gathering, now) ? 'OVER' : 'AHEAD',
  venue: gathering.venue,
  wrap_up: gathering.wrapped === undefined ? 'NONE' : 'READY',
})

/** The one that begins last comes first. */
export function listGatherings({ db, viewer, query, now }: SignedIn): Gathering[] {
  const { phase } = readQuery(query, ['phase'])
  if (phase !== undefined && phase !== 'AHEAD' && phase !== 'OVER') {
    throw new Refusal(400, 'PARAMETER_INVALID', 'phase must be AHEAD or OVER.', 'phase')
  }
  const sql = 'SELECT * FROM gatherings WHERE account = ? ORDER BY first_day DESC, serial DESC'
  const gatherings = all(db, sql, viewer.account.account).map(toGathering)
  return phase === undefined ? gatherings : gatherings.filter((one) => isOver(one, now) === (phase === 'OVER'))
}

export interface Pass {
  serial: number
  label: string
  price: number
}

export const passesOf = (db: DatabaseSync, gathering: Gathering): Pass[] =>
  all(db, 'SELECT * FROM passes WHERE gathering = ? ORDER BY serial', gathering.serial).map((row) => ({
    serial: number(row, 'serial'),
    label: text(row, 'label'),
    price: number(row, 'price'),
  }))

export function passCalled(db: DatabaseSync, gathering: Gathering, label: string): Pass {
  const passes = passesOf(db, gathering)
  const found = passes.find((pass) => fold(pass.label) === fold(label))
  if (!found) throw invalid('PASS_UNKNOWN', `The passes are ${passes.map((pass) => pass.label).join(', ')}.`, 'pass')
  return found
}

/** The pass in a row of guests or bookings that is joined with passes. */
export const passOut = (row: Row) => ({ pass_no: String(number(row, 'pass')), label: text(row, 'label') })

export const crowds = ['Delegate', 'Speaker', 'Exhibitor', 'Sponsor', 'Press', 'Crew'] as const

export function crowdCalled(label: string): string {
  const found = crowds.find((crowd) => fold(crowd) === fold(label))
  if (!found) throw invalid('CROWD_UNKNOWN', `The crowds are ${crowds.join(', ')}.`, 'crowd')
  return found
}

/** The next number of an account: they rise, and never meet those of another one. */
export function takeSerial(db: DatabaseSync, account: string): number {
  return number(
    one(db, 'UPDATE organizers SET last = last + 1 WHERE account = ? RETURNING last', account) ?? {},
    'last',
  )
}

/** What door staff may not do or see. */
export const organizers =
  (handle: (request: SignedIn) => Reply) =>
  (request: SignedIn): Reply => {
    if (request.viewer.account.kind !== 'organizer') {
      throw new Refusal(403, 'ORGANIZER_ONLY', 'Only organizers may do this, not door staff.')
    }
    return handle(request)
  }
