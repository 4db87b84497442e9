import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { among } from './ads.ts'
import { boxes, type Box, type Line, type Memo, type Thread } from './entities.ts'
import type { PageWish } from './paging.ts'

function toThread(row: Row): Thread {
  return {
    id: number(row, 'id'),
    account: text(row, 'account'),
    ad: number(row, 'ad'),
    name: text(row, 'name'),
    email: text(row, 'email'),
    phone: text(row, 'phone'),
    box: among(boxes, text(row, 'box')),
    fresh: number(row, 'fresh'),
    created: number(row, 'created'),
  }
}

function toLine(row: Row): Line {
  const ads: unknown = JSON.parse(text(row, 'ads'))
  return {
    id: number(row, 'id'),
    dir: among(['in', 'out'], text(row, 'dir')),
    author: text(row, 'author'),
    text: text(row, 'text'),
    ads: Array.isArray(ads) ? ads.map(Number) : [],
    at: number(row, 'at'),
  }
}

/** A thread of this account; somebody else's does not exist. */
export function findThread(db: DatabaseSync, account: string, id: string): Thread {
  const row = /^\d{1,15}$/.test(id)
    ? one(db, 'SELECT * FROM threads WHERE id = ? AND account = ?', Number(id), account)
    : undefined
  if (!row) throw new Refusal(404, 'THREAD_NOT_FOUND', 'You have no conversation with this number.')
  return toThread(row)
}

export function linesOf(db: DatabaseSync, thread: number): Line[] {
  return all(db, 'SELECT * FROM lines WHERE thread = ? ORDER BY id', thread).map(toLine)
}

export function memosOf(db: DatabaseSync, thread: number): Memo[] {
  return all(db, 'SELECT * FROM memos WHERE thread = ? ORDER BY id', thread).map((row) => ({
    id: number(row, 'id'),
    author: text(row, 'author'),
    text: text(row, 'text'),
    at: number(row, 'at'),
  }))
}

export interface ThreadFilter {
  boxes: readonly Box[]
  ad: number | undefined
  /** Last line at this time or later, Unix seconds. */
  since: number
}

/**
 * A place in the inbox as it stood after line `asOf`. What comes in later, in new threads or old ones, then neither
 * moves a thread into view twice nor out of it.
 */
export interface Place {
  asOf: number
  position: number
}

export interface ThreadRow {
  thread: Thread
  last: Line
  place: Place
}

/** Latest line first; a thread that began after `asOf` has no position. One row more than asked for shows that there is a next page. */
export function listThreads(
  db: DatabaseSync,
  account: string,
  filter: ThreadFilter,
  wish: PageWish<Place>,
): { rows: ThreadRow[]; total: number } {
  const newest = one(db, 'SELECT coalesce(max(id), 0) AS id FROM lines WHERE account = ?', account)
  const asOf = wish.before?.asOf ?? number(newest ?? {}, 'id')
  const where = `threads t WHERE t.account = ? AND t.box IN (${filter.boxes.map(() => '?').join(', ')})
    AND (? IS NULL OR t.ad = ?)
    AND (SELECT at FROM lines WHERE thread = t.id ORDER BY id DESC LIMIT 1) >= ?`
  const values = [account, ...filter.boxes, filter.ad ?? null, filter.ad ?? null, filter.since]
  const sql = `SELECT * FROM (SELECT t.*, (SELECT max(id) FROM lines WHERE thread = t.id AND id <= ?) AS position
    FROM ${where}) WHERE position < ? ORDER BY position DESC LIMIT ? OFFSET ?`
  const before = wish.before?.position ?? Number.MAX_SAFE_INTEGER
  const rows = all(db, sql, asOf, ...values, before, wish.size + 1, wish.offset).map((row) => {
    const thread = toThread(row)
    return { thread, last: lastLine(db, thread.id), place: { asOf, position: number(row, 'position') } }
  })
  return { rows, total: count(db, where, ...values) }
}

function lastLine(db: DatabaseSync, thread: number): Line {
  const row = one(db, 'SELECT * FROM lines WHERE thread = ? ORDER BY id DESC LIMIT 1', thread)
  if (!row) throw new Error(`Thread ${thread} has no line.`)
  return toLine(row)
}

/** Adds a line: ours opens the thread, also a shelved one; theirs makes it fresh. */
export function addLine(db: DatabaseSync, thread: Thread, line: Omit<Line, 'id'>): Line {
  const top = one(db, 'SELECT max(id) + 1 AS id FROM lines WHERE account = ?', thread.account)
  const id = maybeNumber(top ?? {}, 'id') ?? thread.id * 100
  insertLine(db, thread, { id, ...line })
  if (line.dir === 'out') setBox(db, thread, 'open')
  else run(db, "UPDATE threads SET box = 'fresh', fresh = fresh + 1 WHERE id = ?", thread.id)
  return { id, ...line }
}

export function insertLine(db: DatabaseSync, thread: Pick<Thread, 'id' | 'account'>, line: Line): void {
  const sql = 'INSERT INTO lines (id, account, thread, dir, author, text, ads, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, line.id, thread.account, thread.id, line.dir, line.author, line.text, JSON.stringify(line.ads), line.at)
}

/** Into a box where nothing is unread. */
export function setBox(db: DatabaseSync, thread: Thread, box: Exclude<Box, 'fresh'>): void {
  run(db, 'UPDATE threads SET box = ?, fresh = 0 WHERE id = ?', box, thread.id)
}

export function addMemo(db: DatabaseSync, thread: Thread, memo: Omit<Memo, 'id'>): Memo {
  const top = one(db, 'SELECT max(id) + 1 AS id FROM memos WHERE thread = ?', thread.id)
  const id = maybeNumber(top ?? {}, 'id') ?? thread.id * 1000
  run(db, 'INSERT INTO memos VALUES (?, ?, ?, ?, ?)', id, thread.id, memo.author, memo.text, memo.at)
  return { id, ...memo }
}

/** What somebody from the street writes: a new thread, or one more line in the one that they have about this ad. */
export function receiveEnquiry(
  db: DatabaseSync,
  account: string,
  ad: number,
  person: { name: string; email: string; phone: string },
  words: string,
  at: number,
): { thread: Thread; line: Line } {
  const known = one(db, 'SELECT * FROM threads WHERE ad = ? AND email = ?', ad, person.email)
  const top = one(db, 'SELECT max(id) + 1 AS id FROM threads WHERE account = ?', account)
  const id = maybeNumber(top ?? {}, 'id') ?? Math.floor(ad / 10_000) * 10_000 + 1
  const thread: Thread = known ? toThread(known) : { id, account, ad, ...person, box: 'fresh', fresh: 0, created: at }
  if (!known) insertThread(db, thread)
  return { thread, line: addLine(db, thread, { dir: 'in', author: person.name, text: words, ads: [], at }) }
}

export function insertThread(db: DatabaseSync, t: Thread): void {
  const sql = 'INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, t.id, t.account, t.ad, t.name, t.email, t.phone, t.box, t.fresh, t.created)
}
