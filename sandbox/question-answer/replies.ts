import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { askPath, toUnder, type Ask, type Under } from './asks.ts'
import { ring } from './bells.ts'
import { nextNo } from './circle.ts'
import { readMarkdown } from './input.ts'
import { settleNudges } from './nudges.ts'
import { listed, type Span } from './parameters.ts'

export interface Reply {
  no: number
  ask: number
  /** '' for somebody who replied without a name. */
  writer: string
  own: boolean
  text: string
  thumbs: number
  liveAt: number
}

export const replyPath = (key: string, no: number): string => `${askPath(key)}/replies/${no}`

function toReply(row: Row): Reply {
  return {
    no: number(row, 'no'),
    ask: number(row, 'ask'),
    writer: text(row, 'writer'),
    own: number(row, 'own') === 1,
    text: text(row, 'text'),
    thumbs: number(row, 'thumbs'),
    liveAt: number(row, 'live_at'),
  }
}

/** Those with the most thumbs, the earlier one first where they have as many. */
export function bestReplies(db: DatabaseSync, ask: number, size: number): Reply[] {
  const sql = `SELECT * FROM replies WHERE ask = ? AND live_at <= unixepoch()
    ORDER BY thumbs DESC, live_at, no LIMIT ?`
  return all(db, sql, ask, size).map(toReply)
}

/** The account's own, newest first. */
export function listMine({ db, viewer }: SignedIn, span: Span): { rows: (Reply & Under)[]; total: number } {
  const query = `SELECT r.*, a.wording, a.key FROM replies r JOIN asks a ON a.no = r.ask
    WHERE r.account = ? AND r.own = 1 AND r.live_at <= ? AND r.no <= ?`
  const order = 'live_at DESC, no DESC'
  const { rows, total } = listed(db, span, query, order, viewer.account.account, span.moment, span.last)
  return { rows: rows.map((row) => ({ ...toReply(row), ...toUnder(row) })), total }
}

/** A live reply to a question. */
export function findReply(db: DatabaseSync, no: number, key: string): Reply {
  const sql = `SELECT r.* FROM replies r JOIN asks a ON a.no = r.ask
    WHERE r.no = ? AND a.key = ? AND r.live_at <= unixepoch()`
  const row = one(db, sql, no, key)
  if (!row) throw new Refusal(404, 'REPLY_NOT_FOUND', 'There is no such reply.', 'no')
  return toReply(row)
}

/** A live reply in this circle, with its question. */
export function ownReply({ db, viewer }: SignedIn, no: number): Reply & { key: string; room: number | undefined } {
  const sql = `SELECT r.*, a.key, coalesce(a.room, 0) AS room FROM replies r JOIN asks a ON a.no = r.ask
    WHERE r.no = ? AND r.account = ? AND r.live_at <= unixepoch()`
  const row = one(db, sql, no, viewer.account.account)
  if (!row) throw new Refusal(404, 'REPLY_NOT_FOUND', 'There is no such reply.', 'no')
  return { ...toReply(row), key: text(row, 'key'), room: number(row, 'room') || undefined }
}

export function insertReply(db: DatabaseSync, account: string, reply: Reply): void {
  const { no, ask, writer, own, text: words, thumbs, liveAt } = reply
  run(
    db,
    'INSERT INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    no,
    account,
    ask,
    writer,
    own ? 1 : 0,
    words,
    thumbs,
    liveAt,
  )
}

/** Replies, for everybody to read at once; whoever asked, or asked for a reply, is told. */
export function postReply(request: SignedIn, ask: Ask, fields: Record<string, unknown>): Reply {
  const { db, viewer, now } = request
  const { account, person } = viewer.account
  const words = readMarkdown(fields['text'], 'text')
  const no = nextNo(db, account)
  const reply = { no, ask: ask.no, writer: person, own: true, text: words, thumbs: 0, liveAt: now }
  insertReply(db, account, reply)
  const senders = settleNudges(db, ask.no, no)
  const listeners = [ask.writer, ...senders].filter((name) => name !== person)
  ring(request, listeners, `${person} replied to: ${ask.wording}`, replyPath(ask.key, no))
  request.effect('reply.post', { ask: ask.no, reply: no, text: words })
  return reply
}
