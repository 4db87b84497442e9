import { html } from '../platform/html.ts'
import { show, submit } from '../platform/routes.ts'
import { Refusal, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { commentOf, judge, listComments, replyTo, see } from './comments.ts'
import { findCourse } from './courses.ts'
import { commentStates } from './entities.ts'
import { admin, back, button, older, shown, token } from './layout.ts'
import { paged, readFlag, readPage, readWord } from './paging.ts'
import { ownedSchool, schoolOf, switchModeration } from './school.ts'
import { isoIn } from './times.ts'

function comments(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const school = schoolOf(request)
  const wish = readPage(query, 'comments')
  const given = query.get('course')
  const filter = {
    course: given === null ? undefined : findCourse(db, school, given),
    state: readWord(query, 'state', commentStates),
    unseen: readFlag(query, 'unseen'),
  }
  const { found, total } = listComments(db, school, filter, wish)
  const { rows, after } = paged(found, wish, 'comments', ({ posted, id }) => ({ at: posted, id }))
  const body = html`<p>
      <a href="?">all</a> ${commentStates.map((state) => html` · <a href="?state=${state}">${state}</a>`)} ·
      <a href="?unseen=1">unseen</a>
    </p>
    <p class="small">${total} comments</p>
    <table>
      ${rows.map(
        (comment) =>
          html`<tr>
            <td><a href="${admin}/comments/${comment.id}" dir="auto">${comment.author}</a></td>
            <td dir="auto">${comment.content.slice(0, 80)}</td>
            <td>${comment.state}${!comment.seen && ', new'}</td>
            <td>${isoIn(school.zone, comment.posted)}</td>
          </tr>`,
      )}
    </table>
    ${older(query, after)}`
  return shown('Comments', body, viewer)
}

function comment(request: SignedIn): Reply {
  const { viewer } = request
  const { id, author, content, state, seen, posted, lectureTitle, course, lecture, parent } = commentOf(request)
  const path = `${admin}/comments/${id}`
  const body = html`<p>
      On <a href="${admin}/courses/${course}/lectures/${lecture}" dir="auto">${lectureTitle}</a> ·
      <b data-state="${state}">${state}</b> · ${isoIn(schoolOf(request).zone, posted)}
      ${parent !== undefined && html` · answers <a href="${admin}/comments/${parent}">${parent}</a>`}
    </p>
    <p class="box text" dir="auto">${content}</p>
    ${!seen && button(viewer, `${path}/seen`, 'Mark as seen')}
    ${
      state === 'held' &&
      html`${button(viewer, `${path}/verdict`, 'Allow', { verdict: 'allow' })}
      ${button(viewer, `${path}/verdict`, 'Refuse', { verdict: 'refuse' })}`
    }
    ${
      state === 'live' &&
      html`<form class="box" method="post" action="${path}/replies">
        ${token(viewer)}<label>Reply, for everybody to read <textarea name="text" required dir="auto"></textarea></label
        ><button>Reply</button>
      </form>`
    }`
  return shown(author, body, viewer)
}

function settings(request: SignedIn): Reply {
  const { viewer } = request
  const { title, no, zone, currency, moderated } = ownedSchool(request)
  const body = html`<p dir="auto">${title} · number ${no} · ${zone} · ${currency}</p>
    <p>Comments are ${moderated ? 'held until you let them through' : 'live at once'}.</p>
    ${button(viewer, `${admin}/settings/moderation`, moderated ? 'Stop holding them' : 'Hold them', { on: moderated ? '0' : '1' })}`
  return shown('Settings', body, viewer)
}

function moderation(request: SignedIn): Reply {
  const on = request.form.get('on')
  if (on !== '1' && on !== '0') throw new Refusal(422, 'ON_REQUIRED', 'on must be 1 or 0.', 'on')
  return back(request, '/settings', { moderates: switchModeration(request, on === '1').moderated ? 1 : 0 })
}

const to = (request: SignedIn, done: Readonly<Record<string, string | number>>): Reply =>
  back(request, `/comments/${request.params['comment']}`, done)

function seen(request: SignedIn): Reply {
  see(request)
  return to(request, { seen: 1 })
}

export const commentPages: readonly Route[] = [
  show('GET /schools/{school}/comments', comments),
  show('GET /schools/{school}/comments/{comment}', comment),
  submit('POST /schools/{school}/comments/{comment}/replies', (request) => to(request, { reply: replyTo(request) })),
  submit('POST /schools/{school}/comments/{comment}/verdict', (request) =>
    to(request, { state: judge(request).state }),
  ),
  submit('POST /schools/{school}/comments/{comment}/seen', seen),
  show('GET /schools/{school}/settings', settings),
  submit('POST /schools/{school}/settings/moderation', moderation),
]
