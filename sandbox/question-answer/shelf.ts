import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { ring } from './bells.ts'
import { nextNo } from './circle.ts'
import { readMarkdown, readOption, readText } from './input.ts'
import { listed, type Span } from './parameters.ts'
import { mayPost, roomPath, type Room } from './rooms.ts'

export type Kind = 'story' | 'reply' | 'ask'

/** What stands in a room, or will. */
export interface Post {
  no: number
  room: number
  kind: Kind
  headline: string
  text: string
  writer: string
  own: boolean
  /** The question or the reply that it is. */
  target: number | undefined
  seen: number
  thumbs: number
  liveAt: number
}

export const kindOf = (word: string): Kind => (word === 'ask' || word === 'reply' ? word : 'story')

function toPost(row: Row): Post {
  return {
    no: number(row, 'no'),
    room: number(row, 'room'),
    kind: kindOf(text(row, 'kind')),
    headline: text(row, 'headline'),
    text: text(row, 'text'),
    writer: text(row, 'writer'),
    own: number(row, 'own') === 1,
    target: maybeNumber(row, 'target'),
    seen: number(row, 'seen'),
    thumbs: number(row, 'thumbs'),
    liveAt: number(row, 'live_at'),
  }
}

/** What is live, latest first; or what is queued, next first. */
export function listShelf(
  { db }: SignedIn,
  room: Room,
  standing: 'live' | 'queued',
  span: Span,
): { rows: Post[]; total: number } {
  const [when, order] = standing === 'live' ? ['<=', 'DESC'] : ['>', 'ASC']
  const query = `SELECT * FROM posts WHERE room = ? AND live_at ${when} ? AND no <= ?`
  const { rows, total } = listed(db, span, query, `live_at ${order}, no ${order}`, room.no, span.moment, span.last)
  return { rows: rows.map(toPost), total }
}

/** The ten that most people have seen. */
export function bestOf(db: DatabaseSync, room: number): Post[] {
  const sql = 'SELECT * FROM posts WHERE room = ? AND live_at <= unixepoch() ORDER BY seen DESC, no LIMIT 10'
  return all(db, sql, room).map(toPost)
}

export function ownPost({ db, viewer }: SignedIn, no: number): Post {
  const sql = 'SELECT * FROM posts WHERE no = ? AND account = ? AND live_at <= unixepoch()'
  const row = one(db, sql, no, viewer.account.account)
  if (!row) throw new Refusal(404, 'POST_NOT_FOUND', 'There is no such post.', 'no')
  return toPost(row)
}

export function addPost(
  db: DatabaseSync,
  account: string,
  post: Omit<Post, 'seen' | 'thumbs'> & { seen?: number; thumbs?: number },
): Post {
  const { no, room, kind, headline, text: words, writer, own, target, seen = 0, thumbs = 0, liveAt } = post
  const sql = 'INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  const last = [target ?? null, seen, thumbs, liveAt]
  run(db, sql, no, account, room, kind, headline, words, writer, own ? 1 : 0, ...last)
  return { ...post, seen, thumbs }
}

/** The end of the room's queue: its hour on the first day after the last one that waits. */
export function nextSlot(db: DatabaseSync, { no, slot }: Pick<Room, 'no' | 'slot'>, now: number): number {
  const row = one(db, 'SELECT max(live_at) AS last FROM posts WHERE room = ? AND live_at > ?', no, now) ?? {}
  const after = maybeNumber(row, 'last') ?? now
  const sameDay = after - (after % 86_400) + slot * 3600
  return sameDay > after ? sameDay : sameDay + 86_400
}

/** A new post in a room, now or at the end of its queue. */
export function postTo(request: SignedIn, room: Room, fields: Record<string, unknown>): Post {
  if (!mayPost(room)) throw new Refusal(403, 'PART_MISSING', 'Readers cannot post in this room.')
  const { db, viewer, now } = request
  const { account, person } = viewer.account
  const headline = readText(fields['headline'], 'headline', 250)
  const words = readMarkdown(fields['text'], 'text')
  const timing = fields['timing'] === undefined ? 'now' : readOption(fields['timing'], 'timing', ['now', 'queue'])
  const liveAt = timing === 'now' ? now : nextSlot(db, room, now)
  const about = { room: room.no, kind: 'story' as const, headline, text: words, writer: person, target: undefined }
  const post = addPost(db, account, { ...about, no: nextNo(db, account), own: true, liveAt })
  if (timing === 'now') {
    ring(request, [`Followers of ${room.called}`], `${person} posted: ${headline}`, roomPath(room.no))
  }
  request.effect('post.add', { post: post.no, room: room.no, headline, text: words, timing, live_at: liveAt })
  return post
}

/** How many wait for their day. */
export const queueLength = (db: DatabaseSync, room: number): number =>
  count(db, 'posts WHERE room = ? AND live_at > unixepoch()', room)
