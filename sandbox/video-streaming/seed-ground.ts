import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import { dayIn } from './clock.ts'
import { blurbs, longBlurb, longHeading, subjects, turns } from './seed-words.ts'

/** What all parts of a seed are made from. */
export interface Ground {
  db: DatabaseSync
  random: Random
  account: Account
  /** Midnight UTC of the day of the reset, in seconds. */
  day: number
  zone: string
  /** The next serial. */
  next: () => number
  /** Ids. */
  shelves: string[]
}

export const daySeconds = 86_400

/** The fifth is as long as headings and blurbs may be. */
export function titled({ random }: Ground, index: number): { heading: string; folded: string; blurb: string } {
  const heading = index === 4 ? longHeading : `${random.pick(subjects)} ${random.pick(turns)} ${index + 1}`
  return { heading, folded: heading.toLowerCase(), blurb: index === 4 ? longBlurb : random.pick(blurbs) }
}

/** Every seventh stands on no shelf. */
export const shelved = ({ random, shelves }: Ground, index: number): string =>
  JSON.stringify(index % 7 === 3 ? [] : random.some(shelves, random.between(1, 3)))

/** How often something was played on one day. */
export function played({ random, account, day, zone }: Ground, item: number, daysAgo: number, replay: number) {
  const plays = random.between(1, 90)
  return {
    account: account.account,
    item,
    day: dayIn(day - daysAgo * daySeconds, zone),
    replay,
    plays,
    watchers: random.between(1, plays),
    watched_ms: plays * random.between(40_000, 2_400_000),
    finished: random.between(0, plays),
  }
}
