import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { nextSerial, serialIn, todayHere } from './host.ts'
import { readText, type Fields } from './input.ts'
import { sendMail } from './mails.ts'
import { stateOf, type Stay, type StayState } from './stays.ts'

export const shelves = ['UNREAD', 'ASKED', 'AHEAD', 'BEHIND', 'QUESTIONS', 'ALL'] as const
type Shelf = (typeof shelves)[number]

/** A talk with a camper, about a stay or, where that is null, about anything. */
export interface Chat {
  serial: number
  stay: number | null
  first: string
  last: string
  mail: string
  words: string
  at: number
  fresh: boolean
  state: StayState | undefined
}

export interface Note {
  serial: number
  byHost: boolean
  words: string
  at: number
}

const select = `SELECT c.*, n.words, n.at, s.verdict, s.until, s.come, s.leave,
    EXISTS (SELECT 1 FROM notes u WHERE u.chat = c.serial AND u.seen = 0) AS fresh
  FROM chats c JOIN notes n ON n.serial = (SELECT serial FROM notes WHERE chat = c.serial ORDER BY at DESC, serial DESC LIMIT 1)
  LEFT JOIN stays s ON s.serial = c.stay`

const toChat = (row: Row, today: number, now: number): Chat => ({
  serial: number(row, 'serial'),
  stay: maybeNumber(row, 'stay') ?? null,
  first: text(row, 'first'),
  last: text(row, 'last'),
  mail: text(row, 'mail'),
  words: text(row, 'words'),
  at: number(row, 'at'),
  fresh: number(row, 'fresh') === 1,
  state: row['stay'] === null ? undefined : stateOf(row, today, now),
})

/** Each chat stands on one shelf, besides that of the unread ones. */
function shelfOf({ state }: Chat): Shelf {
  if (state === undefined) return 'QUESTIONS'
  if (state === 'ASKED') return 'ASKED'
  return state === 'UPCOMING' || state === 'HERE' ? 'AHEAD' : 'BEHIND'
}

/** Latest message first. */
export function listChats(request: SignedIn, shelf: Shelf, stay: Stay | undefined): Chat[] {
  const { db, viewer, now } = request
  const today = todayHere(request)
  const sql = `${select} WHERE c.account = ?1 AND (?2 = 0 OR c.stay = ?2) ORDER BY n.at DESC, n.serial DESC`
  return all(db, sql, viewer.account.account, stay?.serial ?? 0)
    .map((row) => toChat(row, today, now))
    .filter((chat) => shelf === 'ALL' || (shelf === 'UNREAD' ? chat.fresh : shelfOf(chat) === shelf))
}

export function ownChat(request: SignedIn): Chat {
  const { db, viewer, now, params } = request
  const sql = `${select} WHERE c.serial = ? AND c.account = ?`
  const row = one(db, sql, serialIn('C', params['chat']), viewer.account.account)
  if (!row) throw new Refusal(404, 'CHAT_NOT_FOUND', 'None of your chats has this id.', 'chat')
  return toChat(row, todayHere(request), now)
}

/** Earliest first. */
export const notesOf = (db: DatabaseSync, chat: number): Note[] =>
  all(db, 'SELECT * FROM notes WHERE chat = ? ORDER BY at, serial', chat).map((row) => ({
    serial: number(row, 'serial'),
    byHost: number(row, 'by_host') === 1,
    words: text(row, 'words'),
    at: number(row, 'at'),
  }))

/** The host writes into a chat: what stood there counts as read. Answers the note's serial. */
function addNote({ db, viewer, now }: SignedIn, chat: number, words: string): number {
  const { account } = viewer.account
  const serial = nextSerial(db, 'notes', account)
  run(db, 'UPDATE notes SET seen = 1 WHERE chat = ?', chat)
  run(db, 'INSERT INTO notes VALUES (?, ?, ?, 1, ?, ?, 1)', serial, account, chat, words, now)
  return serial
}

/** Writes into the chat about a stay, which it opens where there is none yet. */
export function writeAbout(request: SignedIn, stay: Stay, words: string): { chat: number; note: number } {
  const { db, viewer } = request
  const { account } = viewer.account
  const row = one(db, 'SELECT serial FROM chats WHERE stay = ?', stay.serial)
  const chat = row ? number(row, 'serial') : nextSerial(db, 'chats', account)
  if (!row) {
    run(db, 'INSERT INTO chats VALUES (?, ?, ?, ?, ?, ?)', chat, account, stay.serial, stay.first, stay.last, stay.mail)
  }
  return { chat, note: addNote(request, chat, words) }
}

export function reply(request: SignedIn, chat: Chat, fields: Fields): number {
  const words = readText(fields['words'], 'words', 2000)
  const note = addNote(request, chat.serial, words)
  const { db, viewer, now } = request
  const subject = `${viewer.account.label} wrote to you`
  sendMail(db, viewer.account.account, { recipient: chat.mail, subject, words, at: now })
  request.effect('chat.reply', { chat: `C${chat.serial}`, note: `N${note}`, words })
  return note
}
