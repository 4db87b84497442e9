import { labels } from './seed-words.ts'
import { daySeconds, played, shelved, titled, type Ground } from './seed-ground.ts'
import { insertAll } from './tables.ts'

export interface SeededClip {
  serial: number
  heading: string
  airing: 'public' | 'hidden' | 'timed'
  /** When it went or goes out; null while it is hidden. */
  release: number | null
}

const clipCount = 90

const airingAt = (index: number): SeededClip['airing'] => {
  if (index > 85 || index % 5 === 2) return 'hidden'
  return index % 7 === 5 ? 'timed' : 'public'
}

/** Index 0 is the oldest. The five newest are still being encoded: four hidden ones and one that is public. */
function makeClip(ground: Ground, index: number) {
  const { random, account, day } = ground
  const serial = ground.next()
  const added = day - (clipCount - index) * 2 * daySeconds + random.between(0, daySeconds)
  const running = index >= 85
  const airing = airingAt(index)
  const wait = airing === 'timed' ? day + (3 + index) * daySeconds + index * 600 : added + 3600
  return {
    airing,
    row: {
      serial,
      account: account.account,
      source: `https://masters.velario.example/${serial}.mp4`,
      ...titled(ground, index),
      labels: JSON.stringify(index % 4 === 1 ? [] : random.some(labels, random.between(1, 4))),
      shelves: shelved(ground, index),
      length_ms: random.between(30_000, 5_400_000),
      ready: running ? day + (60 + index) * 3600 : added + 1800,
      added,
      decided: airing === 'hidden' ? null : serial,
      release: airing === 'hidden' ? null : wait,
      teaser: airing === 'timed' && index % 2 === 0 ? 1 : 0,
    },
  }
}

/** Clips, and for public ones what was played on about every fifth day of the last four months. */
export function seedClips(ground: Ground): SeededClip[] {
  const made = Array.from({ length: clipCount }, (_, index) => makeClip(ground, index))
  insertAll(
    ground.db,
    'clips',
    made.map(({ row }) => row),
  )
  const plays = made.flatMap(({ airing, row }, index) => {
    if (airing !== 'public' || index % 13 === 7) return []
    const days = Math.min(120, Math.floor((ground.day - row.added) / daySeconds))
    const all = Array.from({ length: days }, (__, ago) => ago + 1)
    return all.filter((ago) => (ago + index) % 5 === 0).map((ago) => played(ground, row.serial, ago, 0))
  })
  insertAll(ground.db, 'plays', plays)
  return made.map(({ airing, row: { serial, heading, release } }) => ({ serial, heading, airing, release }))
}
