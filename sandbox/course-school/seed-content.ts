import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import { pieceKinds, type PieceKind, type School } from './entities.ts'
import { firstId } from './school.ts'
import { captions, courses, headings, lectures, longText, paragraphs } from './seed-words.ts'

export interface SeededLecture {
  id: number
  course: number
  live: boolean
}

/** What each of the first lectures is there for. The rest is as it comes. */
const special: Record<number, readonly (readonly [PieceKind, string])[]> = {
  0: [
    ['rich_text', paragraphs[0]],
    ['video', 'Introduction (4:12)'],
    ['rich_text', paragraphs[1]],
    ['quiz', 'Check yourself'],
  ],
  1: [],
  2: [
    ['video', 'Close-up: the knot'],
    ['pdf', 'Worksheet'],
  ],
  3: [['rich_text', '']],
  4: [
    ['audio', 'Listen: track 1'],
    ['rich_text', longText],
    ['download', 'All templates (zip)'],
  ],
}

function contentOf(random: Random, nth: number): readonly (readonly [PieceKind, string])[] {
  const known = special[nth]
  if (known) return known
  return Array.from({ length: random.between(1, 5) }, () => {
    const kind = random.next() < 0.4 ? 'rich_text' : random.pick(pieceKinds)
    return [kind, kind === 'rich_text' ? random.pick(paragraphs) : random.pick(captions[kind] ?? [])] as const
  })
}

/** 10, 20, 30 … in random order: things are not made in the order in which they end up. */
const places = (random: Random, size: number): number[] =>
  random.some(
    Array.from({ length: size }, (_, at) => (at + 1) * 10),
    size,
  )

/** The first course is big, each fourth is a draft, the last is an empty one. */
const chapterCount = (random: Random, index: number): number =>
  index === courses.length - 1 ? 0 : index === 0 ? 8 : random.between(2, 5)

export function seedContent(db: DatabaseSync, random: Random, day: number, school: School): SeededLecture[] {
  const insert = {
    course: db.prepare('INSERT INTO courses VALUES (?, ?, ?, ?, ?)'),
    chapter: db.prepare('INSERT INTO chapters VALUES (?, ?, ?, ?)'),
    lecture: db.prepare('INSERT INTO lectures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    piece: db.prepare('INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?)'),
    plan: db.prepare('INSERT INTO plans VALUES (?, ?, ?, ?, ?)'),
  }
  const [first, firstCourse] = [firstId('lectures', school), firstId('courses', school)]
  const next = {
    chapter: firstId('chapters', school),
    lecture: first,
    piece: firstId('pieces', school),
    plan: firstId('plans', school),
  }
  const made: SeededLecture[] = []

  const addLecture = (course: number, chapter: number, pos: number): void => {
    const nth = next.lecture - first
    const id = next.lecture++
    const live = nth < 5 ? nth !== 3 : random.next() < 0.7
    const edited = day - random.between(3600, 300 * 86_400)
    const sample = nth % 6 === 0 ? 1 : 0
    const title = random.pick(lectures)
    insert.lecture.run(id, school.account, course, chapter, title, live ? 1 : 0, sample, pos, edited)
    const pieces = contentOf(random, nth)
    // The editor's order is that of the list; their numbers run the other way.
    for (const [at, [kind, content]] of pieces.toReversed().entries()) {
      insert.piece.run(next.piece++, school.account, id, kind, (pieces.length - at) * 10, content)
    }
    made.push({ id, course, live })
  }

  for (const [index, [title, permalink]] of courses.entries()) {
    const course = firstCourse + index
    insert.course.run(course, school.account, title, index % 4 === 3 || index === 13 ? 0 : 1, permalink)
    const chapters = places(random, chapterCount(random, index))
    for (const [at, pos] of chapters.entries()) {
      const chapter = next.chapter++
      insert.chapter.run(chapter, course, headings[(at + index) % headings.length] ?? '', pos)
      const size = at === 0 && index > 0 && index % 3 === 0 ? 0 : random.between(3, index === 0 ? 9 : 6)
      for (const place of places(random, size)) addLecture(course, chapter, place)
    }
    for (const [at, cents] of [4900 + index * 500, 990].slice(0, 1 + (index % 2)).entries()) {
      insert.plan.run(next.plan++, school.account, course, `${title} – ${at === 0 ? 'once' : 'monthly'}`, cents)
    }
  }
  return made
}
