import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { shiftDay, startOf } from './clock.ts'
import { toMinor } from './money.ts'
import type { Standing } from './passes.ts'
import { firstNames, homes, lastNames, offers, series, wholeNames } from './seed-words.ts'

interface Ground {
  db: DatabaseSync
  account: string
  /** The first serial of every table is one more. */
  base: number
  today: string
  zone: string
}

const clientCount = 140

/** The passes of every fourteen clients. */
const cycle = [
  'OK',
  'OK',
  'OK',
  'DUE',
  'OK',
  'SOON',
  'OK',
  'ENDING',
  'OK',
  'ENDED',
  'OK',
  'HOLD',
  'USED',
  null,
] as const

const renewing = [0, 1, 0, 2, 4, 0, 3] as const
const counted = [5, 6, 7] as const

function seedOffers({ db, account, base }: Ground, ccy: string, rate: number): void {
  for (const [index, { label, fee, per, covers, entries }] of offers.entries()) {
    const values = [base + index + 1, account, label, per === 'ONCE' ? 0 : 1, toMinor(fee * rate, ccy), per, covers]
    run(db, 'INSERT INTO offers VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...values, entries)
  }
}

/** Some left no address, some no telephone, and one neither. */
function seedClients({ db, account, base }: Ground, random: Random): void {
  const insert = db.prepare('INSERT INTO clients VALUES (?, ?, ?, ?, ?, 0)')
  for (let index = 0; index < clientCount; index++) {
    const other = index % 9 === 8 ? wholeNames[(index - 8) / 9] : undefined
    const full = other ?? `${random.pick(firstNames)} ${random.pick(lastNames)}`
    const plain = full
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .toLowerCase()
      .slice(0, 12)
    const mail = index % 23 === 7 ? '' : `${plain === '' ? 'client' : plain}.${index + 1}@mail.example`
    const tel = index % 4 === 1 ? '' : `+${random.between(1, 99)} ${random.between(10, 99)} ${5_550_000 + index}`
    insert.run(base + index + 1, account, full, mail, tel)
  }
}

interface Planned {
  client: number
  offer: number
  st: Standing
  index: number
}

function planPasses(): Planned[] {
  const planned: Planned[] = []
  for (let index = 0; index < clientCount; index++) {
    const st = cycle[index % cycle.length] ?? null
    const round = Math.floor(index / cycle.length)
    if (index % 9 === 4) planned.push({ client: index, offer: 0, st: 'ENDED', index })
    if (st === null) continue
    const offer = st === 'USED' ? counted[round % 3] : renewing[(index + round) % renewing.length]
    planned.push({ client: index, offer: offer ?? 0, st, index })
    if (index % 5 === 2 && st !== 'USED') planned.push({ client: index, offer: 5, st: 'OK', index })
  }
  return planned
}

/** Answers each client's first pass that runs. */
function seedPasses({ db, account, base, today }: Ground): Map<number, number> {
  const insert = db.prepare('INSERT INTO passes VALUES (?, ?, ?, ?, ?)')
  const state = db.prepare('INSERT INTO pass_states VALUES (?, 0, ?, ?, ?)')
  const running = new Map<number, number>()
  for (const [at, { client, offer, st, index }] of planPasses().entries()) {
    const serial = base + at + 1
    const { per, entries } = offers[offer] ?? offers[0]
    const left = entries === null ? null : st === 'USED' ? 0 : 1 + (index % 9)
    const turn = st === 'SOON' || st === 'ENDING' ? shiftDay(today, 4 + (index % 20)) : null
    const ahead = per === 'WK' ? 1 + (index % 6) : per === '52WK' ? 10 + index * 2 : 2 + (index % 24)
    const bills = per !== 'ONCE' && (st === 'OK' || st === 'DUE')
    insert.run(serial, account, base + client + 1, base + offer + 1, left)
    state.run(serial, st, st === 'SOON' ? turn : bills ? shiftDay(today, ahead) : null, turn)
    if (st === 'OK' && !running.has(client)) running.set(client, serial)
  }
  return running
}

/** How many have a spot in the `nth` class of a series. */
function sizeOf({ places, packed }: (typeof series)[number], nth: number): number {
  if (packed && nth % 3 === 0) return places
  return nth % 10 === 9 ? 0 : places - 4 - (nth % 3)
}

function markOf(offset: number, at: number): 'RSV' | 'IN' {
  if (offset < 0) return at % 7 === 5 ? 'RSV' : 'IN'
  // Nobody arrives before the day of the class.
  return offset === 0 && at % 6 === 4 ? 'IN' : 'RSV'
}

/** From 40 days back to 30 ahead. Rosters turn through all clients. */
function seedSlots(ground: Ground, running: Map<number, number>): void {
  const { db, account, base, today, zone } = ground
  const insert = db.prepare('INSERT INTO slots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)')
  const enter = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)')
  let slot = base
  let entry = base
  for (let offset = -40; offset <= 30; offset++) {
    const day = shiftDay(today, offset)
    for (const [which, one] of series.entries()) {
      if ((offset - one.phase) % one.every !== 0) continue
      slot++
      const { title, topic, coach, places, at: minutes } = one
      const start = startOf(zone, day, minutes)
      insert.run(slot, account, base + which + 1, title, topic, coach, places, day, minutes, start)
      const nth = Math.abs((offset - one.phase) / one.every)
      const held = sizeOf(one, nth)
      const marks: string[] = Array.from({ length: held }, (_, at) => markOf(offset, at))
      if (held > 0 && nth % 2 === 0) marks.push('LC')
      if (held === places) marks.push('WL', 'WL', 'WL')
      for (const [at, mark] of marks.entries()) {
        const client = ((slot - base) * 11 + at * 3) % clientCount
        enter.run(++entry, account, slot, base + client + 1, running.get(client) ?? null, mark)
      }
    }
  }
}

/** Everything of one studio, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, { account, ordinal }: Account): void {
  const { zone, ccy, rate } = homes[(ordinal - 1) % homes.length] ?? homes[0]
  const today = new Date(day * 1000).toISOString().slice(0, 10)
  const ground = { db, account, base: ordinal * 100_000, today, zone }
  run(db, 'INSERT INTO studios VALUES (?, ?, ?, ?, 0)', account, ordinal, zone, ccy)
  seedOffers(ground, ccy, rate)
  seedClients(ground, new Random(`kettlewick ${ordinal}`))
  seedSlots(ground, seedPasses(ground))
}
