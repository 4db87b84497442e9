import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { serialIn } from './host.ts'

export interface Land {
  serial: number
  title: string
  state: string
  cur: string
}

export interface Pitch {
  serial: number
  label: string
  base: number
}

const toLand = (row: Row): Land => ({
  serial: number(row, 'serial'),
  title: text(row, 'title'),
  state: text(row, 'state'),
  cur: text(row, 'cur'),
})

export const listLands = ({ db, viewer }: SignedIn): Land[] =>
  all(db, 'SELECT * FROM lands WHERE account = ? ORDER BY serial', viewer.account.account).map(toLand)

export function ownLand({ db, viewer, params }: SignedIn, id = params['land']): Land {
  const row = one(db, 'SELECT * FROM lands WHERE serial = ? AND account = ?', serialIn('L', id), viewer.account.account)
  if (!row) throw new Refusal(404, 'LAND_NOT_FOUND', 'None of your lands has this id.', 'land')
  return toLand(row)
}

/** The serial of the land that a list is asked for; 0 for all. */
export function queryLand(request: SignedIn): number {
  const id = request.query.get('land')
  return id === null ? 0 : ownLand(request, id).serial
}

export const pitchesOf = (db: DatabaseSync, land: Land): Pitch[] =>
  all(db, 'SELECT * FROM pitches WHERE land = ? ORDER BY serial', land.serial).map((row) => ({
    serial: number(row, 'serial'),
    label: text(row, 'label'),
    base: number(row, 'base'),
  }))

/** The one that is named, or all of the land. */
export function choosePitches(db: DatabaseSync, land: Land, id: unknown): Pitch[] {
  const pitches = pitchesOf(db, land)
  if (id === undefined) return pitches
  const serial = typeof id === 'string' ? serialIn('P', id) : 0
  const pitch = pitches.find((one) => one.serial === serial)
  if (!pitch) throw new Refusal(404, 'PITCH_NOT_FOUND', 'This land has no such pitch.', 'pitch')
  return [pitch]
}
