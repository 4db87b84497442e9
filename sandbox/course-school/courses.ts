import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { toId, type Chapter, type Course, type Lecture, type Plan, type School } from './entities.ts'
import { schoolOf } from './school.ts'

const toCourse = (row: Row): Course => ({
  id: number(row, 'id'),
  title: text(row, 'title'),
  live: number(row, 'live') === 1,
  permalink: text(row, 'permalink'),
})

const toChapter = (row: Row): Chapter => ({
  id: number(row, 'id'),
  course: number(row, 'course'),
  heading: text(row, 'heading'),
  pos: number(row, 'pos'),
})

export const toLecture = (row: Row): Lecture => ({
  id: number(row, 'id'),
  course: number(row, 'course'),
  chapter: number(row, 'chapter'),
  title: text(row, 'title'),
  live: number(row, 'live') === 1,
  sample: number(row, 'sample') === 1,
  pos: number(row, 'pos'),
  edited: number(row, 'edited'),
})

/** Oldest first, as the admin shows them. */
export function listCourses(db: DatabaseSync, school: School, state: 'live' | 'draft' | 'any' = 'any'): Course[] {
  const courses = all(db, 'SELECT * FROM courses WHERE account = ? ORDER BY id', school.account).map(toCourse)
  return courses.filter(({ live }) => state === 'any' || live === (state === 'live'))
}

const noCourse = (): Refusal => new Refusal(404, 'COURSE_NOT_FOUND', 'This school has no such course.')

/** A course of this school; somebody else's does not exist. */
export function findCourse(db: DatabaseSync, school: School, id: string | null | undefined): Course {
  const row = one(db, 'SELECT * FROM courses WHERE id = ? AND account = ?', toId(id) ?? 0, school.account)
  if (!row) throw noCourse()
  return toCourse(row)
}

export function findLiveCourse(db: DatabaseSync, school: School, permalink: string | undefined): Course {
  const sql = 'SELECT * FROM courses WHERE account = ? AND permalink = ? AND live = 1'
  const row = one(db, sql, school.account, permalink ?? '')
  if (!row) throw noCourse()
  return toCourse(row)
}

/** The course of the path, in the school of the path. */
export const courseOf = (request: SignedIn): Course =>
  findCourse(request.db, schoolOf(request), request.params['course'])

export function findChapter(db: DatabaseSync, course: Course, id: string | undefined): Chapter {
  const row = one(db, 'SELECT * FROM chapters WHERE id = ? AND course = ?', toId(id) ?? 0, course.id)
  if (!row) throw new Refusal(404, 'SECTION_NOT_FOUND', 'This course has no such section.')
  return toChapter(row)
}

/** In the order in which they were made, which is not the order of the course: that is `pos`. */
export function outlineOf(db: DatabaseSync, course: Course): { chapters: Chapter[]; lectures: Lecture[] } {
  return {
    chapters: all(db, 'SELECT * FROM chapters WHERE course = ? ORDER BY id', course.id).map(toChapter),
    lectures: all(db, 'SELECT * FROM lectures WHERE course = ? ORDER BY id', course.id).map(toLecture),
  }
}

export const byPos = (a: { pos: number }, b: { pos: number }): number => a.pos - b.pos

export function listPlans(db: DatabaseSync, school: School): Plan[] {
  return all(db, 'SELECT * FROM plans WHERE account = ? ORDER BY id', school.account).map((row) => ({
    id: number(row, 'id'),
    course: number(row, 'course'),
    title: text(row, 'title'),
    cents: number(row, 'cents'),
  }))
}
