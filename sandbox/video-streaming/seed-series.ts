import { captions } from './seed-words.ts'
import type { SeededClip } from './seed-clips.ts'
import { daySeconds, shelved, titled, type Ground } from './seed-ground.ts'
import { insertAll } from './tables.ts'

const seriesCount = 62

/** The sixth is empty; every third begins with a break; half of those for members unlock week by week. */
function makeEntries({ random }: Ground, serial: number, index: number, gated: boolean, clips: SeededClip[]) {
  if (index === 5) return []
  const chosen = random.some(clips, random.between(2, 7))
  const step = gated && index % 4 === 0 ? 7 * daySeconds * 1000 : 0
  const inside = chosen.map((clip, at) => ({ clip: clip.serial, caption: null, unlock_ms: at * step }))
  const breaks = index % 3 === 0 ? [{ clip: null, caption: random.pick(captions), unlock_ms: 0 }] : []
  return [...breaks, ...inside].map((entry, place) => ({ series: serial, place, ...entry }))
}

/** Answers the serials. */
export function seedSeries(ground: Ground, clips: SeededClip[]): number[] {
  const { db, account, day } = ground
  const made = Array.from({ length: seriesCount }, (_, index) => {
    const serial = ground.next()
    const gate = index % 4 === 3 ? 'open' : 'members'
    const row = {
      serial,
      account: account.account,
      ...titled(ground, index),
      airing: index % 5 === 1 ? 'hidden' : 'public',
      gate,
      shelves: shelved(ground, index),
      added: day - (seriesCount - index) * 3 * daySeconds,
    }
    return { row, entries: makeEntries(ground, serial, index, gate === 'members', clips) }
  })
  const rows = made.map(({ row }) => row)
  insertAll(db, 'series', rows)
  const entries = made.flatMap((one) => one.entries)
  insertAll(db, 'entries', entries)
  return rows.map(({ serial }) => serial)
}
