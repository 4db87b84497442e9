import { run } from '../platform/rows.ts'
import type { Ask } from './asks.ts'
import { place } from './desk.ts'
import { addEntry, type Entry } from './entries.ts'
import { dayNumber, parts, type RoomPart } from './rooms.ts'
import type { Ground } from './seed-ground.ts'
import { blurbs, headlines, people, replyTexts, roomNames } from './seed-words.ts'
import { addPost, nextSlot, type Kind } from './shelf.ts'

interface Planned {
  no: number
  index: number
  mine: RoomPart | null
  takes: boolean
  slot: number
  /** Opened today: nothing was posted, seen or handed in yet. */
  isNew: boolean
}

const hour = 3600
const kinds = ['story', 'ask', 'reply'] as const satisfies Kind[]

/** In 28 rooms the account plays a part; readers are never more than authors. */
function partIn({ account }: Ground, index: number): RoomPart | null {
  if (index >= 28) return null
  const part = parts[index % parts.length] ?? 'reader'
  if (account.kind === 'keeper') return part
  return index % 2 === 0 ? 'author' : 'reader'
}

function seedRoom(ground: Ground, called: string, index: number): Planned {
  const { db, random, account, next } = ground
  const plan = {
    no: next(),
    index,
    mine: partIn(ground, index),
    takes: index % 3 !== 2,
    slot: 5 + (index % 14),
    isNew: index === 6,
  }
  const sql = 'INSERT INTO rooms VALUES (?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, plan.no, account.account, called, random.pick(blurbs), plan.mine, plan.takes ? 1 : 0, plan.slot)
  return plan
}

/** Thirty days one by one, and all before them in one line. */
function seedFigures({ db, random, day }: Ground, { no }: Planned): void {
  const today = dayNumber(day)
  const insert = db.prepare('INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (let back = 30; back >= 0; back--) {
    const size = back === 30 ? 200 : 1
    const some = (most: number): number => random.between(0, most * size)
    insert.run(no, today - back, some(900), some(12), some(40), some(9), some(25))
  }
}

/** What was seen and liked of the posts is in the figures, too: in the oldest line, which is of no day. */
function countPosts({ db, day }: Ground, { no }: Planned): void {
  const sql = `UPDATE figures SET seen = figures.seen + posted.seen, thumbs = figures.thumbs + posted.thumbs
    FROM (SELECT sum(seen) AS seen, sum(thumbs) AS thumbs FROM posts WHERE room = ?1) AS posted WHERE room = ?1 AND day = ?2`
  run(db, sql, no, dayNumber(day) - 30)
}

/** What stands there, and three that wait for their day. */
function seedPosts({ db, random, account, day, next }: Ground, { no, index, mine, slot }: Planned): void {
  const mayPost = mine !== null && mine !== 'reader'
  const size = index === 0 ? 66 : 5
  for (let at = 0; at < size + 3; at++) {
    const waits = at - size
    const own = mayPost && at % 4 === 1
    const words = {
      headline: at % 5 === 2 ? '' : `${random.pick(headlines)} (${at + 1})`,
      text: random.pick(replyTexts),
    }
    const writer = own ? account.person : random.pick(people)
    const seen = waits < 0 ? random.between(0, 5000) : 0
    addPost(db, account.account, {
      no: next(),
      room: no,
      kind: 'story',
      ...words,
      writer,
      own,
      target: undefined,
      seen,
      thumbs: waits < 0 ? Math.min(random.between(0, 300), seen) : 0,
      liveAt: waits < 0 ? day - (size - at) * 30 * hour : day + (waits + 1) * 24 * hour + slot * hour,
    })
  }
}

function headlineOf({ random }: Ground, kind: Kind, asks: readonly Ask[], at: number): { headline: string; ask?: Ask } {
  if (kind === 'reply') {
    const ask = random.pick(asks)
    return { headline: ask.wording, ask }
  }
  if (kind === 'ask') return { headline: `May I ask in here about number ${at + 1}, s’il vous plaît?` }
  return { headline: at % 12 === 9 ? '' : random.pick(headlines) }
}

/** What became of the first six; the rest waits. The second one that was lined up has not been published yet. */
const settledStages = ['published', 'lined_up', 'skipped', 'published', 'lined_up', 'skipped'] as const

/** What people handed in. Older ones first. */
function seedDesk(ground: Ground, room: Planned, asks: readonly Ask[]): void {
  const { db, random, account, day, next } = ground
  const size = settledStages.length + (room.index === 0 ? 66 : 9)
  for (let at = 0; at < size; at++) {
    const stage = settledStages[at] ?? 'waiting'
    const kind = kinds[at % kinds.length] ?? 'story'
    const { headline, ask } = headlineOf(ground, kind, asks, at)
    const handedIn = day - (size - at) * 4 * hour - random.between(0, 3 * hour)
    const settled = stage === 'waiting' ? undefined : handedIn + hour
    const isPlaced = stage === 'published' || stage === 'lined_up'
    const goesLive = !isPlaced ? undefined : at === 4 ? nextSlot(db, room, day) : settled
    const entry: Entry = {
      no: next(),
      room: room.no,
      kind,
      headline,
      text: kind === 'ask' ? '' : random.pick(replyTexts),
      writer: at % 10 === 8 ? '' : random.pick(people),
      own: false,
      ask: ask?.no,
      handedIn,
      stage,
      settled,
      goesLive,
    }
    addEntry(db, account.account, entry)
    if (goesLive !== undefined) place(db, account.account, entry, goesLive, next)
  }
}

/** What the account itself handed in where it is a reader. */
function seedHandedIn({ db, account, day, next }: Ground, { no, index }: Planned): void {
  for (const [at, stage] of (['skipped', 'waiting'] as const).entries()) {
    const handedIn = day - (40 + index - at) * hour
    const about = { room: no, kind: 'ask' as const, headline: `Is room ${index} the right place?`, text: '' }
    const whose = { writer: account.person, own: true, ask: undefined, handedIn, stage }
    addEntry(db, account.account, {
      ...about,
      ...whose,
      no: next(),
      settled: at === 0 ? handedIn + 60 : undefined,
      goesLive: undefined,
    })
  }
}

/** Rooms with all that is in them; answers their numbers. */
export function seedRooms(ground: Ground, asks: readonly Ask[]): number[] {
  const rooms = roomNames.map((called, index) => seedRoom(ground, called, index))
  for (const room of rooms) {
    if (room.isNew) continue
    seedFigures(ground, room)
    seedPosts(ground, room)
    countPosts(ground, room)
    if (!room.takes || room.mine === null) continue
    if (room.mine === 'reader') seedHandedIn(ground, room)
    else if (room.mine !== 'author') seedDesk(ground, room, asks)
  }
  return rooms.map(({ no }) => no)
}
