import type { DatabaseSync } from 'node:sqlite'
import { hash32, Random } from '../platform/random.ts'
import { all, number, run, text } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { momentOf } from './clock.ts'
import { fold } from './guests.ts'
import { digitsOf } from './money.ts'
import { asked, crewNames, firstNames, guestLabels, guestNames, homes, lastNames } from './seed-words.ts'
import { longText, opinions, remarks, replied, treatments } from './seed-words.ts'
import { insertAll, present } from './things.ts'

/** What all parts of a seed are made from. */
interface Ground {
  db: DatabaseSync
  random: Random
  account: string
  /** Midnight UTC of the day of the reset, in seconds; `today` is the same in days since 1970. */
  day: number
  today: number
  next: () => number
}

interface Shop {
  serial: number
  zone: string
  crew: { serial: number; opens: number; shuts: number }[]
  treatments: { serial: number; mins: number; cost: number; hands: number[] }[]
}

/** When seeded visits begin; the longest treatment ends before the next one. */
const begins = [600, 750, 900] as const

function seedShop({ db, account, next }: Ground, place: number, home: (typeof homes)[number]): Shop {
  const { label, street, zone, currency, rate, tel } = home
  const branch = next()
  insertAll(db, 'branches', [{ serial: branch, account, label, street, zone, currency, tel }])
  const size = place === 0 ? 5 : 2
  const crew = Array.from({ length: size }, (_, index) => {
    const hours =
      index === 4 ? { opens: 0, shuts: 0 } : index === 2 ? { opens: 600, shuts: 1080 } : { opens: 540, shuts: 1140 }
    const full = crewNames[place === 0 ? index : 3 + place * 2 + index] ?? ''
    return { serial: next(), account, branch, full, ...hours }
  })
  insertAll(db, 'crew', crew)
  const offered = treatments.map((treatment) => ({
    ...{ serial: next(), account, branch, label: treatment.label, mins: treatment.mins },
    cost: Math.round(treatment.price * rate * 10 ** digitsOf(currency)),
    hands: treatment.by.flatMap((at) => crew[at]?.serial ?? []),
  }))
  const rows = offered.map((one) => ({ ...one, hands: JSON.stringify(one.hands) }))
  insertAll(db, 'treatments', rows)
  return { serial: branch, zone, crew, treatments: offered }
}

/** Every ninth has no mail, every fifth no telephone; the fifth and the fiftieth neither. */
function seedGuests({ db, random, account, next }: Ground): number[] {
  const guests = Array.from({ length: 72 }, (_, index) => {
    const full = guestNames[index] ?? `${random.pick(firstNames)} ${random.pick(lastNames)}`
    const plain = fold(full)
      .replaceAll(/[^a-z]/g, '')
      .slice(0, 12)
    const cell = index % 5 === 4 ? null : `+${random.between(20, 98)} ${random.between(10, 99)} ${555_0100 + index}`
    return {
      ...{ serial: next(), account, full, folded: fold(full) },
      mail: index % 9 === 4 ? null : `${plain === '' ? 'guest' : plain}.${index + 1}@mail.example`,
      cell,
      digits: (cell ?? '').replaceAll(/\D/g, ''),
      labels: JSON.stringify(index % 4 === 3 ? [] : random.some(guestLabels, random.between(1, 3))),
    }
  })
  insertAll(db, 'guests', guests)
  return guests.map(({ serial }) => serial)
}

function stageOf({ random }: Ground, offset: number, index: number): string {
  const chance = random.next()
  if (offset < 0) return chance < 0.75 ? 'dn' : chance < 0.87 ? 'ns' : 'cx'
  if (offset === 0) return ['bk', 'ar', 'ch', 'dn'][index % 4] ?? 'bk'
  return chance < 0.9 ? 'bk' : 'cx'
}

function seedVisits(ground: Ground, shop: Shop, guests: readonly number[]): void {
  const { db, random, account, today, next } = ground
  const visits = []
  const working = shop.crew.filter(({ opens, shuts }) => opens < shuts)
  for (let offset = -30; offset <= 30; offset++) {
    for (const minute of begins) {
      for (const chair of working) {
        const treatment = random.pick(shop.treatments.filter(({ hands }) => hands.includes(chair.serial)))
        const at = momentOf({ day: today + offset, minute }, shop.zone)
        if (random.next() > (offset === 0 ? 0.9 : 0.4) || at === undefined) continue
        visits.push({
          ...{ serial: next(), since: 0, until: present, account, branch: shop.serial, guest: random.pick(guests) },
          ...{ treatment: treatment.serial, crew: chair.serial, day: today + offset, begins: at },
          ...{ ends: at + treatment.mins * 60, stage: stageOf(ground, offset, visits.length), cost: treatment.cost },
          remark: visits.length === 9 ? longText.slice(0, 500) : random.pick(remarks),
        })
      }
    }
  }
  insertAll(db, 'visits', visits)
}

