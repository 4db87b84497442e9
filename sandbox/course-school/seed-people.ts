import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import type { CommentState, School } from './entities.ts'
import { firstId } from './school.ts'
import type { SeededLecture } from './seed-content.ts'
import { answers, longComment, people, said } from './seed-words.ts'

const studentCount = 170
const commentCount = 270

/** Twelve were imported in the same second; who joined when does not follow the numbers everywhere. */
function joinedAt(random: Random, day: number, index: number): number {
  if (index >= 60 && index < 72) return day - 200 * 86_400
  return day - (studentCount - index) * 2 * 86_400 - random.between(1, 5 * 86_400)
}

/** How many of the students are in the nth course: two big ones, one with a single student, two with nobody. */
function sizeOf(random: Random, nth: number): number {
  if (nth === 0) return 110
  if (nth === 1) return 66
  if (nth === 11) return 1
  return nth >= 12 ? 0 : random.between(4, 40)
}

export function seedStudents(db: DatabaseSync, random: Random, day: number, school: School, courses: number): void {
  const insert = db.prepare('INSERT INTO students VALUES (?, ?, ?, ?, ?)')
  const enrol = db.prepare('INSERT INTO enrolments VALUES (?, ?, ?)')
  const [first, firstCourse] = [firstId('students', school), firstId('courses', school)]
  const students = Array.from({ length: studentCount }, (_, index) => ({
    id: first + index,
    joined: joinedAt(random, day, index),
  }))
  for (const [index, { id, joined }] of students.entries()) {
    const name = index === 150 ? '' : index === 151 ? 'Maximiliane '.repeat(10).trim() : random.pick(people)
    insert.run(id, school.account, name, `learner.${index + 1}.${school.no}@mail.example`, joined)
  }
  for (let nth = 0; nth < courses; nth++) {
    for (const { id, joined } of random.some(students, sizeOf(random, nth))) {
      enrol.run(firstCourse + nth, id, Math.min(joined + random.between(0, 20 * 86_400), day - 60))
    }
  }
}

const states: readonly CommentState[] = ['live', 'held', 'refused']

/** A third each; in a school without moderation nothing waits. Each ninth live one has a reply of the owner. */
export function seedComments(
  db: DatabaseSync,
  random: Random,
  day: number,
  school: School,
  account: Account,
  lectures: readonly SeededLecture[],
): void {
  const insert = db.prepare('INSERT INTO comments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const open = lectures.filter(({ live, course }) => live && course < firstId('courses', school) + 9)
  let id = firstId('comments', school)
  for (let index = 0; index < commentCount; index++) {
    const { id: lecture, course } = random.pick(open)
    const wished = states[index % 3] ?? 'live'
    const state = wished === 'held' && !school.moderated ? 'live' : wished
    // Twice in a row the same second.
    const posted = day - (commentCount - (index - (index % 10 === 5 ? 1 : 0))) * 7200
    const text = index === 258 ? longComment : random.pick(said)
    const seen = state === 'held' ? index % 6 === 1 : index < commentCount - 60 && index % 5 !== 0
    const parent = id++
    insert.run(parent, school.account, course, lecture, random.pick(people), text, state, seen ? 1 : 0, null, posted)
    if (state !== 'live' || index % 9 !== 0) continue
    const answer = random.pick(answers)
    insert.run(id++, school.account, course, lecture, account.person, answer, 'live', 1, parent, posted + 3000)
  }
}
