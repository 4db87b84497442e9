import { html, type Html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listBookings } from './bookings.ts'
import { readLocal } from './clock.ts'
import {
  crowds,
  gatheringOut,
  isOver,
  listGatherings,
  organizers,
  ownGathering,
  passesOf,
  type Gathering,
} from './gatherings.ts'
import { guestNames, listGuests, putGuest } from './guests.ts'
import { readForm } from './input.ts'
import { deskPage, form, input, link, moreLink, root, select } from './look.ts'
import { announce, listMails, mailVoices, type Told } from './mailings.ts'
import { addSlot, slotOut, slotsOf } from './slots.ts'
import { voicesOf } from './voices.ts'
import { readWrapUp, requestWrapUp } from './wrap-ups.ts'

function gatherings(request: SignedIn): Reply {
  const rows = listGatherings(request).map((one) => {
    const { gathering_no: no, days, phase, wrap_up: wrapUp, venue } = gatheringOut(one, request.now)
    return [link(`desk/gatherings/${no}`, one.called), `${days.first} – ${days.last}`, phase, venue, wrapUp]
  })
  const body = html`<p>
      ${link('desk?phase=AHEAD', 'Ahead')} · ${link('desk?phase=OVER', 'Over')} · ${link('desk', 'All')}
    </p>
    ${table(['Gathering', 'Days', 'Phase', 'Venue', 'Wrap-up'], rows)}`
  return deskPage(request, 'Gatherings', body)
}

const message = html`${input('Subject', 'subject')}<label
    >Words <textarea name="words" dir="auto" required></textarea>
  </label>`

function forms(request: SignedIn, gathering: Gathering): Html {
  const path = `desk/gatherings/${gathering.serial}`
  const voices = voicesOf(request.db, gathering).map(
    ({ serial, called, mail }) =>
      html`<label dir="auto"
        ><input type="checkbox" name="voice_no" value="${serial}" /> ${called}
        ${mail === '' ? '(no e-mail)' : mail}</label
      >`,
  )
  return html`<h2>Announce to all guests</h2>
    ${form(request, `${path}/announce`, 'Send to all guests', message)}
    <h2>Voices</h2>
    ${form(request, `${path}/mail-voices`, 'Send to those ticked, or to all', html`${voices} ${message}`)}
    ${
      isOver(gathering, request.now) &&
      gathering.wrapped === undefined &&
      html`<h2>Wrap-up</h2>
        ${form(request, `${path}/wrap-up`, 'Request the wrap-up', html``)}`
    }
    <h2>Add to the agenda</h2>
    ${form(
      request,
      `${path}/slots`,
      'Add',
      html`${input('Heading', 'heading')} ${input('Opens', 'opens', 'datetime-local')}
        ${input('Closes', 'closes', 'datetime-local')} ${input('Streams (with commas)', 'streams')}
        ${input('Voices (with commas)', 'voices')} <label>Blurb <textarea name="blurb" dir="auto"></textarea></label>`,
    )}`
}

function gathering(request: SignedIn): Reply {
  const { db, now, query, viewer } = request
  const found = ownGathering(request)
  const path = `desk/gatherings/${found.serial}`
  const { days, phase, wrap_up: wrapUp } = gatheringOut(found, now)
  const agenda = slotsOf(db, found).map((slot) => {
    const { opens, closes, heading, streams, blurb } = slotOut(slot, found)
    const names = slot.voices.map(({ called }) => called).join(', ')
    return [
      opens.local,
      closes.local.slice(11),
      html`<b>${heading}</b><br />${blurb.slice(0, 200)}`,
      streams.join(', '),
      names,
    ]
  })
  const [done, reached, skipped] = ['done', 'reached', 'skipped'].map((name) => query.get(name))
  const body = html`${done && html`<p class="card">Done: ${done}${reached && `, to ${reached}, without an address ${skipped}`}</p>`}
    <p>${days.first} – ${days.last} (${found.zone}), ${phase}. <span dir="auto">${found.venue}</span></p>
    <p>
      ${link(`${path}/guests`, 'Guests')} · ${link(`${path}/bookings`, 'Bookings')} ·
      ${wrapUp === 'READY' && link(`${path}/wrap-up`, 'Wrap-up')} · ${link(`signup/${found.signup}`, 'Sign-up page')}
    </p>
    ${table(['Opens', 'Closes', 'What', 'Streams', 'Voices'], agenda)}
    ${viewer.account.kind === 'organizer' && forms(request, found)}`
  return deskPage(request, found.called, body)
}

