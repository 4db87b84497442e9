import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { addGuest, findGuest, type GuestRow } from './guests.ts'
import { jot, jottingsOf } from './jottings.ts'
import { bodyOf, layout, moreLinks, options, root, token } from './layout.ts'
import { guestsFound } from './lists.ts'
import { need } from './salon.ts'
import { branchesOf } from './shop.ts'
import { visitsOf } from './visits.ts'
import { stateOut } from './wire.ts'
import { dayText, wallText } from './zones.ts'

const guestLine = ({ guest, last }: GuestRow): Html =>
  html`<tr>
    <td dir="auto"><a href="${root}/guests/${guest.id}">${guest.name}</a></td>
    <td>${guest.mail}</td>
    <td>${guest.mobile}</td>
    <td>${last === undefined ? 'never' : dayText(last)}</td>
  </tr>`

function guests(request: SignedIn): Reply {
  const { viewer, query } = request
  const { salon, slice, rows, total } = guestsFound(request)
  const body = html`<h1>Guests</h1>
    <form class="card">
      <label>Name, e-mail or telephone <input name="q" value="${query.get('q')}" dir="auto" /></label>
      <button>Find</button> <a href="${root}/guests/new">New guest</a>
    </form>
    <table>
      <tr>
        <th>Name</th>
        <th>E-mail</th>
        <th>Mobile</th>
        <th>Last seen</th>
      </tr>
      ${rows.map(guestLine)}
    </table>
    ${moreLinks('/guests', query, salon, slice, total)}`
  return page(layout({ title: 'Guests', body, viewer }))
}

function newGuest(request: SignedIn): Reply {
  need(request, 'guests')
  const { db, viewer } = request
  const branches = branchesOf(db, viewer.account.account).map(({ id, title }) => ({ id, label: title }))
  const body = html`<h1>New guest</h1>
    <form class="card" method="post" action="${root}/guests/new">
      ${token(viewer)}
      <label>Name <input name="full_name" required maxlength="120" dir="auto" /></label>
      <label>E-mail <input name="mail" type="email" /></label>
      <label>Mobile <input name="mobile" /></label>
      <label
        >Branch
        <select name="branch">
          ${options(branches)}
        </select></label
      >
      <label><input type="checkbox" name="mail_ads" /> Likes news by e-mail</label>
      <label><input type="checkbox" name="text_ads" /> Likes news by text message</label>
      <label>Allergies, one a line <textarea name="sensitivities" dir="auto"></textarea></label>
      <button>Add</button>
    </form>`
  return page(layout({ title: 'New guest', body, viewer }))
}

function guestDetail(request: SignedIn): Reply {
  need(request, 'guests')
  const { db, viewer, params } = request
  const guest = findGuest(db, viewer.account.account, params['guest'] ?? '')
  const body = html`<h1 dir="auto">${guest.name}</h1>
    <p>${guest.mail} ${guest.mobile}</p>
    <p dir="auto">${guest.allergies.length > 0 && `Allergies: ${guest.allergies.join(', ')}`}</p>
    <p><a href="${root}/visits/new?guest=${guest.id}">Book a visit</a></p>
    <h2>Notes</h2>
    ${jottingsOf(db, guest.id).map(
      (jotting) =>
        html`<div class="card">
          <p class="small">${jotting.author}, ${wallText(jotting.at, jotting.zone)}</p>
          <p class="text" dir="auto">${jotting.text}</p>
        </div>`,
    )}
    <form class="card" method="post" action="${root}/guests/${guest.id}/jottings">
      ${token(viewer)}<label>For the team only <textarea name="text" required dir="auto"></textarea></label>
      <button>Note it</button>
    </form>
    <h2>Visits</h2>
    <ul>
      ${visitsOf(db, guest.id).map(
        (visit) =>
          html`<li dir="auto">
            <a href="${root}/visits/${visit.id}">${wallText(visit.starts, visit.zone)}</a>
            ${visit.items.map(({ label }) => label).join(', ')} (${stateOut(visit).label})
          </li>`,
      )}
    </ul>`
  return page(layout({ title: guest.name, body, viewer }))
}

export const guestPages: readonly Route[] = [
  show('GET /guests', guests),
  show('GET /guests/new', newGuest),
  submit('POST /guests/new', (request) => {
    const body = bodyOf(request.form, ['sensitivities'], ['mail_ads', 'text_ads'])
    return seeOther(`${root}/guests/${addGuest(request, body).id}?done=added`)
  }),
  show('GET /guests/{guest}', guestDetail),
  submit('POST /guests/{guest}/jottings', (request) => {
    jot(request, bodyOf(request.form))
    return seeOther(`${root}/guests/${request.params['guest'] ?? ''}?done=noted`)
  }),
]
