import { html, type Html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { open, show } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { clockIn, hourText, readUsDay, shiftDay, usDay } from './clock.ts'
import { form, layout, root, told } from './layout.ts'
import { priceText } from './money.ts'
import { listNotices } from './notices.ts'
import { listOffers } from './offers.ts'
import { entriesIn, listSlots, missesIn, ownSlot, type Entry } from './slots.ts'
import { needAdmin, ownStudio } from './studio.ts'
import { reportedTo } from './svc-routes.ts'

const clientLink = ({ client, full }: Entry): Html => html`<a href="${root}/staff/desk/clients/C${client}">${full}</a>`

function week(request: SignedIn): Reply {
  const { viewer, query } = request
  const { zone, today } = ownStudio(request)
  const from = readUsDay(query.get('From') ?? '') ?? today
  const rows = listSlots(request, { from, to: shiftDay(from, 6) }).map((slot) => [
    `${usDay(slot.day)} ${hourText(slot.minutes)}`,
    html`<a href="${root}/staff/desk/slots/S${slot.serial}">${slot.title}</a>`,
    slot.coach,
    `${slot.booked} of ${slot.places}`,
    slot.waiting,
  ])
  const body = html`<h1>Classes</h1>
    <form>
      <label>Seven days from <input name="From" value="${usDay(from)}" /></label> <button>Show</button>
    </form>
    <p class="small">Times are those of ${zone}.</p>
    ${table(['When', 'Class', 'Led by', 'Booked', 'Waiting'], rows)}`
  return page(layout({ title: 'Classes', body, viewer }))
}

const cid = html`<label>Client <input name="Cid" placeholder="C100001" required /></label>`
const anyway = html`<label><input type="checkbox" name="Anyway" value="1" /> even without spot or pass</label>`
const message = html`<label
    ><select name="Via">
      <option>MAIL</option>
      <option>TEXT</option>
    </select></label
  >
  <label>Subject (mail only) <input name="Subject" maxlength="150" /></label>
  <label>Message <textarea name="Words" maxlength="5000" required dir="auto"></textarea></label>`
const scope = html`<label
  ><select name="Scope">
    <option value="ONE">this class</option>
    <option value="ONWARD">this and all later ones of its series</option>
  </select></label
>`

function slot(request: SignedIn): Reply {
  const { viewer, query } = request
  const own = ownSlot(request)
  const path = `/staff/desk/slots/S${own.serial}`
  const hidden = (client: number): Html => html`<input type="hidden" name="Cid" value="C${client}" />`
  const rows = entriesIn(request, own.serial).map((entry) => [
    clientLink(entry),
    entry.st,
    html`${entry.st === 'RSV' && form(viewer, `${path}/arrive`, 'Check in', hidden(entry.client))}
    ${(entry.st === 'RSV' || entry.st === 'IN') && form(viewer, `${path}/strike`, 'Take off', hidden(entry.client))}`,
  ])
  const add = html`<div class="card">${form(viewer, `${path}/book`, 'Book', cid)}</div>
    <div class="card">${form(viewer, `${path}/queue`, 'Add to the waiting list', cid)}</div>
    <div class="card">${form(viewer, `${path}/arrive`, 'Check in', html`${cid}${anyway}`)}</div>
    <div class="card">${form(viewer, `${path}/blast`, 'Write to all who have a spot', message)}</div>
    <div class="card">${form(viewer, `${path}/call-off`, 'Call off', scope)}</div>`
  const body = html`<h1 dir="auto">${own.title}</h1>
    ${told(query)}
    <p>
      ${usDay(own.day)} ${hourText(own.minutes)}, ${own.topic}, <span dir="auto">${own.coach}</span>, ${own.booked} of
      ${own.places} spots, ${own.waiting} waiting ${own.off && html`<b class="off">called off</b>`}
    </p>
    ${table(['Client', 'Mark', ''], rows)} ${!own.off && add}`
  return page(layout({ title: own.title, body, viewer }))
}

function offers(request: SignedIn): Reply {
  const { db, viewer } = request
  const { ccy } = ownStudio(request)
  const rows = listOffers(db, viewer.account.account).map((offer) => [
    `O${offer.serial}`,
    offer.label,
    `${priceText(offer.fee, ccy)} ${ccy}, ${offer.per}`,
    offer.covers.join(', '),
  ])
  const body = html`<h1>Passes on offer</h1>
    ${table(['', 'Offer', 'Fee', 'Covers'], rows)}`
  return page(layout({ title: 'Passes', body, viewer }))
}

function misses(request: SignedIn): Reply {
  needAdmin(request)
  const to = reportedTo(ownStudio(request).today)
  const rows = missesIn(request, { from: shiftDay(to, -30), to }, undefined).map((entry) => [
    usDay(entry.day),
    entry.title,
    clientLink(entry),
    entry.st,
  ])
  const body = html`<h1>Missed classes</h1>
    <p class="small">31 days up to ${usDay(to)}. Fees are not charged by themselves.</p>
    ${table(['Day', 'Class', 'Client', ''], rows)}`
  return page(layout({ title: 'Missed classes', body, viewer: request.viewer }))
}

function sent(request: SignedIn): Reply {
  const { db, viewer } = request
  const { zone } = ownStudio(request)
  const rows = listNotices(db, viewer.account.account).map(({ kind, via, recipient, subject, words, at }) => [
    clockIn(zone, at),
    kind,
    via,
    recipient,
    html`<b>${subject}</b>
      <div class="text">${words}</div>`,
  ])
  const body = html`<h1>Sent</h1>
    ${table(['At', '', '', 'To', 'Message'], rows)}`
  return page(layout({ title: 'Sent', body, viewer }))
}

const welcome = html`<h1>Kettlewick</h1>
  <p>Classes, passes and rosters for fitness studios. <a href="${root}/staff/desk">To the desk</a></p>`

export const deskPages: readonly Route[] = [
  open('GET /', ({ viewer }) => page(layout({ title: 'Welcome', body: welcome, viewer }))),
  show('GET /staff/desk', week),
  show('GET /staff/desk/slots/{slot}', slot),
  show('GET /staff/desk/offers', offers),
  show('GET /staff/desk/misses', misses),
  show('GET /staff/desk/sent', sent),
]
