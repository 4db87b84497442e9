import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listBookings, readSpan } from './bookings.ts'
import { clockIn, dashed } from './clock.ts'
import { idOf } from './entities.ts'
import { layout, olderLink, proof, root, table } from './layout.ts'
import { listMails } from './mails.ts'
import { cut, readSearch, readWish } from './parameters.ts'
import { addPerson, findPerson, listPeople } from './people.ts'
import { ownStudio } from './studio.ts'

function people(request: SignedIn): Reply {
  const { db, viewer, query } = request
  const search = readSearch(query)
  const name = `people ${search}`
  const wish = readWish(request, name)
  const { rows, token } = cut(request, name, listPeople(db, viewer.account.account, search, wish).rows, wish)
  const lines = rows.map(
    (person) =>
      html`<tr id="${idOf('people', person.serial)}">
        <td dir="auto">${person.fullName}</td>
        <td>${person.mail}</td>
        <td>${person.tel}</td>
        <td>${person.standing}</td>
      </tr>`,
  )
  const body = html`<h1>People</h1>
    <form>
      <input name="filter[q]" value="${search}" aria-label="Name or address" dir="auto" /> <button>Find</button>
    </form>
    ${table(['Name', 'E-mail', 'Phone', 'Standing'], lines)} ${olderLink('/studio/people', query, token)}
    <form class="box" method="post" action="${root}/studio/people">
      ${proof(viewer)}<label>Name <input name="full_name" required maxlength="120" dir="auto" /></label>
      <label>E-mail <input type="email" name="mail" required /></label>
      <label>Phone <input name="tel" maxlength="40" /></label>
      <label
        >Standing
        <select name="standing">
          <option>lead</option>
          <option>client</option>
        </select></label
      ><button>Add</button>
    </form>`
  return page(layout({ title: 'People', body, viewer }))
}

function submitPerson(request: SignedIn): Reply {
  const attributes = Object.fromEntries([...request.form].filter(([name]) => name !== 'proof'))
  return seeOther(`${root}/studio/people#${idOf('people', addPerson(request, { attributes, related: {} }).serial)}`)
}

function calendar(request: SignedIn): Reply {
  const { db, viewer } = request
  const { account } = viewer.account
  const span = readSpan(request)
  const { zone } = ownStudio(request)
  const lines = listBookings(db, account, span).map(
    (booking) =>
      html`<tr>
        <td>${clockIn(zone, booking.begins)}</td>
        <td dir="auto">${findPerson(db, account, booking.sitter)?.fullName}</td>
        <td>${booking.kind}, ${booking.minutes} min</td>
        <td dir="auto">${booking.place} (${booking.zone})</td>
      </tr>`,
  )
  const body = html`<h1>Calendar</h1>
    <p>${dashed(span.first)} to ${dashed(span.last)}, ${zone}</p>
    ${table(['Begins', 'Who', 'What', 'Where'], lines)}`
  return page(layout({ title: 'Calendar', body, viewer }))
}

function outbox(request: SignedIn): Reply {
  const { db, viewer, query } = request
  const { zone } = ownStudio(request)
  const wish = readWish(request, 'mails ')
  const { rows, token } = cut(request, 'mails ', listMails(db, viewer.account.account, '', wish).rows, wish)
  const lines = rows.map(
    (mail) =>
      html`<tr>
        <td>${clockIn(zone, mail.sent)}</td>
        <td>${mail.recipient}</td>
        <td dir="auto"><b>${mail.subject}</b><br /><span class="text">${mail.words}</span></td>
      </tr>`,
  )
  const body = html`<h1>Outbox</h1>
    ${table(['Sent', 'To', 'What'], lines)} ${olderLink('/studio/outbox', query, token)}`
  return page(layout({ title: 'Outbox', body, viewer }))
}

export const deskPages: readonly Route[] = [
  show('GET /studio/people', people),
  submit('POST /studio/people', submitPerson),
  show('GET /studio/calendar', calendar),
  show('GET /studio/outbox', outbox),
]
