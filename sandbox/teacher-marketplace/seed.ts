import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import { run } from '../platform/rows.ts'
import type { Account } from '../platform/types.ts'
import { addDays, nineOClock } from './clock.ts'
import type { Good } from './goods.ts'
import { insertMarkdown } from './markdowns.ts'
import { seedGoods } from './seed-goods.ts'
import type { Ground } from './seed-ground.ts'
import { buyerMail, seedTrade } from './seed-trade.ts'
import { longQuestion, notes, people, questions, replies, zones } from './seed-words.ts'
import { block, insertShop } from './shop.ts'

const followers = 70

/** Two of three have a reply. */
function seedAsks(ground: Ground, goods: readonly Good[], many: number): void {
  const { db, random, account, day, next } = ground
  const insert = db.prepare('INSERT INTO asks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (let index = 0; index < many; index++) {
    const asked = day - (many + 1 - index) * 17 * 3600 + random.between(0, 3600)
    const asker = random.pick(people)
    const words = index === 90 ? longQuestion : random.pick(questions)
    const reply = index % 3 === 0 ? null : random.pick(replies)
    const [no, good] = [next(), random.pick(goods).no]
    const end = reply === null ? [null, null, null] : [reply, asked + random.between(1, 14) * 900, next()]
    const mail = asker === '' ? '' : buyerMail(ground, index)
    insert.run(no, account.account, good, asker, mail, words, asked, ...end)
  }
}

/** Every ten days one is over, of the whole shop and of chosen goods in turn; one runs, one is planned. */
function seedMarkdowns({ db, random, account, today, next }: Ground, goods: readonly Good[]): void {
  const plan = (from: number, to: number, chosen: number[] | null): void =>
    insertMarkdown(db, account.account, {
      no: next(),
      percent: random.between(1, 10) * 5,
      first: addDays(today, from),
      last: addDays(today, to),
      goods: chosen,
    })
  const some = (from: number, many: number): number[] => goods.slice(from, from + many).map(({ no }) => no)
  for (let index = 64; index > 0; index--) plan(-index * 10 - 6, -index * 10, index % 2 === 0 ? null : some(index, 6))
  plan(-2, 4, some(20, 5))
  plan(20, 24, some(30, 3))
}

/** One a week and two to come; the mailbox holds the letters of the last two and of those to come. */
function seedNotes(ground: Ground): void {
  const { db, random, account, day, today, zone, next } = ground
  const mails = Array.from(
    { length: followers },
    (_, index) => `follower${index + 1}.${account.ordinal}@school.example`,
  )
  const follow = db.prepare('INSERT INTO followers VALUES (?, ?)')
  for (const mail of mails) follow.run(account.account, mail)
  const insert = db.prepare('INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const ages = [...Array.from({ length: 62 }, (_, index) => (index - 62) * 7), 12, 26]
  for (const days of ages) {
    const [no, words] = [next(), random.pick(notes)]
    const leaves = days < 0 ? day + days * 86_400 + 55_000 : nineOClock(addDays(today, days), zone)
    const written = Math.min(leaves, day - 86_400)
    run(db, 'INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)', no, account.account, words, written, leaves, followers)
    if (days < -14) continue
    const first = next()
    const batch = `B${first}`
    for (const [index, mail] of mails.entries()) {
      insert.run(index === 0 ? first : next(), account.account, batch, 'note', no, mail, words, leaves)
    }
  }
}

/** Everything of one shop, the same after every reset but for the day that its times are counted from. Buyers have none. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  if (account.kind === 'buyer') return
  const isNew = account.kind === 'starter'
  let last = account.ordinal * block
  const next = (): number => (last += 1)
  const zone = zones[(account.ordinal - 1) % zones.length] ?? zones[0]
  const today = new Date(day * 1000).toISOString().slice(0, 10)
  const ground: Ground = { db, random: new Random(`chalkara ${account.ordinal}`), account, zone, day, today, next }
  const goods = seedGoods(ground, isNew ? 7 : 132)
  seedTrade(ground, goods)
  seedAsks(ground, goods, isNew ? 7 : 96)
  if (!isNew) {
    seedMarkdowns(ground, goods)
    seedNotes(ground)
  }
  insertShop(db, { account: account.account, last, zone })
}