function guests(request: SignedIn): Reply {
  const found = ownGathering(request)
  const path = `desk/gatherings/${found.serial}/guests`
  const { items, pagination } = listGuests(request)
  const rows = items.map((guest) => [
    `${guest.given_name} ${guest.family_name}`,
    guest.mail,
    guest.firm,
    guest.pass.label,
    guest.crowd,
    guest.arrived?.local,
  ])
  const passes = passesOf(request.db, found).map(({ label }) => label)
  const fields = html`${input('First name', 'given_name')} ${input('Last name', 'family_name')}
  ${input('E-mail', 'mail', 'email')} ${input('Firm', 'firm')} ${select('Pass', 'pass', passes)}
  ${select('Crowd', 'crowd', crowds)}`
  const body = html`<p>${link(`${path}?arrived=yes`, 'Arrived')} · ${link(`${path}?arrived=no`, 'Not yet')}</p>
    ${table(['Name', 'E-mail', 'Firm', 'Pass', 'Crowd', 'Arrived'], rows)}
    ${moreLink(path, request.query, pagination.continuation)}
    ${request.viewer.account.kind === 'organizer' && form(request, path, 'Add or change (by e-mail)', fields)}`
  return deskPage(request, `Guests of ${found.called}`, body)
}

function bookings(request: SignedIn): Reply {
  const found = ownGathering(request)
  const { items, pagination } = listBookings(request)
  const rows = items.map(({ booked_by: by, mail, pass, seats, paid, booked }) => [
    booked.local,
    by,
    mail,
    pass.label,
    seats,
    `${paid.minor} ${paid.cur} (minor units)`,
  ])
  const body = html`${table(['Booked', 'By', 'E-mail', 'Pass', 'Seats', 'Paid'], rows)}
  ${moreLink(`desk/gatherings/${found.serial}/bookings`, request.query, pagination.continuation)}`
  return deskPage(request, `Bookings of ${found.called}`, body)
}

function mails(request: SignedIn): Reply {
  const { items, pagination } = listMails(request)
  const rows = items.map(({ sent, addressee, recipient, subject, words }) => [
    sent.local,
    `${addressee} ${recipient}`,
    html`<b>${subject}</b><br /><span class="text">${words}</span>`,
  ])
  const body = html`${table(['Sent', 'To', 'What'], rows)}
  ${moreLink('desk/mails', request.query, pagination.continuation)}`
  return deskPage(request, 'Mails', body)
}

function wrapUp(request: SignedIn): Reply {
  const found = ownGathering(request)
  const body = html`${readWrapUp(request).chapters.map(
    ({ heading, words }) =>
      html`<h2>${heading}</h2>
        <p class="text" dir="auto">${words}</p>`,
  )}`
  return deskPage(request, `Wrap-up of ${found.called}`, body)
}

const done = (no: number | string, words: string): Reply => seeOther(`${root}/desk/gatherings/${no}?done=${words}`)

const sent = (words: string, { gathering: no, mailing, reached, skipped }: Told): Reply =>
  done(no, `${words}&mailing_no=${mailing}&reached=${reached}&skipped=${skipped}`)

/** The form's local times and lists with commas, as JSON has them. */
function slotByForm(request: SignedIn): Reply {
  const { zone, serial } = ownGathering(request)
  const fields: Record<string, unknown> = {
    ...readForm(request.form, ['heading', 'opens', 'closes', 'streams', 'voices', 'blurb']),
  }
  for (const name of ['opens', 'closes']) {
    if (typeof fields[name] === 'string') fields[name] = { utc: readLocal(zone, fields[name]) }
  }
  for (const name of ['streams', 'voices']) {
    if (typeof fields[name] === 'string') fields[name] = fields[name].split(',').map((one) => one.trim())
  }
  return done(serial, `slot_added&slot_no=${addSlot(request, fields).slot_no}`)
}

function guestByForm(request: SignedIn): Reply {
  const { guest } = putGuest(request, readForm(request.form, guestNames))
  return done(ownGathering(request).serial, `guest_kept&guest_no=${guest.guest_no}`)
}

const at = '/desk/gatherings/{gathering}'

export const deskPages: readonly Route[] = [
  show('GET /desk', gatherings),
  show('GET /desk/mails', organizers(mails)),
  show(`GET ${at}`, gathering),
  show(`GET ${at}/guests`, guests),
  show(`GET ${at}/bookings`, organizers(bookings)),
  show(`GET ${at}/wrap-up`, organizers(wrapUp)),
  submit(
    `POST ${at}/announce`,
    organizers((request) => sent('announced', announce(request))),
  ),
  submit(
    `POST ${at}/mail-voices`,
    organizers((request) => sent('voices_mailed', mailVoices(request))),
  ),
  submit(
    `POST ${at}/wrap-up`,
    organizers((request) => done(requestWrapUp(request).serial, 'wrap_up_ready')),
  ),
  submit(`POST ${at}/slots`, organizers(slotByForm)),
  submit(`POST ${at}/guests`, organizers(guestByForm)),
]
