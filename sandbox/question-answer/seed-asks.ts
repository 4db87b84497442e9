import { run } from '../platform/rows.ts'
import { insertAsk, type Ask } from './asks.ts'
import { insertReply } from './replies.ts'
import type { Ground } from './seed-ground.ts'
import { oddWordings, people, replyTexts, stems, topics } from './seed-words.ts'

const askCount = 240
const hour = 3600

/** Each pair of stem and topic at most once; every fortieth question is an odd one. */
function wordingOf(index: number): string {
  const odd = index % 40 === 5 ? oddWordings[(index - 5) / 40] : undefined
  if (odd !== undefined) return odd
  return `${stems[index % stems.length]} ${topics[Math.floor(index / stems.length) % topics.length]}?`
}

/** How many replies of others: nobody has replied to each sixth question, very many people to one. */
function crowd({ random }: Ground, index: number): number {
  if (index === 230) return 33
  return index % 6 === 4 ? 0 : random.between(1, 6)
}

function seedReplies(ground: Ground, ask: Ask, index: number): void {
  const { db, random, account, day, next } = ground
  const size = crowd(ground, index)
  for (let at = 0; at < size; at++) {
    const writer = (index + at) % 17 === 3 ? '' : random.pick(people)
    const thumbs = random.between(0, 4) === 0 ? 0 : random.between(1, 900)
    const liveAt = Math.min(ask.liveAt + (at + 1) * 2 * hour + random.between(0, hour), day - 1)
    const text = random.pick(replyTexts)
    insertReply(db, account.account, { no: next(), ask: ask.no, writer, own: false, text, thumbs, liveAt })
  }
}

function seedOwn({ db, random, account, next }: Ground, ask: Ask): void {
  const liveAt = ask.liveAt + random.between(1, 12) * hour
  const about = { no: next(), ask: ask.no, writer: account.person, own: true, text: random.pick(replyTexts) }
  insertReply(db, account.account, { ...about, thumbs: random.between(0, 60), liveAt })
}

/** 96 that wait, about 63 different questions without an own reply, and twelve that were settled by one. */
function seedNudges({ db, random, account, day, next }: Ground, asks: readonly Ask[]): void {
  const free = asks.filter((_, index) => index % 3 !== 0 && index < 220)
  const replied = asks.filter((_, index) => index % 3 === 0 && index < 220)
  for (let index = 0; index < 108; index++) {
    const isSettled = index % 9 === 4
    const ask = isSettled ? replied[index % replied.length] : free[(index * 5) % 126]
    if (!ask) continue
    const sent = day - (108 - index) * 5 * hour + random.between(0, 4 * hour)
    const no = next()
    const sender = index % 16 === 7 ? '' : random.pick(people)
    run(
      db,
      'INSERT INTO nudges VALUES (?, ?, ?, ?, ?, ?)',
      no,
      account.account,
      ask.no,
      sender,
      sent,
      isSettled ? no : null,
    )
  }
}

/** Index 0 is the oldest. Every third question has a reply of the account's own. */
export function seedAsks(ground: Ground): Ask[] {
  const { db, random, account, day, next } = ground
  const asks = Array.from({ length: askCount }, (_, index) => {
    const liveAt = day - (askCount - index + 15) * 48 * hour + random.between(0, 40 * hour)
    const writer = index % 13 === 6 ? '' : random.pick(people)
    return insertAsk(db, account.account, next(), { wording: wordingOf(index), writer, room: undefined, liveAt })
  })
  for (const [index, ask] of asks.entries()) {
    seedReplies(ground, ask, index)
    if (index % 3 === 0) seedOwn(ground, ask)
  }
  seedNudges(ground, asks)
  return asks
}
