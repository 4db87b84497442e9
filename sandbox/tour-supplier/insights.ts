import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import type { Span } from './input.ts'

export interface Insight {
  serial: number
  headline: string
  views: number
  sold: number
  void: number
  guests: number
  minor: number
}

/** Per activity: page views of those days, and orders that depart on them. */
export function insightsOf(
  db: DatabaseSync,
  account: string,
  { first, last }: Span,
  activity: number | undefined,
): Insight[] {
  const sql = `SELECT a.serial, a.headline,
      (SELECT coalesce(sum(seen), 0) FROM views WHERE activity = a.serial AND day BETWEEN ?2 AND ?3) AS views,
      count(o.serial) FILTER (WHERE o.state = 'LIVE') AS sold, count(o.serial) FILTER (WHERE o.state = 'VOID') AS void,
      coalesce(sum(o.adults + o.children) FILTER (WHERE o.state = 'LIVE'), 0) AS guests,
      coalesce(sum(o.minor) FILTER (WHERE o.state = 'LIVE'), 0) AS minor
    FROM activities a LEFT JOIN orders o ON o.activity = a.serial AND o.day BETWEEN ?2 AND ?3
    WHERE a.account = ?1 AND (?4 IS NULL OR a.serial = ?4) GROUP BY a.serial ORDER BY a.serial`
  return all(db, sql, account, first, last, activity ?? null).map((row) => ({
    serial: number(row, 'serial'),
    headline: text(row, 'headline'),
    views: number(row, 'views'),
    sold: number(row, 'sold'),
    void: number(row, 'void'),
    guests: number(row, 'guests'),
    minor: number(row, 'minor'),
  }))
}
