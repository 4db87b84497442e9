import { addDays } from './clock.ts'
import { idOf, type Mail } from './entities.ts'
import { post } from './mails.ts'
import type { Ground, SeededOrder } from './seed-ground.ts'
import { opinions, questions, replies } from './seed-words.ts'
import { insertMessages } from './threads.ts'

interface Said {
  thread: number
  order: SeededOrder
  side: 'GUEST' | 'SUPPLIER'
  words: string
  sent: number
}

/** What was written about one order, all of it before the reset: the supplier answered two of three times. */
function talk({ random, midnight }: Ground, thread: number, order: SeededOrder): Said[] {
  const said: Said[] = []
  const say = (side: Said['side'], words: string, pause: number): void => {
    const sent = (said.at(-1)?.sent ?? order.placed) + random.between(300, pause)
    said.push({ thread, order, side, words, sent })
  }
  const rounds = random.between(1, 3)
  for (let round = 1; round <= rounds; round++) {
    const isLast = round === rounds
    say('GUEST', isLast && thread % 23 === 0 ? '' : random.pick(questions), 90_000)
    if (!isLast || thread % 3 > 0) say('SUPPLIER', random.pick(replies), 40_000)
  }
  const late = Math.max(0, (said.at(-1)?.sent ?? 0) - midnight)
  const back = late === 0 ? 0 : late + random.between(60, 80_000)
  return said.map((one) => ({ ...one, sent: one.sent - back }))
}

/** Some 170 threads, two of five with messages that nobody has read. */
function seedThreads(ground: Ground, orders: readonly SeededOrder[]): Mail[] {
  const { db, account, base } = ground
  const written = orders.filter(({ serial }) => serial % 5 < 2).slice(-200)
  const said = written.flatMap((order, index) => talk(ground, base + index + 1, order)).sort((a, b) => a.sent - b.sent)
  const messages = said.map((one, index) => ({ ...one, serial: base + index + 1, account }))
  insertMessages(db, messages)
  const insert = db.prepare('INSERT INTO threads VALUES (?, ?, ?, ?)')
  for (const [index, order] of written.entries()) {
    const thread = base + index + 1
    const seen = messages.findLast((message) => message.thread === thread && message.side === 'SUPPLIER')?.serial ?? 0
    insert.run(thread, account, order.serial, seen)
  }
  return messages.flatMap(({ side, order, words, sent }) => {
    const about = idOf('orders', order.serial)
    const subject = `About your order ${about}`
    return side === 'GUEST' ? [] : [{ kind: 'ANSWER' as const, recipient: order.mail, subject, words, about, sent }]
  })
}

/** About two of three guests have said what they think; every second has an answer. */
function seedFeedback({ db, random, account, base, today, midnight }: Ground, orders: readonly SeededOrder[]): Mail[] {
  const insert = db.prepare('INSERT INTO feedback VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const rated = orders.filter(({ offset, state, serial }) => offset < -2 && state === 'LIVE' && serial % 3 > 0)
  return rated.flatMap(({ activity, serial: booking, offset, mail }, index): Mail[] => {
    const serial = base + index + 1
    const day = addDays(today, offset + 2)
    const answer = index % 2 === 0 ? random.pick(replies) : null
    const answered = answer === null ? null : midnight + (offset + 2) * 86_400 + 50_000
    const stars = random.between(1, 5)
    insert.run(serial, account, activity, booking, stars, random.pick(opinions), day, answer, answered)
    const about = idOf('feedback', serial)
    const subject = 'Your feedback has an answer'
    return answer === null || answered === null
      ? []
      : [{ kind: 'FEEDBACK_ANSWER', recipient: mail, subject, words: answer, about, sent: answered }]
  })
}

export function seedTalk(ground: Ground, orders: readonly SeededOrder[]): void {
  const mails = [...seedThreads(ground, orders), ...seedFeedback(ground, orders)]
  post(
    ground.db,
    ground.account,
    mails.sort((a, b) => a.sent - b.sent),
  )
}
