import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { insertCards } from './cards.ts'
import { zones } from './clock.ts'
import { answers, presets, type Guest, type Letter, type Party } from './entities.ts'
import { insertGuests, keyOf } from './guests.ts'
import { broadcastDraft, insertLetters, inviteDraft, recipientOf, type Draft } from './letters.ts'
import { insertParty } from './parties.ts'
import { firstNames, headlines, labelNames, lastNames, longNote, notes, venues, wholeNames } from './seed-words.ts'

const partyCount = 192
const cardCount = 130
const hour = 3_600_000
const day = 24 * hour

interface Ground {
  random: Random
  account: Account
  /** The first serial of every table is one more. */
  base: number
  /** Midnight UTC of the day of the reset. */
  midnight: number
}

function nameOf(random: Random, index: number): string {
  return (index % 9 === 4 ? wholeNames[((index - 4) / 9) % wholeNames.length] : undefined) ?? freshName(random)
}

const freshName = (random: Random): string => `${random.pick(firstNames)} ${random.pick(lastNames)}`

function mailOf(name: string, index: number): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()
    .slice(0, 12)
  return `${plain === '' ? 'guest' : plain}.${index + 1}@mail.example`
}

const phoneOf = (random: Random, index: number): string =>
  `+${random.between(1, 99)} ${random.between(10, 99)} ${5_550_000 + index}`

/** Oldest first, in turns one that is out, a draft and one that is queued. Each seventh is somebody else's. */
function makeParty({ random, account, base, midnight }: Ground, index: number): Party {
  const helps = account.kind === 'cohost' || index % 7 === 3
  const made = midnight - (partyCount - index) * 2 * day + random.between(0, 24) * hour
  const turn = index % 3
  const long = 'All that we want to celebrate together in three days in the mountains, '.repeat(4).slice(0, 200)
  return {
    serial: base + index + 1,
    account: account.account,
    headline: index === 150 ? long : `${random.pick(headlines)} ${nameOf(random, index)}`,
    format: index % 5 < 3 ? 'CARD' : 'FLYER',
    starts: (turn === 0 ? made + random.between(20, 120) * day : midnight + random.between(70, 300) * day) + 7 * hour,
    zone: random.pick(zones),
    venue: index === 151 ? `${long} `.repeat(2) : random.pick(venues),
    host: helps ? nameOf(random, index + 9) : account.person,
    standing: helps ? 'COHOST' : 'HOST',
    made,
    dispatched: turn === 0 ? made + 2 * hour : turn === 1 ? null : midnight + random.between(20, 60) * day,
  }
}

/** The newest party of each stage has many guests; some drafts have none. */
function sizeOf({ random }: Ground, index: number): number {
  if (index >= partyCount - 3) return 66 + 74 * Number(index % 3 === 0)
  return index % 15 === 4 ? 0 : random.between(4, 7)
}

/** Some of those that are out or queued have somebody on the unsent list; some queued ones went to half before. */
function releaseOf(party: Party, index: number, at: number, size: number): number | null {
  const keepsSome = [6, 9].includes(index % 12) || index % 9 === 5
  if (keepsSome && at >= size - 2) return null
  return index % 9 === 2 && at < size / 2 ? party.made + 2 * hour : party.dispatched
}

function makeGuest(ground: Ground, party: Party, index: number, at: number, size: number, serial: number): Guest {
  const { random, midnight } = ground
  const called = nameOf(random, at + index)
  const released = releaseOf(party, index, at, size)
  const gone = released !== null && released <= midnight
  const answer = gone ? (answers[(at + index) % answers.length] ?? 'SEEN') : 'DELIVERED'
  const seats = random.between(1, 5)
  const bounced = answer === 'BOUNCED'
  const phoneOnly = !bounced && at % 4 === 3
  return {
    serial,
    party: party.serial,
    called,
    mail: bounced ? `gone.${serial}@old.invalid` : phoneOnly ? '' : mailOf(called, serial),
    mobile: phoneOnly || at % 5 === 2 ? phoneOf(random, at) : '',
    household: at % 3 === 1 ? `Family ${random.pick(lastNames)}` : '',
    seats,
    released,
    answer,
    headcount: answer === 'COMING' ? random.between(1, seats) : 0,
    labels: random.some(labelNames, random.between(0, 2)),
    made: party.made + at * 1000,
    key: keyOf(party, serial),
  }
}

