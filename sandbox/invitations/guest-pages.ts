import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { clockIn } from './clock.ts'
import { trackOf, trackWords } from './entities.ts'
import { ownGuest } from './guests.ts'
import { messagesTo } from './letters.ts'
import { layout, look, root } from './look.ts'
import { ownParty } from './parties.ts'
import { writeTo } from './sending.ts'

function guestDetail(request: SignedIn): Reply {
  const { db, viewer, now } = request
  const party = ownParty(request)
  const guest = ownGuest(request, party)
  const lines = messagesTo(db, guest).map((letter) => [
    clockIn(party.zone, letter.goes),
    letter.kind,
    html`<b>${letter.subject}</b><br /><span class="text">${letter.words}</span>`,
  ])
  const path = `${root}/parties/${party.serial}`
  const body = html`<p><a href="${path}" dir="auto">${party.headline}</a></p>
    <h1 dir="auto">${guest.called}</h1>
    <p dir="auto">${[guest.mail, guest.mobile, guest.household].filter((text) => text !== '').join(' · ')}</p>
    <p>${trackWords[trackOf(guest, now * 1000)]}, ${guest.headcount} of ${guest.seats} coming</p>
    <p dir="auto">${guest.labels.join(', ')}</p>
    <h2>Messages</h2>
    ${table([`When (${party.zone})`, 'Kind', 'What'], lines)}
    <form class="card" method="post" action="${path}/guests/${guest.serial}/note">
      ${token(look, viewer)}<label>Subject <input name="subject" maxlength="150" dir="auto" /></label>
      <label>Text <textarea name="body" required maxlength="2000" dir="auto"></textarea></label>
      <button>Write to this guest</button>
    </form>`
  return page(layout({ title: guest.called, body, viewer }))
}

function submitNote(request: SignedIn): Reply {
  const party = ownParty(request)
  const { batch, at } = writeTo(request, party)
  const path = `${root}/parties/${party.serial}/guests/${request.params['guest']}`
  return seeOther(`${path}?done=noted&batchNo=${batch}&atMs=${at}`)
}

export const guestPages: readonly Route[] = [
  show('GET /parties/{party}/guests/{guest}', guestDetail),
  submit('POST /parties/{party}/guests/{guest}/note', submitNote),
]
