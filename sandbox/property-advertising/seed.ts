import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import { insertAd } from './ads.ts'
import { scoreOf, type Ad, type Box, type Deal, type Phase } from './entities.ts'
import { seedThreads } from './seed-threads.ts'
import { homes, longBlurb, perks, places } from './seed-words.ts'

const adCount = 96
const wantedCount = 72

function phaseOf(index: number): Phase {
  if (index % 9 === 4) return 'lapsed'
  return index % 6 === 2 ? 'offline' : 'online'
}

function blurbOf(random: Random, index: number): string {
  if (index === 90) return ''
  if (index === 91) return longBlurb
  return longBlurb.slice(0, random.between(1, 8) * 113).trim()
}

/** Index 0 is the oldest. Two ads were closed with the account that they stood in before: one offline, one lapsed. */
function makeAd(random: Random, day: number, account: Account, index: number): Ad {
  const place = random.pick(places)
  const deal: Deal = index % 5 < 3 ? 'for_sale' : 'to_let'
  const created = day - (adCount - index) * 4 * 86_400 + random.between(1, 3 * 86_400)
  const built = random.between(240, 2600) / 10
  const ad = {
    serial: account.ordinal * 10_000 + index + 1,
    account: account.account,
    headline: `${random.pick(homes)}, ${place.area}`,
    deal,
    phase: phaseOf(index),
    cents: deal === 'for_sale' ? random.between(90, 1500) * 100_000_0 : random.between(45_000, 320_000),
    currency: place.currency,
    built,
    rooms: random.between(0, 5),
    baths: random.between(1, 3),
    perks: random.some(perks, random.between(0, 7)),
    blurb: blurbOf(random, index),
    pictures: random.between(0, 30),
    score: 0,
    city: place.city,
    zone: place.zone,
    closed: index === 8 || index === 13,
    created,
    changed: Math.min(created + random.between(0, 90) * 86_400, day - 3600),
  }
  return { ...ad, score: scoreOf(ad) }
}

function seedWanted(db: DatabaseSync, random: Random, account: Account): void {
  const insert = db.prepare('INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (let index = 1; index <= wantedCount; index++) {
    const place = random.pick(places)
    const deal: Deal = index % 3 === 0 ? 'to_let' : 'for_sale'
    const cents = deal === 'for_sale' ? random.between(12, 120) * 1_000_000 : random.between(50, 300) * 1000
    const thread = account.ordinal * 10_000 + random.between(1, 140)
    const area = `${place.area}, ${place.city}`
    insert.run(
      account.ordinal * 10_000 + index,
      account.account,
      thread,
      deal,
      area,
      cents,
      place.currency,
      random.between(0, 4),
    )
  }
}

/** Each twenty threads: ten open, four fresh, three done, three shelved. */
function boxOf(index: number): Box {
  const turn = index % 20
  if (turn < 10) return 'open'
  if (turn < 14) return 'fresh'
  return turn < 17 ? 'done' : 'shelved'
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  const random = new Random(`casavia ${account.ordinal}`)
  const ads = Array.from({ length: adCount }, (_, index) => makeAd(random, day, account, index))
  for (const ad of ads) insertAd(db, ad)
  seedThreads(db, random, day, account, ads, boxOf)
  if (account.kind === 'agency') seedWanted(db, random, account)
}
