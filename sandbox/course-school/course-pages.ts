import { html, type Html } from '../platform/html.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { byPos, courseOf, listCourses, outlineOf } from './courses.ts'
import type { Chapter, Lecture, Piece } from './entities.ts'
import { admin, back, button, root, shown, token } from './layout.ts'
import { addLecture, editLecture, lectureOf, piecesOf, showLecture } from './lectures.ts'
import { schoolOf } from './school.ts'
import { isoIn } from './times.ts'

const state = (live: boolean): string => (live ? 'live' : 'hidden')

function courses(request: SignedIn): Reply {
  const school = schoolOf(request)
  const rows = listCourses(request.db, school).map(
    ({ id, title, live }) =>
      html`<tr>
        <td><a href="${admin}/courses/${id}" dir="auto">${title}</a></td>
        <td>${live ? 'live' : 'draft'}</td>
      </tr>`,
  )
  const body = html`<p dir="auto">${school.title} · ${school.zone}</p>
    <table>
      ${rows}
    </table>`
  return shown('Courses', body, request.viewer)
}

function course(request: SignedIn): Reply {
  const { db, viewer } = request
  const school = schoolOf(request)
  const { id, title, live, permalink } = courseOf(request)
  const { chapters, lectures } = outlineOf(db, { id, title, live, permalink })
  const path = `${admin}/courses/${id}`
  const line = (lecture: Lecture): Html =>
    html`<li>
      <a href="${path}/lectures/${lecture.id}" dir="auto">${lecture.title}</a> ${state(lecture.live)}
      ${lecture.sample && ' · free sample'}
    </li>`
  const part = (chapter: Chapter): Html =>
    html`<h2 dir="auto">${chapter.heading}</h2>
      <ol>
        ${lectures
          .filter((lecture) => lecture.chapter === chapter.id)
          .sort(byPos)
          .map(line)}
      </ol>
      <form class="box" method="post" action="${path}/sections/${chapter.id}/lectures">
        ${token(viewer)}<label>New lecture <input name="heading" required maxlength="200" dir="auto" /></label>
        <label>Text (markdown) <textarea name="md" dir="auto"></textarea></label><button>Add</button>
      </form>`
  const body = html`<p>
      ${live ? html`<a href="${root}/learn/${school.no}/${permalink}">See as students see it</a>` : 'Draft'} ·
      <a href="${admin}/students?course=${id}">Students</a> · <a href="${admin}/comments?course=${id}">Comments</a>
    </p>
    <form class="box" method="post" action="${path}/enrolments">
      ${token(viewer)}<label>Enrol free of charge: e-mail <input name="mail" type="email" required /></label
      ><label>Name, if new <input name="full_name" dir="auto" /></label><button>Enrol</button>
    </form>
    ${chapters.sort(byPos).map(part)}`
  return shown(title, body, viewer)
}

function lecture(request: SignedIn): Reply {
  const { viewer } = request
  const found = lectureOf(request)
  const { zone } = schoolOf(request)
  const path = `${admin}/courses/${found.course}/lectures/${found.id}`
  const piece = ({ id, kind, content }: Piece): Html =>
    kind === 'rich_text'
      ? html`<form class="box" method="post" action="${path}">
          ${token(viewer)}<input type="hidden" name="piece" value="${id}" /><label
            >Text <textarea name="md" dir="auto" rows="10">${content}</textarea></label
          ><button>Save</button>
        </form>`
      : html`<p class="box" dir="auto"><b>${kind}</b> ${content}</p>`
  const body = html`<p>
      <a href="${admin}/courses/${found.course}">Back to the course</a> · <b>${state(found.live)}</b> · edited
      ${isoIn(zone, found.edited)}
    </p>
    ${button(viewer, `${path}/visibility`, found.live ? 'Hide from students' : 'Show to students', { live: found.live ? '0' : '1' })}
    <form class="box" method="post" action="${path}">
      ${token(viewer)}<label
        >Title <input name="heading" value="${found.title}" required maxlength="200" dir="auto" /></label
      ><button>Rename</button>
    </form>
    ${piecesOf(request.db, found).sort(byPos).map(piece)}`
  return shown(found.title, body, viewer)
}

function add(request: SignedIn): Reply {
  const md = request.form.get('md') ?? ''
  const made = addLecture(request, { heading: request.form.get('heading'), md: md === '' ? undefined : md })
  return back(request, `/courses/${made.course}/lectures/${made.id}`, { added: made.id, section: made.chapter })
}

function edit(request: SignedIn): Reply {
  const { lecture: saved, piece } = editLecture(request)
  const path = `/courses/${saved.course}/lectures/${saved.id}`
  return back(request, path, { saved: 1, ...(piece === undefined ? {} : { piece }) })
}

function visibility(request: SignedIn): Reply {
  const { course: of, id, live } = showLecture(request)
  return back(request, `/courses/${of}/lectures/${id}`, { live: live ? 1 : 0 })
}

export const coursePages: readonly Route[] = [
  show('GET /schools/{school}/courses', courses),
  show('GET /schools/{school}/courses/{course}', course),
  show('GET /schools/{school}/courses/{course}/lectures/{lecture}', lecture),
  submit('POST /schools/{school}/courses/{course}/sections/{section}/lectures', add),
  submit('POST /schools/{school}/courses/{course}/lectures/{lecture}', edit),
  submit('POST /schools/{school}/courses/{course}/lectures/{lecture}/visibility', visibility),
]
