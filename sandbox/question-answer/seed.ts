import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { roomPath } from './rooms.ts'
import { block, startCircle } from './circle.ts'
import { seedAsks } from './seed-asks.ts'
import type { Ground } from './seed-ground.ts'
import { seedRooms } from './seed-rooms.ts'
import { headlines, people } from './seed-words.ts'

function seedBells({ db, random, account, day, next }: Ground, rooms: readonly number[]): void {
  for (let index = 0; index < 66; index++) {
    const sent = day - (66 - index) * 9 * 3600
    const words = `${account.person} posted: ${random.pick(headlines)}`
    const sql = 'INSERT INTO bells VALUES (?, ?, ?, ?, ?, ?)'
    run(db, sql, next(), account.account, random.pick(people), words, roomPath(random.pick(rooms)), sent)
  }
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const random = new Random(`askorium ${account.ordinal}`)
  let last = account.ordinal * block
  const next = (): number => (last += 1)
  const ground: Ground = { db, random, account, day, next }
  const asks = seedAsks(ground)
  const rooms = seedRooms(ground, asks)
  seedBells(ground, rooms)
  startCircle(db, account.account, last)
}
