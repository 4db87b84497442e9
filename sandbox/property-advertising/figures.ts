import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { count } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { refOf, type Ad } from './entities.ts'

const spans: Record<string, number> = { week: 7, month: 30, quarter: 90 }

/** Views and saves hang on the ad and the days before the reset; leads are counted. An ad has none before it was placed. */
export function figuresOf(db: DatabaseSync, ad: Ad, span: string, day: number, now: number): Record<string, unknown> {
  const days = spans[span]
  if (days === undefined) throw new Refusal(400, 'PARAMETER_INVALID', 'span must be week, month or quarter.', 'span')
  let seen = 0
  let saves = 0
  for (let back = 1; back <= days && day - back * 86_400 >= ad.created; back++) {
    seen += hash32(`${ad.serial} seen ${back}`) % 40
    saves += hash32(`${ad.serial} saved ${back}`) % 5 === 0 ? 1 : 0
  }
  const leads = count(db, 'threads WHERE ad = ? AND created >= ?', ad.serial, now - days * 86_400)
  return { ref: refOf(ad.serial), span, seen, leads, saves }
}
