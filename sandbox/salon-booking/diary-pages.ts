import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { book, callOff, move } from './booking.ts'
import { bodyOf, layout, moreLinks, options, root, token } from './layout.ts'
import { guestsFound, visitsFound } from './lists.ts'
import { need } from './salon.ts'
import { branchesOf, menuOf, stylistsOf, wordsOf } from './shop.ts'
import { findVisit, type ShownVisit } from './visits.ts'
import { isAhead, stateOut } from './wire.ts'
import { dayText, wallText } from './zones.ts'

const visitLine = (visit: ShownVisit): Html =>
  html`<tr>
    <td>${wallText(visit.starts, visit.zone)}<br /><span class="small">${visit.zone}</span></td>
    <td dir="auto"><a href="${root}/visits/${visit.id}">${visit.guestName}</a></td>
    <td dir="auto">${visit.items.map(({ label }) => label).join(', ')}</td>
    <td dir="auto">${visit.stylistName}</td>
    <td dir="auto">${stateOut(visit).label}</td>
  </tr>`

function diary(request: SignedIn): Reply {
  const { viewer, query, now } = request
  const today = Math.floor(now / 86_400)
  const { salon, slice, rows, total } = visitsFound(request, { first: today, last: today + 6 })
  const body = html`<h1>Diary</h1>
    <form class="card">
      <label>From <input name="first_day" value="${query.get('first_day') ?? dayText(today)}" /></label>
      <label>To <input name="last_day" value="${query.get('last_day') ?? dayText(today + 6)}" /></label>
      <button>Show</button>
    </form>
    <table>
      <tr>
        <th>When</th>
        <th>Guest</th>
        <th>What</th>
        <th>With</th>
        <th>State</th>
      </tr>
      ${rows.map(visitLine)}
    </table>
    ${moreLinks('/diary', query, salon, slice, total)}`
  return page(layout({ title: 'Diary', body, viewer }))
}

function visitForms(request: SignedIn, visit: ShownVisit): Html {
  const { db, viewer } = request
  const { account } = viewer.account
  const team = stylistsOf(db, account).map(({ id, name }) => ({ id, label: name }))
  return html`<form class="card" method="post" action="${root}/visits/${visit.id}/move">
      ${token(viewer)}<input type="hidden" name="tz" value="${visit.zone}" />
      <h2>Move</h2>
      <label>To <input name="begin_local" required value="${wallText(visit.starts, visit.zone)}" /></label>
      <label
        >With
        <select name="stylist">
          ${options(team, visit.stylist)}
        </select></label
      >
      <label><input type="checkbox" name="tell_guest" checked /> Tell the guest</label>
      <button>Move</button>
    </form>
    <form class="card" method="post" action="${root}/visits/${visit.id}/call-off">
      ${token(viewer)}
      <h2>Call off</h2>
      <label
        >Because
        <select name="reason">
          ${options(wordsOf(db, account, 'reason'))}
        </select></label
      >
      <label><input type="checkbox" name="tell_guest" checked /> Tell the guest</label>
      <button>Call off</button>
    </form>`
}

function visitDetail(request: SignedIn): Reply {
  need(request, 'diary')
  const { db, viewer, params, now } = request
  const visit = findVisit(db, viewer.account.account, params['visit'] ?? '')
  const body = html`<h1 dir="auto">${visit.guestName}</h1>
    <p data-state="${visit.state}">
      ${wallText(visit.starts, visit.zone)} to ${wallText(visit.ends, visit.zone)} (${visit.zone}) with
      <bdi>${visit.stylistName}</bdi>: <b dir="auto">${stateOut(visit).label}</b>
      ${visit.reason !== null && html`<span class="small">${visit.reason}</span>`}
    </p>
    <ul>
      ${visit.items.map(({ label }) => html`<li dir="auto">${label}</li>`)}
    </ul>
    <p class="text" dir="auto">${visit.remark}</p>
    <p><a href="${root}/guests/${visit.guest}">The guest</a></p>
    ${isAhead(visit, now) && visitForms(request, visit)}`
  return page(layout({ title: 'Visit', body, viewer }))
}

function newVisit(request: SignedIn): Reply {
  need(request, 'diary')
  const { db, viewer, query, now } = request
  const { account } = viewer.account
  const { rows } = guestsFound({ ...request, query: new URLSearchParams({ limit: '500' }) })
  const [branch] = branchesOf(db, account)
  const guests = rows.map(({ guest }) => ({ id: guest.id, label: guest.name }))
  const zone = branch?.zone ?? 'Etc/UTC'
  const body = html`<h1>Book a visit</h1>
    <form class="card" method="post" action="${root}/visits/new">
      ${token(viewer)}
      <label
        >Guest
        <select name="guest" required>
          ${options(guests, query.get('guest') ?? undefined)}
        </select></label
      >
      <label
        >What
        <select name="menu_items" multiple required size="8">
          ${options(menuOf(db, account))}
        </select></label
      >
      <label>Begins <input name="begin_local" required value="${wallText(now + 86_400, zone)}" /></label>
      <label>Time zone <input name="tz" required value="${zone}" /></label>
      <label
        >With
        <select name="stylist">
          <option value="">anybody</option>
          ${options(stylistsOf(db, account).map(({ id, name }) => ({ id, label: name })))}
        </select></label
      >
      <label>Remark <textarea name="remark" dir="auto"></textarea></label>
      <label><input type="checkbox" name="tell_guest" checked /> Tell the guest</label>
      <button>Book</button>
    </form>`
  return page(layout({ title: 'Book', body, viewer }))
}

const backTo = (id: string, done: string): Reply => seeOther(`${root}/visits/${id}?done=${done}`)

export const diaryPages: readonly Route[] = [
  show('GET /diary', diary),
  show('GET /visits/new', newVisit),
  submit('POST /visits/new', (request) =>
    backTo(book(request, bodyOf(request.form, ['menu_items'], ['tell_guest'])).visit.id, 'booked'),
  ),
  show('GET /visits/{visit}', visitDetail),
  submit('POST /visits/{visit}/move', (request) =>
    backTo(move(request, bodyOf(request.form, [], ['tell_guest'])).visit.id, 'moved'),
  ),
  submit('POST /visits/{visit}/call-off', (request) =>
    backTo(callOff(request, bodyOf(request.form, [], ['tell_guest'])).visit.id, 'called_off'),
  ),
]
