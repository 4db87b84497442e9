import type { DatabaseSync } from 'node:sqlite'
import { hash32, Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertBooking } from './bookings.ts'
import { dayOf, whenIn } from './clock.ts'
import { crowds, type Gathering, type Pass } from './gatherings.ts'
import { insertGuest } from './guests.ts'
import { guestRecipients, insertMailing } from './mailings.ts'
import * as words from './seed-words.ts'
import { insertSlot } from './slots.ts'
import { insertVoice, voicesOf, type Voice } from './voices.ts'
import { compileWrapUp } from './wrap-ups.ts'

const dayLong = 86_400
const half = 32

interface Ground {
  db: DatabaseSync
  random: Random
  account: Account
  /** Midnight UTC of the day of the reset. */
  day: number
  take: () => number
}

/** Of the upcoming and of the past ones, each from the one that begins last: the first three are large. */
interface Place {
  past: boolean
  index: number
}

const isLarge = ({ index }: Place): boolean => index < 3

const cycle = <T>(items: readonly T[], index: number): T => {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('Nothing to pick from.')
  return item
}

function seedGathering({ db, account, day, take }: Ground, place: Place): Gathering {
  const { past, index } = place
  const zone = cycle(isLarge(place) ? words.steadyZones : words.zones, index + (past ? 3 : 0))
  const first = day + (past ? -8 - index * 9 : 6 + (half - 1 - index) * 9) * dayLong
  const last = first + (isLarge(place) ? 2 : index % 3) * dayLong
  const serial = take()
  const gathering: Gathering = {
    serial,
    account: account.account,
    called:
      index === 5
        ? `${'The long and winding '.repeat(8)}${past ? 'road' : 'way'}`
        : `${cycle(words.themes, index + (past ? 4 : 0))} ${past ? 'I' : 'II'}`,
    zone,
    firstDay: dayOf(first),
    lastDay: dayOf(last),
    opens: whenIn(zone, first),
    closes: whenIn(zone, last + dayLong),
    venue: cycle(words.venues, index),
    cur: cycle(['EUR', 'USD', 'JPY'], index),
    signup: `${hash32(`assemblora ${serial}`).toString(36)}${serial.toString(36)}`,
    wrapped: undefined,
  }
  const { called, firstDay, lastDay, opens, closes, venue, cur, signup } = gathering
  const values = [serial, account.account, called, zone, firstDay, lastDay, opens, closes, venue, cur, signup, null]
  run(db, 'INSERT INTO gatherings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values)
  return gathering
}

function seedPasses({ db, take }: Ground, gathering: Gathering, place: Place): Pass[] {
  const labels = ['Standard', 'VIP', 'Estudiante', 'כרטיס יומי'].slice(0, isLarge(place) ? 4 : 2)
  return labels.map((label, index) => {
    const pass = { serial: take(), label, price: [12_000, 48_000, 0, 6500][index] ?? 0 }
    run(db, 'INSERT INTO passes VALUES (?, ?, ?, ?)', pass.serial, gathering.serial, label, pass.price)
    return pass
  })
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase() || 'guest'

function nameAt(random: Random, index: number): readonly [string, string] {
  return index % 9 === 4
    ? cycle(words.otherNames, (index - 4) / 9)
    : [random.pick(words.givenNames), random.pick(words.familyNames)]
}

/** Each has booked but every sixth, whom somebody added; some have no address. Of the upcoming ones a few have fetched their badge. */
function seedGuests(ground: Ground, gathering: Gathering, passes: readonly Pass[], place: Place): void {
  const { db, random, day, take } = ground
  const size = isLarge(place) ? (place.index === 0 ? 130 : 84) : 3 + (place.index % 4)
  const start = Math.min(gathering.opens, day) - 2 * dayLong
  for (let index = 0; index < size; index++) {
    const [given, family] = nameAt(random, index)
    const mail = index % 17 === 11 ? '' : `${plain(given)}.${plain(family)}.${index + 1}@mail.example`
    const pass = cycle(passes, (index * 7 + Math.floor(index / 5)) % 11)
    const came = place.past ? index % 3 !== 2 : index % 7 === 1
    const arrived = place.past ? gathering.opens + 8 * 3600 + index * 40 : day - dayLong + index * 60
    const guest = { serial: take(), given, family, mail, firm: random.pick(words.firms), pass: pass.serial }
    insertGuest(db, gathering.serial, {
      ...guest,
      crowd: cycle(crowds, index % 4 === 0 ? index / 4 : 0),
      arrived: came ? arrived : null,
    })
    if (index % 6 === 5) continue
    const seats = index % 10 === 8 ? 3 : 1
    const booked = start - (size - index) * 5 * 3600 + random.between(0, 4 * 3600)
    const bookedBy = `${given} ${family}`
    const booking = { serial: take(), bookedBy, mail, pass: pass.serial, seats, paid: seats * pass.price, booked }
    insertBooking(db, gathering.serial, booking)
  }
}

function seedVoices({ db, random, take }: Ground, gathering: Gathering, place: Place): Voice[] {
  return Array.from({ length: isLarge(place) ? 14 : 2 }, (_, index) => {
    const [given, family] = nameAt(random, index)
    const mail = index % 7 === 6 ? '' : `${plain(given)}.voice${index + 1}@mail.example`
    const called = index % 9 === 4 ? `${given} ${family}` : `${given} ${String.fromCodePoint(65 + index)}. ${family}`
    const voice = { serial: take(), called, mail }
    insertVoice(db, gathering.serial, voice)
    return voice
  })
}

/** Up to three days from nine o'clock, two at a time. The last voice speaks at nothing; breaks are nobody's. */
function seedSlots({ db, take }: Ground, gathering: Gathering, voices: readonly Voice[], place: Place): void {
  const size = isLarge(place) ? 26 : 3
  for (let index = 0; index < size; index++) {
    const hour = 9 + Math.floor((index % 9) / 2) * 2
    const opens = gathering.opens + Math.floor(index / 9) * dayLong + hour * 3600 + (index % 2) * 900
    const speakers = voices.slice(0, -1)
    const chosen = index % 6 === 5 ? [] : [index, ...(index % 3 === 1 ? [index + 1] : [])]
    const slot = {
      serial: take(),
      heading: cycle(words.headings, index),
      opens,
      closes: opens + (45 + (index % 3) * 30) * 60,
      streams: index % 6 === 5 ? [] : [cycle(words.streamLabels, index), ...(index % 5 === 2 ? ['Recorded'] : [])],
      blurb: cycle(words.blurbs, index),
    }
    const numbers = new Set(chosen.map((at) => cycle(speakers, at).serial))
    insertSlot(db, gathering.serial, slot, [...numbers])
  }
}

function seedMailings(ground: Ground, gathering: Gathering): void {
  const { db, day, take } = ground
  const sent = Math.min(gathering.opens, day) - dayLong
  const guests = {
    serial: take(),
    kind: 'ANNOUNCEMENT',
    subject: 'See you soon',
    words: 'Doors open at eight.\n¡Hasta pronto!',
    sent,
  } as const
  insertMailing(
    db,
    gathering,
    guests,
    guestRecipients(db, gathering).filter(({ mail }) => mail !== ''),
    take,
  )
  const voices = voicesOf(db, gathering).filter(({ mail }) => mail !== '')
  const note = {
    serial: take(),
    kind: 'TO_VOICES',
    subject: 'Slides',
    words: 'Please bring your slides.',
    sent,
  } as const
  insertMailing(
    db,
    gathering,
    note,
    voices.map(({ mail, called }) => ({ mail, addressee: called })),
    take,
  )
}

/** Past ones first, the earliest first. Of those every other one has its wrap-up. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  let last = account.ordinal * 1_000_000
  const ground: Ground = { db, random: new Random(`assemblora ${account.account}`), account, day, take: () => ++last }
  for (const past of [true, false]) {
    for (let index = half - 1; index >= 0; index--) {
      const place = { past, index }
      const gathering = seedGathering(ground, place)
      seedGuests(ground, gathering, seedPasses(ground, gathering, place), place)
      seedSlots(ground, gathering, seedVoices(ground, gathering, place), place)
      if (past && index % 2 === 0) compileWrapUp(db, gathering, gathering.closes + 3600)
      if (index === 1) seedMailings(ground, gathering)
    }
  }
  run(db, 'INSERT INTO organizers VALUES (?, ?)', account.account, last)
}