/** A letter that is still to get its number: all are numbered in the order of their times. */
type Planned = Omit<Letter, 'serial' | 'batch'> & { together: string }

function planLetters({ random, account }: Ground, party: Party, guests: readonly Guest[], index: number): Planned[] {
  const plan = (guest: Guest, draft: Draft, goes: number, together: string): Planned => {
    return { ...draft, party: party.serial, guest: guest.serial, recipient: recipientOf(guest), goes, together }
  }
  const invites = guests.flatMap((guest) =>
    guest.released === null
      ? []
      : [
          plan(
            guest,
            inviteDraft(party, guest, 'https://soirelle.example'),
            guest.released,
            `${index} ${guest.released}`,
          ),
        ],
  )
  if (index % 3 !== 0 || party.dispatched === null) return invites
  const at = party.dispatched + 5 * hour
  const reached = guests.filter(({ released, answer }) => released !== null && answer !== 'BOUNCED')
  const preset = presets[(index / 3) % 4] ?? 'FREE'
  const draft = broadcastDraft(party, preset, index % 12 === 9 ? random.pick(notes) : '')
  const broadcasts = index % 9 === 6 ? [] : reached.map((guest) => plan(guest, draft, at, `${index} all`))
  const personal = reached.slice(0, 2).map((guest, turn) => {
    const words = index % 30 === 27 ? longNote : random.pick(notes)
    const note: Draft = { kind: 'PERSONAL', subject: `A note from ${account.person}`, words }
    return plan(guest, note, at + (turn + 1) * hour, `${index} note ${turn}`)
  })
  return [...invites, ...broadcasts, ...personal]
}

function numbered(planned: readonly Planned[], base: number): Letter[] {
  const batches = new Map<string, number>()
  const inOrder = planned.toSorted((a, b) => a.goes - b.goes || a.together.localeCompare(b.together))
  return inOrder.map(({ together, ...letter }, index) => {
    const serial = base + index + 1
    const batch = batches.get(together) ?? serial
    batches.set(together, batch)
    return { ...letter, serial, batch }
  })
}

function seedCards(db: DatabaseSync, { random, account, base, midnight }: Ground): void {
  const cards = Array.from({ length: cardCount }, (_, index) => {
    const fullName = nameOf(random, index)
    return {
      serial: base + index + 1,
      fullName,
      mail: index % 20 === 7 ? '' : mailOf(fullName, index),
      phones: Array.from({ length: index % 4 === 3 ? 2 : index % 3 }, (_2, at) => phoneOf(random, index * 2 + at)),
      made: midnight - (cardCount - index) * day,
    }
  })
  insertCards(db, account.account, cards)
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, today: number, account: Account): void {
  const random = new Random(`soirelle ${account.ordinal}`)
  const base = account.ordinal * 100_000
  const ground: Ground = { random, account, base, midnight: today * 1000 }
  run(db, 'INSERT INTO members VALUES (?, ?)', account.account, account.ordinal)
  const letters: Planned[] = []
  let next = base + 1
  for (let index = 0; index < partyCount; index++) {
    const party = makeParty(ground, index)
    const size = sizeOf(ground, index)
    const first = next
    const guests = Array.from({ length: size }, (_, at) => makeGuest(ground, party, index, at, size, first + at))
    next += size
    insertParty(db, party)
    insertGuests(db, account.account, guests)
    letters.push(...planLetters(ground, party, guests, index))
  }
  insertLetters(db, account.account, numbered(letters, base))
  seedCards(db, ground)
}
