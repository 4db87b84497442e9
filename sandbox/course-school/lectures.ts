import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { byPos, courseOf, findChapter, toLecture } from './courses.ts'
import { among, mayBeEmpty, pieceKinds, toId, words, type Course, type Lecture, type Piece } from './entities.ts'
import { nextId, schoolOf } from './school.ts'

const limits = { heading: 200, md: 50_000 }

function findLecture(db: DatabaseSync, course: Course, id: string | undefined): Lecture {
  const row = one(db, 'SELECT * FROM lectures WHERE id = ? AND course = ?', toId(id) ?? 0, course.id)
  if (!row) throw new Refusal(404, 'LECTURE_NOT_FOUND', 'This course has no such lecture.')
  return toLecture(row)
}

export const lectureOf = (request: SignedIn): Lecture =>
  findLecture(request.db, courseOf(request), request.params['lecture'])

/** As they were made; the editor shows them by `pos`. */
export function piecesOf(db: DatabaseSync, lecture: Lecture): Piece[] {
  return all(db, 'SELECT * FROM pieces WHERE lecture = ? ORDER BY id', lecture.id).map((row) => ({
    id: number(row, 'id'),
    kind: among(pieceKinds, text(row, 'kind')),
    pos: number(row, 'pos'),
    content: text(row, 'content'),
  }))
}

/** Last in its section, hidden from students; with a text piece if there is a text. */
export function addLecture(request: SignedIn, given: { heading: unknown; md: unknown }): Lecture {
  const { db, now } = request
  const school = schoolOf(request)
  const course = courseOf(request)
  const chapter = findChapter(db, course, request.params['section'])
  const title = words(given.heading, 'heading', limits.heading)
  if (given.md !== undefined && typeof given.md !== 'string') {
    throw new Refusal(422, 'MD_INVALID', 'md must be a text.', 'md')
  }
  const md = given.md === undefined ? undefined : mayBeEmpty(given.md, 'md', limits.md)
  const last = one(db, 'SELECT coalesce(max(pos), 0) + 10 AS pos FROM lectures WHERE chapter = ?', chapter.id)
  const id = nextId(db, 'lectures', school)
  const pos = number(last ?? {}, 'pos')
  const lecture: Lecture = {
    id,
    course: course.id,
    chapter: chapter.id,
    title,
    live: false,
    sample: false,
    pos,
    edited: now,
  }
  const sql = 'INSERT INTO lectures VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?)'
  run(db, sql, id, school.account, course.id, chapter.id, title, pos, now)
  let piece: number | null = null
  if (md !== undefined) {
    piece = nextId(db, 'pieces', school)
    run(db, "INSERT INTO pieces VALUES (?, ?, ?, 'rich_text', 10, ?)", piece, school.account, id, md)
  }
  request.effect('lecture.add', {
    course: course.id,
    section: chapter.id,
    lecture: id,
    heading: title,
    md: md ?? null,
    piece,
  })
  return lecture
}

/** The text piece that is meant: the first one in the editor unless one is named. */
function textPiece(pieces: readonly Piece[], wanted: string | null): Piece {
  if (wanted === null) {
    const first = pieces.toSorted(byPos).find(({ kind }) => kind === 'rich_text')
    if (!first) throw new Refusal(409, 'NO_TEXT_PIECE', 'This lecture has no text to change.', 'piece')
    return first
  }
  const piece = pieces.find(({ id }) => id === toId(wanted))
  if (!piece) throw new Refusal(404, 'PIECE_NOT_FOUND', 'This lecture has no such piece.', 'piece')
  if (piece.kind !== 'rich_text') throw new Refusal(409, 'PIECE_NOT_TEXT', 'This piece is no text.', 'piece')
  return piece
}

/** Seen by students at once if the lecture is live. Pieces that are not named stay as they are. */
export function editLecture(request: SignedIn): { lecture: Lecture; piece: number | undefined } {
  const { db, form, now } = request
  const lecture = lectureOf(request)
  const [title, md, wanted] = [form.get('heading'), form.get('md'), form.get('piece')]
  if (title === null && md === null) {
    throw new Refusal(422, 'NOTHING_TO_CHANGE', 'Give a heading, a text, or both.')
  }
  if (wanted !== null && md === null) throw new Refusal(422, 'MD_REQUIRED', 'Give the text of the piece.', 'md')
  const next = {
    ...lecture,
    edited: now,
    title: title === null ? lecture.title : words(title, 'heading', limits.heading),
  }
  run(db, 'UPDATE lectures SET title = ?, edited = ? WHERE id = ?', next.title, now, lecture.id)
  let piece: number | undefined
  let content: string | undefined
  if (md !== null) {
    piece = textPiece(piecesOf(db, lecture), wanted).id
    content = mayBeEmpty(md, 'md', limits.md)
    run(db, 'UPDATE pieces SET content = ? WHERE id = ?', content, piece)
  }
  request.effect('lecture.edit', {
    course: lecture.course,
    lecture: lecture.id,
    ...(title === null ? {} : { heading: next.title }),
    ...(piece === undefined ? {} : { piece, md: content }),
  })
  return { lecture: next, piece }
}

export function showLecture(request: SignedIn): Lecture {
  const lecture = lectureOf(request)
  const given = request.form.get('live')
  if (given !== '1' && given !== '0') throw new Refusal(422, 'LIVE_REQUIRED', 'live must be 1 or 0.', 'live')
  const live = given === '1'
  if (lecture.live === live) {
    const code = live ? 'LECTURE_ALREADY_LIVE' : 'LECTURE_ALREADY_HIDDEN'
    throw new Refusal(409, code, live ? 'Students see this lecture already.' : 'This lecture is hidden already.')
  }
  run(request.db, 'UPDATE lectures SET live = ? WHERE id = ?', live ? 1 : 0, lecture.id)
  request.effect(live ? 'lecture.live' : 'lecture.hide', { course: lecture.course, lecture: lecture.id, live })
  return { ...lecture, live }
}
