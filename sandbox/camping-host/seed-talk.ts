import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import { fromCamper, fromHost, longHello, names, praise, replies } from './seed-words.ts'
import type { Stay, Verdict } from './stays.ts'

export type Planned = Pick<Stay, 'serial' | 'first' | 'last' | 'mail' | 'come' | 'leave'> & { verdict: Verdict }

interface Place {
  account: string
  base: number
  /** Midnight of the day of the reset. */
  day: number
}

/** Of 1 to 4 notes, the last one written at `end`; lately campers wait for an answer in two of three. */
function seedChats(db: DatabaseSync, random: Random, { account, base, day }: Place, stays: readonly Planned[]): void {
  const chat = db.prepare('INSERT INTO chats VALUES (?, ?, ?, ?, ?, ?)')
  const note = db.prepare('INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?)')
  const count = { chats: 0, notes: 0 }
  const open = (stay: Planned | undefined, end: number): void => {
    const serial = base + ++count.chats
    const [first, last] = stay ? [stay.first, stay.last] : random.pick(names)
    chat.run(serial, account, stay?.serial ?? null, first, last, stay?.mail ?? `asker.${serial}@mail.example`)
    const size = random.between(1, 4)
    const waits = end > day - 30 * 86_400 && serial % 3 > 0
    for (let at = size - 1; at >= 0; at--) {
      const byHost = (at % 2 === 0) !== waits
      const words = count.chats % 40 === 7 && at === 0 ? longHello : random.pick(byHost ? fromHost : fromCamper)
      const seen = byHost || at > 0 || !waits
      note.run(base + ++count.notes, account, serial, byHost ? 1 : 0, words, end - at * 4000, seen ? 1 : 0)
    }
  }
  for (const stay of stays) {
    if (stay.verdict !== 'ASKED' && random.next() < 0.4) continue
    open(stay, Math.min(stay.come * 86_400, day) - random.between(600, 10 * 86_400))
  }
  for (let index = 0; index < 12; index++) open(undefined, day - random.between(600, 12 * 86_400))
}

/** Most of those who left at least three days ago said something; half of them were answered. */
function seedReviews(db: DatabaseSync, random: Random, { account, base, day }: Place, stays: readonly Planned[]): void {
  const review = db.prepare('INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?)')
  let serial = base
  for (const stay of stays) {
    if (stay.verdict !== 'BOOKED' || stay.leave * 86_400 > day - 3 * 86_400 || random.next() < 0.35) continue
    const at = (stay.leave + 1) * 86_400 + random.between(0, 86_399)
    const up = random.next() < 0.8 ? 1 : 0
    const reply = random.next() < 0.5 ? random.pick(replies) : null
    review.run(++serial, account, stay.serial, up, random.pick(praise), at, reply)
  }
}

export function seedTalk(db: DatabaseSync, random: Random, place: Place, stays: readonly Planned[]): void {
  seedChats(db, random, place, stays)
  seedReviews(db, random, place, stays)
}
