import type { DatabaseSync } from 'node:sqlite'
import { all, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { readNo } from './circle.ts'

export const parts = ['keeper', 'steward', 'warden', 'author', 'reader'] as const
export type RoomPart = (typeof parts)[number]

export interface Room {
  no: number
  called: string
  blurb: string
  /** The part that the account plays there; undefined for none. */
  mine: RoomPart | undefined
  /** Does it take what people hand in who may not post? */
  takes: boolean
  /** The hour, UTC, at which one of its queue goes live each day. */
  slot: number
}

export const roomPath = (no: number): string => `/rooms/${no}`

function toRoom(row: Row): Room {
  const mine = maybeText(row, 'mine')
  return {
    no: number(row, 'no'),
    called: text(row, 'called'),
    blurb: text(row, 'blurb'),
    mine: parts.find((part) => part === mine),
    takes: number(row, 'takes') === 1,
    slot: number(row, 'slot'),
  }
}

/** A room of this circle; another one does not exist. */
export function ownRoom({ db, viewer }: SignedIn, no: string): Room {
  const row = one(db, 'SELECT * FROM rooms WHERE no = ? AND account = ?', readNo(no) ?? 0, viewer.account.account)
  if (!row) throw new Refusal(404, 'ROOM_NOT_FOUND', 'There is no such room.', 'room')
  return toRoom(row)
}

/** Those in which the account plays a part, or the others. Oldest first. */
export function listRooms({ db, viewer }: SignedIn, mine: boolean): Room[] {
  const which = mine ? 'NOT NULL' : 'NULL'
  return all(db, `SELECT * FROM rooms WHERE account = ? AND mine IS ${which} ORDER BY no`, viewer.account.account).map(
    toRoom,
  )
}

export const mayPost = ({ mine }: Room): boolean => mine !== undefined && mine !== 'reader'

export const isStaff = (room: Room): boolean => mayPost(room) && room.mine !== 'author'

export function mustBeStaff(room: Room): void {
  if (!isStaff(room)) {
    throw new Refusal(403, 'PART_MISSING', 'This is for the keeper, the stewards and the wardens of the room.')
  }
}

const columns = ['seen', 'follows', 'thumbs', 'remarks', 'bell_taps'] as const
export type Figures = Record<(typeof columns)[number], number>

/** All that was counted from that day on; a day is the number of days since 1970, UTC. */
export function figuresSince(db: DatabaseSync, room: number, day: number): Figures {
  const sums = columns.map((column) => `coalesce(sum(${column}), 0) AS ${column}`).join(', ')
  const row = one(db, `SELECT ${sums} FROM figures WHERE room = ? AND day >= ?`, room, day) ?? {}
  return {
    seen: number(row, 'seen'),
    follows: number(row, 'follows'),
    thumbs: number(row, 'thumbs'),
    remarks: number(row, 'remarks'),
    bell_taps: number(row, 'bell_taps'),
  }
}

export const dayNumber = (seconds: number): number => Math.floor(seconds / 86_400)

/** Counts a thumb given (1) or taken back (-1) today. */
export function countThumb(db: DatabaseSync, room: number, now: number, change: 1 | -1): void {
  const sql = `INSERT INTO figures VALUES (?, ?, 0, 0, ?, 0, 0)
    ON CONFLICT (room, day) DO UPDATE SET thumbs = thumbs + excluded.thumbs`
  run(db, sql, room, dayNumber(now), change)
}
