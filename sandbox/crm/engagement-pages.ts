import { html, type Html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { billsOf } from './bills.ts'
import { findEngagement, listEngagements } from './engagements.ts'
import { tracks, type Engagement } from './entities.ts'
import { perform } from './graphql.ts'
import { globalId } from './ids.ts'
import { button, layout, root, token, words } from './layout.ts'
import { may } from './levels.ts'
import { moment } from './moments.ts'
import { billForm, billTable } from './bill-pages.ts'
import { addressed, back, filled, nextLink, numberIn, pageWish, typedDay } from './page-helpers.ts'
import { papersOf } from './papers.ts'
import { kinds } from './entities.ts'
import { listBlueprints, listStages, studioOf } from './studio.ts'

function stageOptions({ db, viewer }: SignedIn, chosen: number): Html[] {
  return listStages(db, viewer.account).map(
    ({ id, label }) => html`<option value="${globalId('Stage', id)}" ${id === chosen && 'selected'}>${label}</option>`,
  )
}

const line = (engagement: Engagement, zone: string): Html =>
  html`<tr>
    <td><a href="${root}/engagements/${engagement.id}" dir="auto">${engagement.headline}</a></td>
    <td dir="auto">${engagement.person.name}</td>
    <td>${words[engagement.track]}</td>
    <td dir="auto">${engagement.stage.label}</td>
    <td>${engagement.eventOn ?? '–'}</td>
    <td class="small">${moment(engagement.opened, zone).slice(0, 10)}</td>
  </tr>`

function engagements({ db, viewer, query }: SignedIn): Reply {
  const wish = pageWish(query)
  const track = tracks.find((known) => known === query.get('track'))
  const found = listEngagements(db, viewer, { track, stage: undefined, openedFrom: undefined }, wish)
  const { zone } = studioOf(viewer.account)
  const body = html`<h1>Engagements</h1>
    <p>
      <a href="?">All</a> · ${tracks.map((each) => html`<a href="?track=${each}">${words[each]}</a> · `)}
      <a href="${root}/engagements/new">New engagement</a> <span class="small">(${found.total})</span>
    </p>
    <table>
      <tr>
        <th>Engagement</th>
        <th>Client</th>
        <th>Track</th>
        <th>Stage</th>
        <th>Day</th>
        <th>Opened</th>
      </tr>
      ${found.rows.slice(0, wish.first).map((each) => line(each, zone))}
    </table>
    ${nextLink(query, found.rows, wish)}`
  return page(layout({ title: 'Engagements', body, viewer }))
}

function newForm(request: SignedIn): Reply {
  const { viewer } = request
  const body = html`<h1>New engagement</h1>
    <form class="card" method="post" action="${root}/engagements/new">
      ${token(viewer)}
      <label>Title <input name="headline" required maxlength="200" dir="auto" /></label>
      <label>Client’s name <input name="fullName" required maxlength="120" dir="auto" /></label>
      <label>E-mail <input name="mail" type="email" /></label>
      <label>Mobile <input name="mobile" maxlength="40" /></label>
      <label
        >Track
        <select name="track">
          ${tracks.map((each) => html`<option value="${each}">${words[each]}</option>`)}
        </select></label
      >
      <label
        >Stage
        <select name="stageId">
          ${stageOptions(request, 0)}
        </select></label
      >
      <label>Day <input name="eventAt" type="date" /></label>
      <label>Notes <textarea name="memo" dir="auto"></textarea></label>
      <button>Open</button>
    </form>
    <p class="hint">Nothing is sent to the client.</p>`
  return page(layout({ title: 'New engagement', body, viewer }))
}

function papersCard(request: SignedIn, engagement: Engagement): Html {
  const { db, viewer } = request
  const shelf = listBlueprints(db, viewer.account, kinds).filter(({ kind }) => kind !== 'INTAKE')
  return html`<h2>Papers</h2>
    <table>
      ${papersOf(db, engagement.id).map(
        ({ id, kind, name, phase }) =>
          html`<tr>
            <td><a href="${root}/papers/${id}" dir="auto">${name}</a></td>
            <td>${words[kind]}</td>
            <td data-phase="${phase}">${words[phase]}</td>
            <td>
              ${phase === 'UNSENT' && button(viewer, `/papers/${id}/send`, 'E-mail it')}
              ${phase === 'COUNTERSIGN' && button(viewer, `/papers/${id}/countersign`, 'Countersign')}
            </td>
          </tr>`,
      )}
    </table>
    <form class="card" method="post" action="${root}/engagements/${engagement.id}/papers">
      ${token(viewer)}
      <select name="blueprintId">
        ${shelf.map(({ id, kind, name }) => html`<option value="${globalId('Blueprint', id)}">${words[kind]}: ${name}</option>`)}
      </select>
      <button>Copy into this engagement</button>
    </form>`
}

function sheet(request: SignedIn): Reply {
  const { db, viewer } = request
  const engagement = findEngagement(db, viewer, numberIn(request))
  const { person } = engagement
  const body = html`<h1 dir="auto">${engagement.headline}</h1>
    <p>
      ${words[engagement.track]} · <b dir="auto">${engagement.stage.label}</b> · ${engagement.eventOn ?? 'no day yet'}
      (${engagement.zone}) · with <span dir="auto">${engagement.assignee}</span>
    </p>
    <p dir="auto">${person.name} · ${person.mail || 'no e-mail'} · ${person.mobile || 'no phone'}</p>
    <p>${engagement.labels.map((label) => html`<span class="tag" dir="auto">${label}</span>`)}</p>
    <p class="text card" dir="auto">${engagement.memo || '(no notes)'}</p>
    <form class="card" method="post" action="${root}/engagements/${engagement.id}/stage">
      ${token(viewer)}
      <select name="stageId">
        ${stageOptions(request, engagement.stage.id)}
      </select>
      <button>Move</button>
    </form>
    ${papersCard(request, engagement)}
    ${
      may(viewer, 'money') &&
      html`<h2>Bills</h2>
        ${billTable(billsOf(db, engagement.id))} ${billForm(viewer, engagement)}`
    }`
  return page(layout({ title: engagement.headline, body, viewer }))
}

function open(request: SignedIn): Reply {
  const { form } = request
  perform(request, 'OpenEngagement', {
    ...filled(form, 'headline', 'track', 'stageId', 'memo'),
    person: filled(form, 'fullName', 'mail', 'mobile'),
    eventAt: typedDay(form.get('eventAt')),
  })
  return back('/engagements', 'opened')
}

function move(request: SignedIn): Reply {
  perform(request, 'MoveEngagement', {
    id: addressed(request, 'Engagement'),
    ...filled(request.form, 'stageId'),
  })
  return back(`/engagements/${numberIn(request)}`, 'moved')
}

function copy(request: SignedIn): Reply {
  const engagementId = addressed(request, 'Engagement')
  perform(request, 'CopyBlueprint', { engagementId, ...filled(request.form, 'blueprintId', 'heading') })
  return back(`/engagements/${numberIn(request)}`, 'copied')
}

export const engagementPages: readonly Route[] = [
  show('GET /engagements', engagements),
  show('GET /engagements/new', newForm),
  submit('POST /engagements/new', open),
  show('GET /engagements/{no}', sheet),
  submit('POST /engagements/{no}/stage', move),
  submit('POST /engagements/{no}/papers', copy),
]
