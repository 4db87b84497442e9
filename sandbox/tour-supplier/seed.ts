import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { addDays, dayIn } from './clock.ts'
import type { Ground, SeededVariant } from './seed-ground.ts'
import { seedAllotments, seedOrders } from './seed-orders.ts'
import { seedTalk } from './seed-talk.ts'
import { activities, homes } from './seed-words.ts'

function seedCatalogue({ db, random, account, base, today }: Ground, unit: number): SeededVariant[] {
  const variants: SeededVariant[] = []
  const tariff = db.prepare('INSERT INTO tariffs VALUES (?, ?, ?, ?)')
  for (const [index, { headline, stage, zone, variants: kinds }] of activities.entries()) {
    const activity = base + index + 1
    run(db, 'INSERT INTO activities VALUES (?, ?, ?, ?, ?)', activity, account, headline, stage, zone)
    for (const [label, starts, weekdays, capacity] of kinds) {
      const serial = base + variants.length + 1
      run(
        db,
        'INSERT INTO variants VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[serial, account, activity, label, starts, weekdays, capacity],
      )
      // Whole units and halves; where the currency has no smaller unit, whole ones.
      const adults = Math.round(random.between(30, 240) * 0.5 * unit)
      const children = index % 4 === 2 ? 0 : Math.round(adults / 2)
      tariff.run(serial, 'adults', '20200101', adults)
      tariff.run(serial, 'children', '20200101', children)
      if (index % 3 === 1) tariff.run(serial, 'adults', addDays(today, 30), adults + Math.round(5 * unit))
      variants.push({ serial, activity, starts: starts.split(','), weekdays, capacity, adults, children })
    }
  }
  return variants
}

function seedViews({ db, random, account, base, today }: Ground): void {
  const insert = db.prepare('INSERT INTO views VALUES (?, ?, ?, ?)')
  for (const [index, { stage }] of activities.entries()) {
    for (let offset = stage === 'ONLINE' ? 0 : -30; offset >= -120; offset--) {
      insert.run(account, base + index + 1, addDays(today, offset), random.between(0, 90))
    }
  }
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, { account, ordinal }: Account): void {
  const { zone, cur, digits, worth } = homes[(ordinal - 1) % homes.length] ?? homes[0]
  const today = dayIn('UTC', day)
  const random = new Random(`farelune ${ordinal}`)
  const ground: Ground = { db, random, account, base: ordinal * 100_000, midnight: day, today }
  run(db, 'INSERT INTO suppliers VALUES (?, ?, ?, ?, ?)', account, ordinal, zone, cur, digits)
  const variants = seedCatalogue(ground, worth * 10 ** digits)
  const orders = seedOrders(ground, variants)
  seedAllotments(ground, variants)
  seedTalk(ground, orders)
  seedViews(ground)
}
