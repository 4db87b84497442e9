import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { expOf } from './money.ts'
import { seedTalk, type Planned } from './seed-talk.ts'
import { hellos, homes, labels, lands, longHello, names } from './seed-words.ts'
import type { Verdict } from './stays.ts'

interface Place {
  pitch: number
  base: number
  land: number
  /** On its land. */
  index: number
}

interface Ground {
  db: DatabaseSync
  random: Random
  account: string
  base: number
  today: number
  places: Place[]
  stays: Planned[]
}

function seedLands(db: DatabaseSync, account: string, ordinal: number, base: number): Place[] {
  const home = homes[(ordinal - 1) % homes.length] ?? homes[0]
  const places: Place[] = []
  for (const [index, { title, state, units, pitches }] of lands.entries()) {
    const cur = index === 4 ? home.other : home.cur
    const rate = cur === 'JPY' || cur === 'ISK' ? 150 : 1
    run(db, 'INSERT INTO lands VALUES (?, ?, ?, ?, ?)', base + index + 1, account, title, state, cur)
    for (let at = 0; at < pitches; at++) {
      const place = {
        pitch: base + places.length + 1,
        base: Math.round((units + at * 3.5) * rate * 10 ** expOf(cur)),
        land: index,
        index: at,
      }
      const label = `${labels[(index + at) % labels.length]} ${at + 1}`
      run(db, 'INSERT INTO pitches VALUES (?, ?, ?, ?)', place.pitch, base + index + 1, label, place.base)
      places.push(place)
    }
  }
  return places
}

/** `come` counts from the day of the reset. */
function add(ground: Ground, place: Place, come: number, nights: number, verdict: Verdict, until: number | null): void {
  const { db, random, account, base, today, stays } = ground
  const serial = base + stays.length + 1
  const [first, last] = random.pick(names)
  const mail = `camper.${serial}@mail.example`
  const hello = stays.length % 29 === 3 ? longHello : random.pick(hellos)
  const stay = { serial, first, last, mail, come: today + come, leave: today + come + nights, verdict }
  stays.push(stay)
  const sql = 'INSERT INTO stays VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  const heads = random.between(1, 8)
  const { leave } = stay
  db.prepare(sql).run(
    ...[serial, account, place.pitch, first, last, mail, stay.come, leave, heads, hello, place.base, verdict, until],
  )
}

/** One after the other on a pitch, with free nights between them; every ninth is called off. */
function fill(ground: Ground, place: Place, from: number, to: number): void {
  const { random, stays } = ground
  let come = from + random.between(0, 9)
  for (;;) {
    const nights = random.between(1, 7)
    if (come + nights > to) return
    add(ground, place, come, nights, stays.length % 9 === 4 ? 'OFF' : 'BOOKED', null)
    come += nights + random.between(2, 30)
  }
}

/** Around the reset the same for everybody: who has just left, who is here, and who comes soon. */
function seedStays(ground: Ground): void {
  for (const place of ground.places) {
    fill(ground, place, -320, -6)
    if (place.index === 0) add(ground, place, -1 - (place.land % 3), 4 + place.land, 'BOOKED', null)
    if (place.index === 1) add(ground, place, place.land, 2, 'BOOKED', null)
    if (place.index === 2) add(ground, place, -5, 2 + (place.land % 3), 'BOOKED', null)
    if (place.index === 3) add(ground, place, -2, 2, 'BOOKED', null)
    fill(ground, place, 14, 56)
    fill(ground, place, 126, 172)
  }
}

/** Open asks have come in the last nine hours, a quarter of an hour apart, whatever the hour is: an ask is open for 24. */
function seedAsks(ground: Ground): void {
  const { db, today, places } = ground
  const now = Math.floor(Date.now() / 1000)
  const end = (index: number): number => now - (places.length + 10 - index) * 900 + 86_400
  for (const [index, place] of places.entries()) {
    add(ground, place, 92 + ((index * 5) % 20), 1 + (index % 6), 'ASKED', end(index))
  }
  for (const index of [3, 4, 5]) {
    const place = places[index]
    if (place) add(ground, place, 92 + ((index * 5) % 20), 1 + (index % 6), 'ASKED', end(places.length + index))
  }
  for (const index of [6, 7, 8]) {
    const place = places[index]
    if (!place) continue
    add(ground, place, 118, 3, 'ASKED', end(places.length + index))
    for (const day of [119, 120]) run(db, 'INSERT INTO marks VALUES (?, ?, 1, NULL)', place.pitch, today + day)
  }
  for (const [index, place] of places.slice(0, 6).entries()) {
    add(ground, place, 40 + index, 2, 'ASKED', today * 86_400 - (index + 1) * 18_000)
    add(ground, place, 44 + index, 3, 'DECLINED', today * 86_400 + 3600)
  }
}

/** Shut nights and prices, in weeks that no stay reaches into. */
function seedMarks({ db, today, places }: Ground): void {
  const insert = db.prepare('INSERT INTO marks VALUES (?, ?, ?, ?)')
  for (const { pitch, base, land, index } of places) {
    for (let day = 3; day < 6; day++) insert.run(pitch, today + day, 0, Math.round(base * 1.2))
    if (index === 0) for (let day = 62; day < 67; day++) insert.run(pitch, today + day, 0, Math.round(base * 0.8))
    if (index === 0) for (let day = 70; day < 75; day++) insert.run(pitch, today + day, 1, null)
    if (land < 4) for (let day = 80; day < 84; day++) insert.run(pitch, today + day, 1, null)
  }
}

/** Everything of one account, the same after every reset but for the day that it is counted from. */
export function seed(db: DatabaseSync, day: number, { account, ordinal }: Account): void {
  const random = new Random(`pitchfern ${ordinal}`)
  const base = ordinal * 100_000
  const today = day / 86_400
  const { zone } = homes[(ordinal - 1) % homes.length] ?? homes[0]
  run(db, 'INSERT INTO hosts VALUES (?, ?, ?, ?)', account, ordinal, zone, today)
  const places = seedLands(db, account, ordinal, base)
  const ground: Ground = { db, random, account, base, today, places, stays: [] }
  seedStays(ground)
  seedAsks(ground)
  seedMarks(ground)
  seedTalk(db, random, { account, base, day }, ground.stays)
}
