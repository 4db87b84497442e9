import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { courseOf } from './courses.ts'
import { mayBeEmpty, toId, words, type Course, type School, type Student } from './entities.ts'
import type { PageWish } from './paging.ts'
import { nextId, ownedSchool } from './school.ts'

const toStudent = (row: Row): Student => ({
  id: number(row, 'id'),
  name: text(row, 'name'),
  mail: text(row, 'mail'),
  joined: number(row, 'joined'),
})

export function findStudent(db: DatabaseSync, school: School, id: string | null | undefined): Student {
  const row = one(db, 'SELECT * FROM students WHERE id = ? AND account = ?', toId(id) ?? 0, school.account)
  if (!row) throw new Refusal(404, 'STUDENT_NOT_FOUND', 'This school has no such student.')
  return toStudent(row)
}

/** Who joined the school last comes first. */
export function listStudents(
  db: DatabaseSync,
  school: School,
  course: Course | undefined,
  { after, size }: PageWish,
): { found: Student[]; total: number } {
  const among = course ? 'AND id IN (SELECT student FROM enrolments WHERE course = ?)' : ''
  const where = `students WHERE account = ? ${among}`
  const values = [school.account, ...(course ? [course.id] : [])]
  const sql = `SELECT * FROM ${where} AND (joined, id) < (?, ?) ORDER BY joined DESC, id DESC LIMIT ?`
  const found = all(db, sql, ...values, after.at, after.id, size + 1).map(toStudent)
  return { found, total: count(db, where, ...values) }
}

export function coursesOf(db: DatabaseSync, student: Student): { id: number; title: string; since: number }[] {
  const sql = `SELECT c.id, c.title, e.since FROM enrolments e JOIN courses c ON c.id = e.course
    WHERE e.student = ? ORDER BY e.since DESC, c.id`
  return all(db, sql, student.id).map((row) => ({
    id: number(row, 'id'),
    title: text(row, 'title'),
    since: number(row, 'since'),
  }))
}

function readMail(value: string | null): string {
  const mail = words(value, 'mail', 254).trim().toLowerCase()
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(mail)) {
    throw new Refusal(422, 'MAIL_INVALID', 'This is no e-mail address.', 'mail')
  }
  return mail
}

/** Free of charge. Who is new to the school joins it first; both kinds get the welcome mail of the course. */
export function enrol(request: SignedIn): { student: Student; course: Course; fresh: boolean } {
  const { db, form, now } = request
  const school = ownedSchool(request)
  const course = courseOf(request)
  const mail = readMail(form.get('mail'))
  const name = mayBeEmpty(form.get('full_name') ?? '', 'full_name', 120).trim()
  const known = one(db, 'SELECT * FROM students WHERE account = ? AND mail = ?', school.account, mail)
  const student = known ? toStudent(known) : { id: nextId(db, 'students', school), name, mail, joined: now }
  if (!known) run(db, 'INSERT INTO students VALUES (?, ?, ?, ?, ?)', student.id, school.account, name, mail, now)
  if (count(db, 'enrolments WHERE course = ? AND student = ?', course.id, student.id) > 0) {
    throw new Refusal(409, 'ALREADY_ENROLLED', 'This person is in the course already.', 'mail')
  }
  run(db, 'INSERT INTO enrolments VALUES (?, ?, ?)', course.id, student.id, now)
  request.effect('enrolment.add', {
    course: course.id,
    uid: student.id,
    full_name: student.name,
    mail,
    fresh: !known,
    welcomed: mail,
  })
  return { student, course, fresh: !known }
}
