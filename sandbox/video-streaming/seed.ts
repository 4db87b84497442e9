import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { seedClips } from './seed-clips.ts'
import { seedDesk } from './seed-desk.ts'
import type { Ground } from './seed-ground.ts'
import { seedSeries } from './seed-series.ts'
import { seedShows } from './seed-shows.ts'
import { homes, shelfLabels } from './seed-words.ts'
import { idOf, insertAll } from './tables.ts'

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const { zone, currency } = homes[(account.ordinal - 1) % homes.length] ?? homes[0]
  let last = account.ordinal * 100_000
  const next = (): number => ++last
  const shelves = shelfLabels.map((label) => ({ serial: next(), account: account.account, label }))
  insertAll(db, 'shelves', shelves)
  const ground: Ground = {
    db,
    random: new Random(`velario ${account.ordinal}`),
    account,
    day,
    zone,
    next,
    shelves: shelves.map(({ serial }) => idOf('shelves', serial)),
  }
  const clips = seedClips(ground)
  const series = seedSeries(ground, clips)
  seedShows(ground)
  seedDesk(ground, clips, series)
  run(db, 'INSERT INTO studios VALUES (?, ?, ?, ?)', account.account, zone, currency, last)
}
