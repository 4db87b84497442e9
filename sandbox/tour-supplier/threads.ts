import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { idOf, serialOf, type Message, type Thread } from './entities.ts'
import { knownFields, readWords } from './input.ts'
import { post } from './mails.ts'
import type { Wish } from './paging.ts'
import { nextSerial } from './supplier.ts'

interface ThreadWish {
  /** The newest message that the list knows; a thread stands where its last message up to that one puts it. */
  asOf: number
  below: number
  unseenOnly: boolean
  thread: number | null
  size: number
}

function findThreads(db: DatabaseSync, account: string, wish: ThreadWish): Thread[] {
  const sql = `SELECT t.serial, t.booking, o.guest, o.mail, a.headline, m.serial AS mark, m.side, m.words, m.sent,
      (SELECT count(*) FROM messages WHERE thread = t.serial AND side = 'GUEST' AND serial > t.seen) AS unseen
    FROM threads t JOIN orders o ON o.serial = t.booking JOIN activities a ON a.serial = o.activity
    JOIN messages m ON m.serial = (SELECT max(serial) FROM messages WHERE thread = t.serial AND serial <= ?2)
    WHERE t.account = ?1 AND m.serial < ?3 AND (?4 = 0 OR unseen > 0) AND (?5 IS NULL OR t.serial = ?5)
    ORDER BY m.serial DESC LIMIT ?6`
  const { asOf, below, unseenOnly, thread, size } = wish
  return all(db, sql, account, asOf, below, unseenOnly ? 1 : 0, thread, size + 1).map((row) => ({
    serial: number(row, 'serial'),
    booking: number(row, 'booking'),
    guest: text(row, 'guest'),
    mail: text(row, 'mail'),
    headline: text(row, 'headline'),
    unseen: number(row, 'unseen'),
    last: {
      serial: number(row, 'mark'),
      side: text(row, 'side'),
      words: text(row, 'words'),
      sent: number(row, 'sent'),
    },
  }))
}

/** The one written to last first; `asOf` belongs into the key of the next page. */
export function listThreads(
  db: DatabaseSync,
  account: string,
  unseenOnly: boolean,
  { size, key }: Wish,
): { asOf: number; threads: Thread[] } {
  const newest = nextSerial(db, 'messages', account) - 1
  const [asOf = newest, below = Number.MAX_SAFE_INTEGER] = key?.map(Number) ?? []
  return { asOf, threads: findThreads(db, account, { asOf, below, unseenOnly, thread: null, size }) }
}

/** The thread that the path names. */
export function ownThread({ db, viewer, params }: SignedIn): Thread {
  const thread = serialOf('threads', params['id'] ?? '')
  const max = Number.MAX_SAFE_INTEGER
  const wish = { asOf: max, below: max, unseenOnly: false, size: 1 }
  const [found] = thread === undefined ? [] : findThreads(db, viewer.account.account, { ...wish, thread })
  if (!found) throw new Refusal(404, 'THREAD_NOT_FOUND', 'There is no such thread.')
  return found
}

/** Earliest first. */
export const messagesOf = (db: DatabaseSync, thread: number): Message[] =>
  all(db, 'SELECT * FROM messages WHERE thread = ? ORDER BY serial', thread).map((row) => ({
    serial: number(row, 'serial'),
    side: text(row, 'side'),
    words: text(row, 'words'),
    sent: number(row, 'sent'),
  }))

export interface NewMessage extends Message {
  account: string
  thread: number
}

export function insertMessages(db: DatabaseSync, messages: readonly NewMessage[]): void {
  const insert = db.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)')
  for (const { serial, account, thread, side, words, sent } of messages) {
    insert.run(serial, account, thread, side, words, sent)
  }
}

/** Writes to the guest, by mail too; whatever the guest wrote counts as read from now on. */
export function answerThread(request: SignedIn, thread: Thread): Message {
  const { db, form, viewer, now } = request
  const { account, label } = viewer.account
  knownFields(form, (name) => name === 'words')
  const words = readWords(form.get('words'), 'words', 2000)
  const message = { serial: nextSerial(db, 'messages', account), side: 'SUPPLIER', words, sent: now }
  insertMessages(db, [{ ...message, account, thread: thread.serial }])
  run(db, 'UPDATE threads SET seen = ? WHERE serial = ?', message.serial, thread.serial)
  const about = idOf('orders', thread.booking)
  const subject = `${label}: about your order ${about}`
  post(db, account, [{ kind: 'ANSWER', recipient: thread.mail, subject, words, about, sent: now }])
  const messageId = idOf('messages', message.serial)
  request.effect('thread.answered', { threadId: idOf('threads', thread.serial), messageId, words })
  return message
}

/** The thread of an order; the first message opens it. */
export function threadOf(db: DatabaseSync, account: string, booking: number): number {
  const row = one(db, 'SELECT serial FROM threads WHERE booking = ?', booking)
  if (row) return number(row, 'serial')
  const serial = nextSerial(db, 'threads', account)
  run(db, 'INSERT INTO threads VALUES (?, ?, ?, 0)', serial, account, booking)
  return serial
}
