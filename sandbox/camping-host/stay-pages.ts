import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open, show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { AppRequest, Reply, Route, SignedIn } from '../platform/types.ts'
import { sayNo, sayYes } from './asks.ts'
import { clockIn } from './clock.ts'
import { ownHost, todayHere } from './host.ts'
import { formFields, queryChoice } from './input.ts'
import { dotted, form, layout, pageOf, paths, root, words } from './look.ts'
import { shown } from './money.ts'
import { listPaydays } from './paydays.ts'
import { bookedStates, listAsks, listStays, ownStay, totalOf, type Stay } from './stays.ts'
import { who } from './wire.ts'

function front({ viewer }: AppRequest): Reply {
  const body = html`<h1>A pitch for every tent</h1>
    <p><a href="${root}${viewer ? paths.home : paths.signIn}">For hosts</a></p>`
  return page(layout({ title: 'Camping', body, viewer }))
}

const camper = (one: { first: string; last: string }): string => {
  const { first, init } = who(one)
  return init === '' ? first : `${first} ${init}.`
}

const stayLink = ({ serial }: Stay, text: string): Html => html`<a href="${root}/host/stays/S${serial}">${text}</a>`

function home(request: SignedIn): Reply {
  const { zone } = ownHost(request)
  const rows = listAsks(request, 0).map((stay) => [
    clockIn(zone, stay.until ?? 0),
    stayLink(stay, camper(stay)),
    `${stay.landTitle}, ${stay.pitchLabel}`,
    `${dotted(stay.come)} to ${dotted(stay.leave)}`,
    stay.heads,
  ])
  return pageOf(request, 'Who asks to come', table(['Answer until', 'Camper', 'Pitch', 'Nights', 'People'], rows))
}

function stays(request: SignedIn): Reply {
  const today = todayHere(request)
  const state = queryChoice(request.query, 'st', bookedStates)
  const rows = listStays(request, 0, { first: today - 400, last: today + 400 }, state).map((stay) => [
    `${dotted(stay.come)} to ${dotted(stay.leave)}`,
    stayLink(stay, camper(stay)),
    `${stay.landTitle}, ${stay.pitchLabel}`,
    stay.heads,
    shown(totalOf(stay), stay.cur),
  ])
  const links = bookedStates.map((one) => html`<a href="${root}/host/stays?st=${one}">${one}</a> `)
  return pageOf(
    request,
    'Stays',
    html`<p>${links}</p>
      ${table(['Nights', 'Camper', 'Pitch', 'People', 'Paid'], rows)}`,
  )
}

function stay(request: SignedIn): Reply {
  const { query, viewer } = request
  const own = ownStay(request)
  const path = `/host/asks/S${own.serial}`
  const body = html`${query.has('told') && html`<p class="card" role="status">The camper was told.</p>`}
    <p>${own.state}: ${dotted(own.come)} to ${dotted(own.leave)}, ${own.heads} people</p>
    <p dir="auto">${own.landTitle}, ${own.pitchLabel}</p>
    <p>${shown(own.nightly, own.cur)} a night, ${shown(totalOf(own), own.cur)} in all</p>
    <p class="card text" dir="auto">${own.hello}</p>
    ${
      own.state === 'ASKED' && [
        form(viewer, `${path}/yes`, 'Say yes', words(false)),
        form(viewer, `${path}/no`, 'Say no', words(false)),
      ]
    }`
  return pageOf(request, camper(own), body)
}

function answer(request: SignedIn, settle: (request: SignedIn, fields: Record<string, string>) => Stay): Reply {
  const { serial } = settle(request, formFields(request.form, 'words'))
  return seeOther(`${root}/host/stays/S${serial}?told=1`)
}

function paydays(request: SignedIn): Reply {
  const rows = listPaydays(request, todayHere(request) - 90).map(({ on, state, net, cur, stays: paid }) => [
    dotted(on),
    state,
    shown(net, cur),
    paid.map((part) => [stayLink(part.stay, camper(part.stay)), ' ']),
  ])
  return pageOf(request, 'Paydays', table(['Day', 'State', 'Money', 'For'], rows))
}

export const stayPages: readonly Route[] = [
  open('GET /', front),
  show('GET /host/home', home),
  show('GET /host/stays', stays),
  show('GET /host/stays/{stay}', stay),
  submit('POST /host/asks/{stay}/yes', (request) => answer(request, sayYes)),
  submit('POST /host/asks/{stay}/no', (request) => answer(request, sayNo)),
  show('GET /host/paydays', paydays),
]
