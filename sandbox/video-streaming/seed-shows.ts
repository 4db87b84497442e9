import { daySeconds, played, titled, type Ground } from './seed-ground.ts'
import { stages } from './seed-words.ts'
import { vias } from './shows.ts'
import { insertAll } from './tables.ts'

const showCount = 64
/** So many are over; the next is a marathon over the first two days; the rest is to come. */
const overCount = 42

function beginsAt({ random, day }: Ground, index: number): number {
  if (index === overCount) return day
  const offset = index < overCount ? (index - overCount) * 3 - 1 : (index - overCount) * 4
  return day + offset * daySeconds + random.between(0, 80) * 900
}

export function seedShows(ground: Ground): void {
  const { db, random, account, day, zone } = ground
  const shows = Array.from({ length: showCount }, (_, index) => {
    const via = vias[index % 3] ?? 'meeting'
    const signUp = index % 5 < 3
    return {
      serial: ground.next(),
      account: account.account,
      ...titled(ground, index),
      begins: beginsAt(ground, index),
      clock: index % 3 === 1 ? random.pick(stages) : zone,
      via,
      sign_up: signUp ? 1 : 0,
      signed: signUp ? random.between(0, 400) : 0,
      length_ms: index === overCount ? 172_800_000 : random.between(2, 12) * 900_000,
      feed_key: via === 'rtmp-feed' ? `seeded-${account.ordinal}-${index}` : null,
      added: day - (showCount - index) * 4 * daySeconds,
    }
  })
  insertAll(db, 'shows', shows)
  const plays = shows.slice(0, overCount).flatMap(({ serial, begins }, index) => {
    const ago = Math.floor((day - begins) / daySeconds)
    const replayDays = Array.from({ length: Math.min(6, ago) }, (_, at) => ago - at)
    const replays = index % 4 === 2 ? [] : replayDays.map((days) => played(ground, serial, days, 1))
    return [played(ground, serial, ago, 0), ...replays]
  })
  insertAll(db, 'plays', plays)
}
