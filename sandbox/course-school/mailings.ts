import type { DatabaseSync } from 'node:sqlite'
import { parseJson } from '../platform/body.ts'
import { all, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { findCourse } from './courses.ts'
import { among, toId, words, type School } from './entities.ts'
import { nextId, ownedSchool } from './school.ts'
import { findStudent } from './students.ts'

const audiences = ['everyone', 'course', 'picked'] as const

export interface Mailing {
  id: number
  audience: (typeof audiences)[number]
  course: number | undefined
  subject: string
  message: string
  uids: number[]
  sent: number
}

function toMailing(row: Row): Mailing {
  const uids = parseJson(text(row, 'uids'))
  return {
    id: number(row, 'id'),
    audience: among(audiences, text(row, 'audience')),
    course: maybeNumber(row, 'course'),
    subject: text(row, 'subject'),
    message: text(row, 'message'),
    uids: Array.isArray(uids) ? uids.map(Number) : [],
    sent: number(row, 'sent'),
  }
}

export const listMailings = (db: DatabaseSync, { account }: School): Mailing[] =>
  all(db, 'SELECT * FROM mailings WHERE account = ? ORDER BY id DESC', account).map(toMailing)

export function mailingOf(request: SignedIn): Mailing {
  const { account } = ownedSchool(request)
  const id = toId(request.params['mailing']) ?? 0
  const row = one(request.db, 'SELECT * FROM mailings WHERE id = ? AND account = ?', id, account)
  if (!row) throw new Refusal(404, 'MAILING_NOT_FOUND', 'This school has sent no such mailing.')
  return toMailing(row)
}

function picked({ db, form }: SignedIn, school: School): number[] {
  const uids = form.getAll('uids')
  if (uids.length === 0) throw new Refusal(422, 'UIDS_REQUIRED', 'Choose at least one student.', 'uids')
  if (uids.length > 200) throw new Refusal(422, 'TOO_MANY_UIDS', 'Choose 200 students at most.', 'uids')
  return [...new Set(uids.map((uid) => findStudent(db, school, uid).id))]
}

function recipients(
  request: SignedIn,
  school: School,
  audience: Mailing['audience'],
): Pick<Mailing, 'course' | 'uids'> {
  const { db, form } = request
  if (audience === 'picked') return { course: undefined, uids: picked(request, school) }
  const course = audience === 'course' ? findCourse(db, school, form.get('course')) : undefined
  const rows = course
    ? all(db, 'SELECT student AS id FROM enrolments WHERE course = ? ORDER BY student', course.id)
    : all(db, 'SELECT id FROM students WHERE account = ? ORDER BY id', school.account)
  if (rows.length === 0) throw new Refusal(409, 'NO_RECIPIENTS', 'Nobody would get this mail.', 'to')
  return { course: course?.id, uids: rows.map((row) => number(row, 'id')) }
}

/** Goes out at once, one mail to each. */
export function sendMailing(request: SignedIn): Mailing {
  const { db, form, now } = request
  const school = ownedSchool(request)
  const audience = audiences.find((known) => known === form.get('to'))
  if (!audience) throw new Refusal(422, 'TO_INVALID', `to must be one of ${audiences.join(', ')}.`, 'to')
  const mailing: Mailing = {
    id: nextId(db, 'mailings', school),
    audience,
    ...recipients(request, school, audience),
    subject: words(form.get('subject'), 'subject', 150),
    message: words(form.get('message'), 'message', 20_000),
    sent: now,
  }
  const { id, course, subject, message, uids } = mailing
  const sql = 'INSERT INTO mailings VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, id, school.account, audience, course ?? null, subject, message, JSON.stringify(uids), now)
  const about = course === undefined ? {} : { course }
  request.effect('mailing.send', { mailing: id, to: audience, ...about, subject, message, uids })
  return mailing
}
