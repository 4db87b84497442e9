import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import type { Tour } from './tours.ts'

/** What a traveller said of a tour: a mark from 1 to 10, and words or none. */
export interface Review {
  serial: number
  account: string
  tour: number
  mark: number
  words: string
  day: string
}

/** Latest first. */
export function listReviews(db: DatabaseSync, account: string, tour: Tour | undefined, since: string): Review[] {
  const sql = `SELECT * FROM reviews WHERE account = ?1 AND (?2 = 0 OR tour = ?2) AND day >= ?3
    ORDER BY day DESC, serial DESC`
  return all(db, sql, account, tour?.serial ?? 0, since).map((row) => ({
    serial: number(row, 'serial'),
    account,
    tour: number(row, 'tour'),
    mark: number(row, 'mark'),
    words: text(row, 'words'),
    day: text(row, 'day'),
  }))
}

export function insertReviews(db: DatabaseSync, reviews: readonly Review[]): void {
  const insert = db.prepare('INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?)')
  for (const { serial, account, tour, mark, words, day } of reviews) {
    insert.run(serial, account, tour, mark, words, day)
  }
}