/** The first three of the main branch wait for a day that is over. */
function seedWaiting(
  { db, random, account, day, today, next }: Ground,
  shop: Shop,
  guests: readonly number[],
  size: number,
) {
  const entries = guests.slice(0, size).map((guest, index) => {
    const treatment = random.pick(shop.treatments.filter(({ hands }) => hands.length > 0))
    return {
      ...{ serial: next(), account, branch: shop.serial, guest, treatment: treatment.serial },
      crew: index % 3 === 0 ? null : random.pick(treatment.hands),
      day: today + (index < 3 && size > 10 ? -2 : 2 + (index % 20)),
      alerted: index % 7 === 5 ? day - 3600 * (index + 1) : null,
    }
  })
  insertAll(db, 'waiting', entries)
}

/** Newest first; every third has a last line of the guest that nobody has seen. */
function seedTalks({ db, random, account, day, next }: Ground, guests: readonly number[]): void {
  const talks = guests.slice(0, 64).map((guest) => ({ serial: next(), account, guest }))
  const lines = talks.flatMap(({ serial: talk }, index) => {
    const fresh = index % 3 === 0
    const size = random.between(1, 3) * 2 - (fresh ? 1 : 0)
    return Array.from({ length: size }, (_, at) => {
      const guestSpeaks = at % 2 === 0
      const words = index === 5 && at === 0 ? longText : random.pick(guestSpeaks ? asked : replied)
      return {
        ...{ serial: next(), account, talk, side: guestSpeaks ? 'guest' : 'shop', words, link: null },
        ...{ seen: fresh && at === size - 1 ? 0 : 1, at: day - index * 7200 - (size - at) * 600 },
      }
    })
  })
  insertAll(db, 'talks', talks)
  insertAll(db, 'lines', lines)
}

/** Newest last; every third has its answer. */
function seedReviews(
  { db, random, account, today, next }: Ground,
  shop: Shop,
  guests: readonly number[],
  size: number,
) {
  const reviews = Array.from({ length: size }, (_, index) => ({
    ...{ serial: next(), account, branch: shop.serial, guest: random.pick(guests), stars: 1 + ((index * 3) % 5) },
    words: index === size - 6 ? longText : (opinions[index % opinions.length] ?? ''),
    day: today - (size - index) * 2,
    answer: index % 3 === 1 ? random.pick(replied) : null,
    answered: index % 3 === 1 ? 0 : null,
  }))
  insertAll(db, 'reviews', reviews)
}

/** Reminders by mail; what some of the guests answered to them is no talk. */
function seedNotices({ db, account, day, next }: Ground): void {
  const sql = 'SELECT serial, mail FROM guests WHERE account = ? AND mail IS NOT NULL ORDER BY serial LIMIT 64'
  const notices = all(db, sql, account).map((guest, index) => ({
    ...{ serial: next(), account, guest: number(guest, 'serial'), via: 'mail', recipient: text(guest, 'mail') },
    ...{ words: 'We look forward to your visit tomorrow.', at: day - (64 - index) * 1800 },
    answer: index % 8 === 2 ? 'OK 👍' : null,
  }))
  insertAll(db, 'notices', notices)
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, { account, ordinal }: Account): void {
  let last = ordinal * 1_000_000
  const ground = {
    ...{ db, random: new Random(`tressario ${ordinal}`), account, day, today: day / 86_400 },
    next: () => ++last,
  }
  const places = [0, 2, 4, 6].flatMap((step) => homes[(ordinal - 1 + step) % homes.length] ?? [])
  const shops = places.map((home, place) => seedShop(ground, place, home))
  const guests = seedGuests(ground)
  for (const [place, shop] of shops.entries()) {
    seedVisits(ground, shop, guests)
    seedWaiting(ground, shop, guests, place === 0 ? 66 : 8)
    seedReviews(ground, shop, guests, place === 0 ? 66 : 7)
  }
  seedTalks(ground, guests)
  seedNotices(ground)
  const key = hash32(`tressario book ${ordinal}`).toString(36)
  run(db, 'INSERT INTO businesses VALUES (?, ?, ?)', account, last, `${key}-${ordinal}`)
}
