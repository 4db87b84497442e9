import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import type { Ad, Box, Line, Thread } from './entities.ts'
import { answered, asked, longQuestion, names, noted } from './seed-words.ts'
import { insertLine, insertThread } from './threads.ts'

const threadCount = 140

interface Planned {
  thread: Thread
  lines: Omit<Line, 'id'>[]
}

/** Two ads have many enquiries, the newest none. */
function adOf(random: Random, ads: readonly Ad[], index: number): Ad {
  const busy = index % 7 === 0 ? ads[89] : index % 11 === 0 ? ads[87] : undefined
  return busy ?? random.pick(ads.slice(0, 92))
}

function plan(random: Random, day: number, account: Account, ad: Ad, index: number, box: Box): Planned {
  const name = random.pick(names)
  const long = index === 3
  const size = long ? 14 : random.between(1, 6)
  const fresh = box === 'fresh' ? random.between(1, Math.min(size, 3)) : 0
  const wished = day - random.between(2, 100) * 86_400 - random.between(1, 86_000)
  const created = Math.max(wished, ad.created + random.between(600, 86_400))
  const step = Math.min(Math.floor((day - 600 - created) / size), 2 * 86_400)
  const lines = Array.from({ length: size }, (_, at): Omit<Line, 'id'> => {
    const dir = at === 0 || at >= size - fresh || random.next() < 0.5 ? 'in' : 'out'
    const text = dir === 'out' ? random.pick(answered) : long && at === 0 ? longQuestion : random.pick(asked)
    const author = dir === 'in' ? name : account.person
    return { dir, author, text, ads: [], at: created + at * step + (at === 0 ? 0 : random.between(1, step)) }
  })
  // No two lines of a thread in the wrong order, whatever the steps were.
  for (const [at, line] of lines.entries()) line.at = Math.max(line.at, (lines[at - 1]?.at ?? 0) + 1)
  const thread: Thread = {
    id: account.ordinal * 10_000 + index + 1,
    account: account.account,
    ad: ad.serial,
    name,
    email: `visitor.${account.ordinal}.${index + 1}@mail.example`,
    phone: index % 4 === 0 ? '' : `+351 21 ${String(5_550_000 + index)}`,
    box,
    fresh,
    created,
  }
  return { thread, lines }
}

/** Line numbers rise with time over all threads of the account, as they would have when the lines came in. */
export function seedThreads(
  db: DatabaseSync,
  random: Random,
  day: number,
  account: Account,
  ads: readonly Ad[],
  boxOf: (index: number) => Box,
): void {
  const planned = Array.from({ length: threadCount }, (_, index) =>
    plan(random, day, account, adOf(random, ads, index), index, boxOf(index)),
  )
  for (const { thread } of planned) insertThread(db, thread)
  const lines = planned.flatMap(({ thread, lines: some }) => some.map((line) => ({ thread, line })))
  lines.sort((a, b) => a.line.at - b.line.at || a.thread.id - b.thread.id)
  for (const [index, { thread, line }] of lines.entries()) {
    insertLine(db, thread, { id: account.ordinal * 1_000_000 + index + 1, ...line })
  }
  const memo = db.prepare('INSERT INTO memos VALUES (?, ?, ?, ?, ?)')
  for (const [index, { thread }] of planned.entries()) {
    if (index % 3 !== 0) continue
    for (let turn = 0; turn <= index % 2; turn++) {
      memo.run(
        thread.id * 1000 + turn,
        thread.id,
        account.person,
        random.pick(noted),
        thread.created + 3600 * (turn + 1),
      )
    }
  }
}
