import { isRecord } from '../platform/body.ts'
import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import { Refusal, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { commentOf, listComments } from './comments.ts'
import { couponOf, listCoupons } from './coupons.ts'
import { courseOf, findCourse, listCourses, listPlans, outlineOf } from './courses.ts'
import { commentStates, type Course, type Lecture, type School } from './entities.ts'
import { addLecture, lectureOf, piecesOf } from './lectures.ts'
import { paged, readFlag, readPage, readWord } from './paging.ts'
import { mySchool, ownedSchool, schoolOf } from './school.ts'
import { coursesOf, findStudent, listStudents } from './students.ts'
import { commentOut, couponOut, courseOut, lectureOut, outlineOut, planOut, studentOut } from './wire.ts'
import { isoIn } from './times.ts'

function session(request: SignedIn): Reply {
  const { csrf, account } = request.viewer
  const { no, title, zone, currency, moderated } = mySchool(request)
  return json({
    csrf,
    person: {
      code: account.account,
      called: account.person,
      mail: account.email,
      role: account.kind === 'author' ? 'author' : 'owner',
    },
    school: { no, called: title, zone, currency, moderates_comments: moderated },
  })
}

function courses({ db, query, base }: SignedIn, school: School): Reply {
  const found = listCourses(db, school, readWord(query, 'state', ['live', 'draft'] as const))
  return json({ rows: found.map((course) => courseOut(course, school, base)) })
}

function outline(request: SignedIn): Reply {
  const course = courseOf(request)
  const { chapters, lectures } = outlineOf(request.db, course)
  return json(outlineOut(course, chapters, lectures))
}

const lectureReply = (request: SignedIn, lecture: Lecture, status = 200): Reply =>
  json(lectureOut(lecture, piecesOf(request.db, lecture), schoolOf(request).zone), status)

function newLecture(request: SignedIn): Reply {
  const { json: body } = request
  if (!isRecord(body)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  return lectureReply(request, addLecture(request, { heading: body['heading'], md: body['md'] }), 201)
}

function aboutCourse({ db, query }: SignedIn, school: School): Course | undefined {
  const given = query.get('course')
  return given === null ? undefined : findCourse(db, school, given)
}

function students(request: SignedIn): Reply {
  const { db, query } = request
  const school = ownedSchool(request)
  const wish = readPage(query, 'students')
  const { found, total } = listStudents(db, school, aboutCourse(request, school), wish)
  const { rows, after } = paged(found, wish, 'students', ({ joined, id }) => ({ at: joined, id }))
  return json({ rows: rows.map((student) => studentOut(student, school.zone)), size: wish.size, total, after })
}

function student(request: SignedIn): Reply {
  const { db, params } = request
  const school = ownedSchool(request)
  const found = findStudent(db, school, params['student'])
  const enrolled = coursesOf(db, found).map(({ id, title, since }) => ({
    course: id,
    heading: title,
    since: isoIn(school.zone, since),
  }))
  return json({ ...studentOut(found, school.zone), enrolled })
}

function comments(request: SignedIn): Reply {
  const { db, query } = request
  const school = schoolOf(request)
  const wish = readPage(query, 'comments')
  const state = readWord(query, 'state', commentStates)
  const filter = { course: aboutCourse(request, school), state, unseen: readFlag(query, 'unseen') }
  const { found, total } = listComments(db, school, filter, wish)
  const { rows, after } = paged(found, wish, 'comments', ({ posted, id }) => ({ at: posted, id }))
  return json({ rows: rows.map((comment) => commentOut(comment, school.zone)), size: wish.size, total, after })
}

function coupons(request: SignedIn): Reply {
  const { db, query, now } = request
  const school = ownedSchool(request)
  const found = listCoupons(db, school, readFlag(query, 'filed'))
  return json({ rows: found.map((coupon) => couponOut(coupon, school, now)) })
}

function plans(request: SignedIn): Reply {
  const school = ownedSchool(request)
  return json({ rows: listPlans(request.db, school).map((plan) => planOut(plan, school)) })
}

export const apiRoutes: readonly Route[] = [
  free('GET /api/session', session),
  data('GET /api/schools/{school}/courses', (request) => courses(request, schoolOf(request))),
  data('GET /api/schools/{school}/courses/{course}/outline', outline),
  data('GET /api/schools/{school}/courses/{course}/lectures/{lecture}', (request) =>
    lectureReply(request, lectureOf(request)),
  ),
  data('POST /api/schools/{school}/courses/{course}/sections/{section}/lectures', newLecture),
  data('GET /api/schools/{school}/students', students),
  data('GET /api/schools/{school}/students/{student}', student),
  data('GET /api/schools/{school}/comments', comments),
  data('GET /api/schools/{school}/comments/{comment}', (request) =>
    json(commentOut(commentOf(request), schoolOf(request).zone)),
  ),
  data('GET /api/schools/{school}/coupons', coupons),
  data('GET /api/schools/{school}/coupons/{coupon}', (request) =>
    json(couponOut(couponOf(request), ownedSchool(request), request.now)),
  ),
  data('GET /api/schools/{school}/plans', plans),
]
