import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { bookingId, bookingStates, listBookings, ownBooking } from './bookings.ts'
import { moment, panelDay } from './clock.ts'
import { listThreads, notesAbout, send, sentNotes, type Note } from './inbox.ts'
import { cut, formFields, queryChoice, querySpan, readWish } from './input.ts'
import { field, layout, look, root } from './layout.ts'
import { amount } from './money.ts'
import { ownProvider, rightsOf, todayHere } from './provider.ts'
import { listReviews } from './reviews.ts'
import { tourId } from './tours.ts'
import { holderOf } from './wire.ts'

const link = (serial: number): Html =>
  html`<a href="${root}/desk/bookings/${bookingId(serial)}">${bookingId(serial)}</a>`

function bookings(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const span = querySpan(query, todayHere(request), 7)
  const state = queryChoice(query, 'st', bookingStates)
  const list = `desk ${span.from} ${span.to} ${state}`
  const wish = readWish(request, list)
  const found = listBookings(db, viewer.account.account, { ...span, tour: undefined, state }, wish)
  const { shown, next } = cut(request, list, found, wish)
  const onward = new URLSearchParams(query)
  onward.set('next', next ?? '')
  const rows = shown.map((b) => [
    link(b.serial),
    `${panelDay(b.day)} ${b.hour} (${b.zone})`,
    b.tourTitle,
    b.full,
    b.pax,
    b.state,
  ])
  const body = html`<h1>Bookings</h1>
    <form class="card">
      ${field('fromDay', 'From', '31-12-2026', panelDay(span.from))}
      ${field('toDay', 'To', '31-12-2026', panelDay(span.to))}
      <label
        >State
        <select name="st">
          ${bookingStates.map((one) => html`<option ${one === state && 'selected'}>${one}</option>`)}
        </select></label
      ><button>Find</button>
    </form>
    ${table(['Booking', 'Departs', 'Tour', 'Traveller', 'People', 'State'], rows)}
    ${next !== null && html`<p><a href="${root}/desk/bookings?${onward.toString()}">Later</a></p>`}`
  return page(layout({ title: 'Bookings', body, viewer }))
}

const noteCard = (note: Note, zone: string): Html => {
  const { day, hour } = moment(zone, note.at)
  return html`<div class="card">
    <p class="small">
      ${note.side}, ${note.recipient === null ? 'received' : `sent to ${note.recipient}`}, ${day} ${hour}
    </p>
    <p class="text" dir="auto">${note.words}</p>
  </div>`
}

function booking(request: SignedIn): Reply {
  const { db, viewer } = request
  const own = ownBooking(request)
  const holder = holderOf(own, rightsOf(viewer.account).includes('personal'))
  const { value, cur } = amount(own.total, ownProvider(request).cur)
  const body = html`<h1>${own.locator}</h1>
    <p dir="auto"><a href="${root}/desk/tours/${tourId(own.tour)}">${own.tourTitle}</a></p>
    <p>${panelDay(own.day)} ${own.hour} (${own.zone}), ${own.pax} people, ${value} ${cur}, <b>${own.state}</b></p>
    <p dir="auto">${holder.full}, ${holder.mail}, ${holder.tel ?? 'no telephone'}</p>
    <p class="small"><a href="${root}/shop/trip/${own.key}">The traveller’s own page</a></p>
    ${notesAbout(db, own).map((note) =>
      noteCard(note.side === 'CLIENT' && note.recipient ? { ...note, recipient: holder.mail } : note, own.zone),
    )}
    <form class="card" method="post" action="${root}/desk/bookings/${bookingId(own.serial)}/write">
      ${token(look, viewer)}
      <label
        >To
        <select name="side">
          <option value="CLIENT">the traveller</option>
          <option value="OFFICE">the booking department</option>
        </select></label
      >
      <label>Message <textarea name="words" maxlength="2000" required dir="auto"></textarea></label
      ><button>Send</button>
    </form>`
  return page(layout({ title: own.locator, body, viewer }))
}

function submitNote(request: SignedIn): Reply {
  const own = ownBooking(request)
  const { serial } = send(request, own, formFields(request.form, 'side', 'words'))
  return seeOther(`${root}/desk/bookings/${bookingId(own.serial)}?sent=M${serial}`)
}

function inbox({ db, viewer }: SignedIn): Reply {
  const threads = listThreads(db, viewer.account.account, { booking: undefined, fresh: false })
  const rows = threads.slice(0, 200).map((thread) => {
    const { day, hour } = moment(thread.zone, thread.at)
    const words = `${thread.words.slice(0, 120)}${thread.words.length > 120 ? '…' : ''}`
    return [
      link(thread.booking),
      thread.side,
      `${day} ${hour}`,
      html`<span class="${thread.fresh && 'fresh'}">${words}</span>`,
    ]
  })
  const body = html`<h1>Inbox</h1>
    ${table(['Booking', 'With', 'Last', ''], rows)}`
  return page(layout({ title: 'Inbox', body, viewer }))
}

function sent(request: SignedIn): Reply {
  const { db, viewer } = request
  const { zone } = ownProvider(request)
  const whole = rightsOf(viewer.account).includes('personal')
  const body = html`<h1>Sent</h1>
    ${sentNotes(db, viewer.account.account).map(
      (note) =>
        html`<p>${link(note.booking)}</p>
          ${noteCard(note.side === 'CLIENT' && !whole ? { ...note, recipient: 'the traveller' } : note, zone)}`,
    )}`
  return page(layout({ title: 'Sent', body, viewer }))
}

function reviews({ db, viewer }: SignedIn): Reply {
  const rows = listReviews(db, viewer.account.account, undefined, '').map(({ day, mark, tour, words }) => [
    panelDay(day),
    `${mark} of 10`,
    tourId(tour),
    html`<span class="text">${words}</span>`,
  ])
  const body = html`<h1>Reviews</h1>
    ${table(['Day', 'Mark', 'Tour', ''], rows)}`
  return page(layout({ title: 'Reviews', body, viewer }))
}

export const bookingPages: readonly Route[] = [
  show('GET /desk/bookings', bookings),
  show('GET /desk/bookings/{bk}', booking),
  submit('POST /desk/bookings/{bk}/write', submitNote),
  show('GET /desk/inbox', inbox),
  show('GET /desk/sent', sent),
  show('GET /desk/reviews', reviews),
]
