import { html } from '../platform/html.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { findCourse, listCourses } from './courses.ts'
import { admin, back, older, shown, token } from './layout.ts'
import { listMailings, mailingOf, sendMailing } from './mailings.ts'
import { paged, readPage } from './paging.ts'
import { ownedSchool } from './school.ts'
import { coursesOf, enrol, findStudent, listStudents } from './students.ts'
import { isoIn } from './times.ts'

function students(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const school = ownedSchool(request)
  const wish = readPage(query, 'students')
  const given = query.get('course')
  const { found, total } = listStudents(db, school, given === null ? undefined : findCourse(db, school, given), wish)
  const { rows, after } = paged(found, wish, 'students', ({ joined, id }) => ({ at: joined, id }))
  const body = html`<p class="small">${total} students</p>
    <table>
      ${rows.map(
        ({ id, name, mail, joined }) =>
          html`<tr>
            <td><a href="${admin}/students/${id}" dir="auto">${name || mail}</a></td>
            <td>${mail}</td>
            <td>${isoIn(school.zone, joined)}</td>
          </tr>`,
      )}
    </table>
    ${older(query, after)}`
  return shown('Students', body, viewer)
}

function student(request: SignedIn): Reply {
  const { db, params, viewer } = request
  const school = ownedSchool(request)
  const found = findStudent(db, school, params['student'])
  const body = html`<p>${found.mail} · joined ${isoIn(school.zone, found.joined)}</p>
    <ul>
      ${coursesOf(db, found).map(
        ({ id, title, since }) =>
          html`<li><a href="${admin}/courses/${id}" dir="auto">${title}</a> since ${isoIn(school.zone, since)}</li>`,
      )}
    </ul>
    <form class="box" method="post" action="${admin}/mailings">
      ${token(viewer)}<input type="hidden" name="to" value="picked" /><input
        type="hidden"
        name="uids"
        value="${found.id}"
      />
      <label>Subject <input name="subject" required maxlength="150" dir="auto" /></label>
      <label>Message <textarea name="message" required dir="auto"></textarea></label><button>Send</button>
    </form>`
  return shown(found.name || found.mail, body, viewer)
}

function mailings(request: SignedIn): Reply {
  const { db, viewer } = request
  const school = ownedSchool(request)
  const options = listCourses(db, school).map(({ id, title }) => html`<option value="${id}">${title}</option>`)
  const body = html`<form class="box" method="post" action="${admin}/mailings">
      ${token(viewer)}<label
        >To
        <select name="to">
          <option value="everyone">everyone</option>
          <option value="course">the students of a course</option>
        </select></label
      ><label
        >Course
        <select name="course">
          ${options}
        </select></label
      >
      <label>Subject <input name="subject" required maxlength="150" dir="auto" /></label>
      <label>Message <textarea name="message" required dir="auto"></textarea></label><button>Send now</button>
    </form>
    <table>
      ${listMailings(db, school).map(
        ({ id, subject, uids, sent }) =>
          html`<tr>
            <td><a href="${admin}/mailings/${id}" dir="auto">${subject}</a></td>
            <td>${uids.length} people</td>
            <td>${isoIn(school.zone, sent)}</td>
          </tr>`,
      )}
    </table>`
  return shown('Mailings', body, viewer)
}

function mailing(request: SignedIn): Reply {
  const { subject, message, audience, uids, sent } = mailingOf(request)
  const { zone } = ownedSchool(request)
  const body = html`<p>To ${audience}, ${uids.length} people, ${isoIn(zone, sent)}</p>
    <p class="box text" dir="auto">${message}</p>
    <ul>
      ${uids.map((uid) => html`<li><a href="${admin}/students/${uid}">${uid}</a></li>`)}
    </ul>`
  return shown(subject, body, request.viewer)
}

function send(request: SignedIn): Reply {
  const { id, uids } = sendMailing(request)
  return back(request, `/mailings/${id}`, { sent: uids.length })
}

function enrolled(request: SignedIn): Reply {
  const { student: who, course, fresh } = enrol(request)
  return back(request, `/students/${who.id}`, { enrolled: course.id, fresh: fresh ? 1 : 0 })
}

export const peoplePages: readonly Route[] = [
  show('GET /schools/{school}/students', students),
  show('GET /schools/{school}/students/{student}', student),
  submit('POST /schools/{school}/courses/{course}/enrolments', enrolled),
  show('GET /schools/{school}/mailings', mailings),
  show('GET /schools/{school}/mailings/{mailing}', mailing),
  submit('POST /schools/{school}/mailings', send),
]
