import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import {
  among,
  commentStates,
  toId,
  words,
  type Comment,
  type CommentState,
  type Course,
  type Lecture,
  type School,
} from './entities.ts'
import type { PageWish } from './paging.ts'
import { nextId, ownedSchool, schoolOf } from './school.ts'

const toComment = (row: Row): Comment => ({
  id: number(row, 'id'),
  course: number(row, 'course'),
  lecture: number(row, 'lecture'),
  lectureTitle: text(row, 'title'),
  author: text(row, 'author'),
  content: text(row, 'content'),
  state: among(commentStates, text(row, 'state')),
  seen: number(row, 'seen') === 1,
  parent: maybeNumber(row, 'parent'),
  posted: number(row, 'posted'),
})

const select = 'SELECT c.*, l.title FROM comments c JOIN lectures l ON l.id = c.lecture'

export function commentOf(request: SignedIn): Comment {
  const { account } = schoolOf(request)
  const id = toId(request.params['comment']) ?? 0
  const row = one(request.db, `${select} WHERE c.id = ? AND c.account = ?`, id, account)
  if (!row) throw new Refusal(404, 'COMMENT_NOT_FOUND', 'This school has no such comment.')
  return toComment(row)
}

export interface CommentFilter {
  course: Course | undefined
  state: CommentState | 'any'
  unseen: boolean
}

/** Newest first, replies among them. The queue of held comments exists only while the school moderates. */
export function listComments(
  db: DatabaseSync,
  school: School,
  filter: CommentFilter,
  { after, size }: PageWish,
): { found: Comment[]; total: number } {
  if (filter.state === 'held' && !school.moderated) {
    throw new Refusal(409, 'MODERATION_OFF', 'Comment moderation is off: there is no queue.', 'state')
  }
  const values: (string | number)[] = [school.account]
  let where = 'c.account = ?'
  if (filter.course) {
    where += ' AND c.course = ?'
    values.push(filter.course.id)
  }
  if (filter.state !== 'any') {
    where += ' AND c.state = ?'
    values.push(filter.state)
  }
  if (filter.unseen) where += ' AND c.seen = 0'
  const sql = `${select} WHERE ${where} AND (c.posted, c.id) < (?, ?) ORDER BY c.posted DESC, c.id DESC LIMIT ?`
  const found = all(db, sql, ...values, after.at, after.id, size + 1).map(toComment)
  return { found, total: count(db, `comments c WHERE ${where}`, ...values) }
}

/** What everybody sees below a lecture or course, oldest first. */
export function liveComments(db: DatabaseSync, course: Course): Comment[] {
  return all(db, `${select} WHERE c.course = ? AND c.state = 'live' ORDER BY c.posted, c.id`, course.id).map(toComment)
}

export function insertComment(db: DatabaseSync, school: School, comment: Omit<Comment, 'id' | 'lectureTitle'>): number {
  const id = nextId(db, 'comments', school)
  const { course, lecture, author, content, state, seen, parent, posted } = comment
  const values = [course, lecture, author, content, state, seen ? 1 : 0, parent ?? null, posted]
  run(db, 'INSERT INTO comments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', id, school.account, ...values)
  return id
}

const markSeen = (db: DatabaseSync, { id }: Comment): void =>
  void run(db, 'UPDATE comments SET seen = 1 WHERE id = ?', id)

/** In the name of the owner, for everybody to read; only below what everybody can read. */
export function replyTo(request: SignedIn): number {
  const { db, now, viewer } = request
  const school = ownedSchool(request)
  const comment = commentOf(request)
  if (comment.state !== 'live') {
    throw new Refusal(409, 'COMMENT_NOT_LIVE', 'Nobody sees this comment: a reply would hang in the air.')
  }
  const content = words(request.form.get('text'), 'text', 2000)
  const { course, lecture } = comment
  const author = viewer.account.person
  const parent = comment.parent ?? comment.id
  const base = { course, lecture, author, content, parent }
  const id = insertComment(db, school, { ...base, state: 'live', seen: true, posted: now })
  markSeen(db, comment)
  request.effect('comment.reply', { comment: comment.id, reply: id, course, lecture, by: author, text: content })
  return id
}

/** held → live or refused, once. */
export function judge(request: SignedIn): Comment {
  const school = ownedSchool(request)
  const comment = commentOf(request)
  const verdict = request.form.get('verdict')
  if (verdict !== 'allow' && verdict !== 'refuse') {
    throw new Refusal(422, 'VERDICT_INVALID', 'verdict must be allow or refuse.', 'verdict')
  }
  if (!school.moderated) throw new Refusal(409, 'MODERATION_OFF', 'Comment moderation is off: there is no queue.')
  if (comment.state !== 'held') throw new Refusal(409, 'COMMENT_NOT_HELD', 'This comment was judged already.')
  const state = verdict === 'allow' ? 'live' : 'refused'
  run(request.db, 'UPDATE comments SET state = ?, seen = 1 WHERE id = ?', state, comment.id)
  request.effect(`comment.${verdict}`, { comment: comment.id, state })
  return { ...comment, state, seen: true }
}

export function see(request: SignedIn): void {
  const comment = commentOf(request)
  if (comment.seen) throw new Refusal(409, 'COMMENT_ALREADY_SEEN', 'This comment is marked as seen already.')
  markSeen(request.db, comment)
  request.effect('comment.seen', { comment: comment.id })
}

/** What somebody from the street says below a lecture that is live. */
export function say(
  db: DatabaseSync,
  school: School,
  lecture: Lecture,
  said: { author: string; content: string; posted: number },
): { id: number; state: CommentState } {
  const state = school.moderated ? 'held' : 'live'
  const where = { course: lecture.course, lecture: lecture.id, parent: undefined }
  return { id: insertComment(db, school, { ...where, ...said, state, seen: false }), state }
}
