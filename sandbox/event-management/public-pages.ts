import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { one } from '../platform/rows.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { bookSeat } from './bookings.ts'
import { passesOf, toGathering, type Gathering } from './gatherings.ts'
import { input, layout, link, root, select } from './look.ts'

function welcome({ viewer }: AppRequest): Reply {
  const body = html`<h1>Gatherings that people come to</h1>
    <p>Guests sign up by the link of a gathering. ${link('desk', 'Organizers and door staff work here.')}</p>`
  return page(layout({ title: 'Welcome', body, viewer }))
}

function gatheringAt({ db, params }: AppRequest): Gathering {
  const row = one(db, 'SELECT * FROM gatherings WHERE signup = ?', params['key'] ?? '')
  if (!row) throw new Refusal(404, 'SIGNUP_NOT_FOUND', 'There is no such link.')
  return toGathering(row)
}

function signup(request: AppRequest): Reply {
  const gathering = gatheringAt(request)
  const passes = passesOf(request.db, gathering).map(({ label }) => label)
  const body = html`<h1 dir="auto">${gathering.called}</h1>
    <p>${gathering.firstDay} to ${gathering.lastDay} (${gathering.zone}), <span dir="auto">${gathering.venue}</span></p>
    ${request.query.get('done') === 'booked' && html`<p><b>You are on the list.</b></p>`}
    <form class="card" method="post">
      ${input('First name', 'given_name')} ${input('Last name', 'family_name')} ${input('E-mail', 'mail', 'email')}
      ${select('Pass', 'pass', passes)} <button>Book</button>
    </form>`
  return page(layout({ title: gathering.called, body, viewer: undefined }))
}

function book(request: AppRequest): Reply {
  const gathering = gatheringAt(request)
  bookSeat(request, gathering)
  return seeOther(`${root}/signup/${gathering.signup}?done=booked`)
}

export const publicPages: readonly Route[] = [
  open('GET /', welcome),
  open('GET /signup/{key}', signup),
  open('POST /signup/{key}', book),
]
