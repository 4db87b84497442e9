import type { DatabaseSync } from 'node:sqlite'
import { html, type Html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { all, number } from '../platform/rows.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { liveComments, say } from './comments.ts'
import { couponByCode, stateOf } from './coupons.ts'
import { byPos, findLiveCourse, listCourses, listPlans, outlineOf } from './courses.ts'
import { toId, words, type Course, type Lecture, type Plan, type School } from './entities.ts'
import { root, shown } from './layout.ts'
import { piecesOf } from './lectures.ts'
import { publicSchool } from './school.ts'
import { decimal } from './wire.ts'

function home({ db, viewer }: AppRequest): Reply {
  const schools = all(db, 'SELECT no FROM schools ORDER BY no LIMIT 20').map((row) =>
    publicSchool(db, String(number(row, 'no'))),
  )
  const part = (school: School): Html =>
    html`<h2 dir="auto">${school.title}</h2>
      <ul>
        ${listCourses(db, school, 'live').map(
          ({ title, permalink }) =>
            html`<li><a href="${root}/learn/${school.no}/${permalink}" dir="auto">${title}</a></li>`,
        )}
      </ul>`
  return shown('Learn something', html`${schools.map(part)}`, viewer)
}

/** What a student has in front of them: the lectures that are live, with what people say about them. */
function lectureOut(db: DatabaseSync, lecture: Lecture): Html {
  return html`<article id="l${lecture.id}">
    <h3 dir="auto">${lecture.title}</h3>
    ${piecesOf(db, lecture)
      .sort(byPos)
      .map(
        ({ kind, content }) => html`<p class="text" dir="auto">${kind !== 'rich_text' && `[${kind}] `}${content}</p>`,
      )}
  </article>`
}

/** A code takes something off the plans that it covers, while it is on. */
function offers({ db, now }: AppRequest, school: School, plans: Plan[], code: string): Html {
  const coupon = code === '' ? undefined : couponByCode(db, school, code)
  const on = coupon && stateOf(coupon, school, now) === 'on' ? coupon : undefined
  const priced = plans.map((plan) => {
    const covered = on && (on.scope === 'everything' || on.type === 'courses' || on.plan === plan.id)
    if (!covered) return { ...plan, off: 0 }
    const off = on.tenths === undefined ? (on.cents ?? 0) : Math.round((plan.cents * on.tenths) / 1000)
    return { ...plan, off: Math.min(off, plan.cents) }
  })
  const works = priced.some(({ off }) => off > 0)
  return html`${
      code !== '' &&
      html`<p data-coupon="${works ? 'works' : 'fails'}">${works ? 'Code accepted.' : 'This code does not work.'}</p>`
    }
    <ul>
      ${priced.map(({ title, cents, off }) => html`<li dir="auto">${title}: ${decimal(cents - off)} ${school.currency}</li>`)}
    </ul>
    <form method="get">
      <label>Code <input name="code" value="${code}" /></label><button>Try</button>
    </form>`
}

function placeOf({ db, params }: AppRequest): { school: School; course: Course } {
  const school = publicSchool(db, params['no'])
  return { school, course: findLiveCourse(db, school, params['permalink']) }
}

function course(request: AppRequest): Reply {
  const { db, query, viewer } = request
  const { school, course: found } = placeOf(request)
  const { chapters, lectures } = outlineOf(db, found)
  const live = lectures.filter((lecture) => lecture.live).sort(byPos)
  const plans = listPlans(db, school).filter((plan) => plan.course === found.id)
  const body = html`${offers(request, school, plans, query.get('code') ?? '')}
    ${chapters.sort(byPos).map(
      ({ id, heading }) =>
        html`<h2 dir="auto">${heading}</h2>
          ${live.filter(({ chapter }) => chapter === id).map((lecture) => lectureOut(db, lecture))}`,
    )}
    <h2>Comments</h2>
    ${liveComments(db, found).map(
      ({ id, author, content }) =>
        html`<p class="box text" dir="auto" id="c${id}"><b dir="auto">${author}</b>: ${content}</p>`,
    )}
    <form class="box" method="post" action="${root}/learn/${school.no}/${found.permalink}/comments">
      <label
        >About
        <select name="lecture">
          ${live.map(({ id, title }) => html`<option value="${id}">${title}</option>`)}
        </select></label
      ><label>Name <input name="name" required dir="auto" /></label>
      <label>Comment <textarea name="text" required dir="auto"></textarea></label><button>Say it</button>
    </form>`
  return shown(found.title, body, viewer)
}

/** Anybody may comment, so there is no session and no token to check. */
function comment(request: AppRequest): Reply {
  const { db, form, now } = request
  const { school, course: found } = placeOf(request)
  const wanted = toId(form.get('lecture'))
  const lecture = outlineOf(db, found).lectures.find(({ id, live }) => live && id === wanted)
  if (!lecture) throw new Refusal(404, 'LECTURE_NOT_FOUND', 'There is no such lecture to talk about.', 'lecture')
  const said = { author: words(form.get('name'), 'name', 120), content: words(form.get('text'), 'text', 2000) }
  const { id, state } = say(db, school, lecture, { ...said, posted: now })
  request.effect('comment.say', { comment: id, course: found.id, lecture: lecture.id, ...said, state })
  return seeOther(`${root}/learn/${school.no}/${found.permalink}?said=${id}`)
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /learn/{no}/{permalink}', course),
  open('POST /learn/{no}/{permalink}/comments', comment),
]
