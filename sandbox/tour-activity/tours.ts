import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

export interface Tour {
  serial: number
  account: string
  /** Part of the address of its shop page. */
  key: string
  title: string
  town: string
  zone: string
  /** `LIVE`, `PAUSED`, or `CHECKING` by the editors, before there is a calendar. */
  state: string
  /** Of one person, in minor units. */
  price: number
}

export const tourId = (serial: number): string => `T${serial}`

const toTour = (row: Row): Tour => ({
  serial: number(row, 'serial'),
  account: text(row, 'account'),
  key: text(row, 'key'),
  title: text(row, 'title'),
  town: text(row, 'town'),
  zone: text(row, 'zone'),
  state: text(row, 'state'),
  price: number(row, 'price'),
})

export const listTours = (db: DatabaseSync, account: string): Tour[] =>
  all(db, 'SELECT * FROM tours WHERE account = ? ORDER BY serial', account).map(toTour)

export function ownTour({ db, viewer, params }: SignedIn, id = params['act'] ?? ''): Tour {
  const serial = /^T(\d{1,12})$/.exec(id)?.[1]
  const sql = 'SELECT * FROM tours WHERE serial = ? AND account = ?'
  const row = serial === undefined ? undefined : one(db, sql, Number(serial), viewer.account.account)
  if (!row) throw new Refusal(404, 'TOUR_NOT_FOUND', 'None of your tours has this id.', 'act')
  return toTour(row)
}

/** One that a list is narrowed to, if any. */
export function queryTour(request: SignedIn): Tour | undefined {
  const id = request.query.get('act')
  return id === null ? undefined : ownTour(request, id)
}

/** What everybody sees in the shop. */
export function tourOnSale(db: DatabaseSync, key: string): Tour {
  const row = one(db, "SELECT * FROM tours WHERE key = ? AND state = 'LIVE'", key)
  if (!row) throw new Refusal(404, 'TOUR_NOT_FOUND', 'This tour is not on sale.')
  return toTour(row)
}

export const toursOnSale = (db: DatabaseSync): Tour[] =>
  all(db, "SELECT * FROM tours WHERE state = 'LIVE' ORDER BY serial LIMIT 100").map(toTour)
