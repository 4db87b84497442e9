import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { dayIn, panelDay, shiftDay } from './clock.ts'
import { formFields } from './input.ts'
import { field, layout, look, root } from './layout.ts'
import { amount } from './money.ts'
import { ownProvider } from './provider.ts'
import { changeSales, setPlaces, slotsOf, type Slot } from './slots.ts'
import { listTours, ownTour, tourId } from './tours.ts'

function tours(request: SignedIn): Reply {
  const { db, viewer } = request
  const { cur } = ownProvider(request)
  const rows = listTours(db, viewer.account.account).map(({ serial, title, town, zone, state, price, key }) => {
    const { value } = amount(price, cur)
    return [
      html`<a href="${root}/desk/tours/${tourId(serial)}">${title}</a>`,
      town,
      zone,
      state,
      `${value} ${cur}`,
      state === 'LIVE' && html`<a href="${root}/shop/${key}">shop</a>`,
    ]
  })
  const body = html`<h1>Tours</h1>
    ${table(['Tour', 'Town', 'Zone', 'State', 'Price', ''], rows)}`
  return page(layout({ title: 'Tours', body, viewer }))
}

const done: Record<string, string> = {
  shut: 'departures are shut now.',
  reopen: 'departures are on sale again.',
  places: 'departures have the new number of places.',
}

/** What a form has done stands in the address that it led to. */
function told(query: URLSearchParams): Html | undefined {
  const what = done[query.get('done') ?? '']
  if (what === undefined) return undefined
  const bookings = query.getAll('bk')
  return html`<p class="card" role="status">
    ${query.get('slots')} ${what} ${query.get('booked') ?? 0} bookings on them
    stay.${bookings.map((id) => html` <a href="${root}/desk/bookings/${id}">${id}</a>`)}
  </p>`
}

function form(request: SignedIn, action: string, label: string, today: string, hours: string[], more?: Html): Html {
  return html`<form class="card" method="post" action="${root}/desk/tours/${request.params['act']}/${action}">
    ${token(look, request.viewer)} ${field('fromDay', 'First day', '31-12-2026', panelDay(today))}
    ${field('toDay', 'Last day', '31-12-2026', panelDay(today))}
    ${hours.map((hour) => html`<label><input type="checkbox" name="hours" value="${hour}" /> ${hour}</label>`)}
    <p class="small">None ticked: all departures.</p>
    ${more} <button>${label}</button>
  </form>`
}

const slotRow = ({ day, hour, places, sold, shut }: Slot): (Html | string | number)[] => [
  panelDay(day),
  hour,
  `${sold} of ${places}`,
  shut ? html`<span class="shut">shut</span>` : 'on sale',
]

function tour(request: SignedIn): Reply {
  const { db, query, viewer, now } = request
  const own = ownTour(request)
  const today = dayIn(own.zone, now)
  const slots = slotsOf(db, own.serial, { from: today, to: shiftDay(today, 60) })
  const hours = [...new Set(slots.map(({ hour }) => hour))]
  const places = html`<label>Places <input type="number" name="places" min="0" max="500" required /></label>`
  const body = html`<h1 dir="auto">${own.title}</h1>
    <p>${own.town}, ${own.zone}, ${own.state}</p>
    ${told(query)} ${form(request, 'shut', 'Shut sales', today, hours)}
    ${form(request, 'reopen', 'Reopen sales', today, hours)}
    ${form(request, 'places', 'Limit places', today, hours, places)}
    ${table(['Day', 'Departure', 'Sold', 'Sales'], slots.map(slotRow))}`
  return page(layout({ title: own.title, body, viewer }))
}

const range = ['fromDay', 'toDay', 'hours'] as const

function changed(request: SignedIn, shut: boolean): Reply {
  const own = ownTour(request)
  const { slots, booked } = changeSales(request, own, formFields(request.form, ...range), shut)
  const after = new URLSearchParams({
    done: shut ? 'shut' : 'reopen',
    slots: String(slots),
    booked: String(booked.length),
  })
  for (const id of booked.slice(0, 100)) after.append('bk', id)
  return seeOther(`${root}/desk/tours/${tourId(own.serial)}?${after.toString()}`)
}

function submitPlaces(request: SignedIn): Reply {
  const own = ownTour(request)
  const fields = formFields(request.form, ...range, 'places')
  const { slots } = setPlaces(request, own, { ...fields, places: Number(fields['places']) })
  return seeOther(`${root}/desk/tours/${tourId(own.serial)}?done=places&slots=${slots}`)
}

export const deskPages: readonly Route[] = [
  show('GET /desk/tours', tours),
  show('GET /desk/tours/{act}', tour),
  submit('POST /desk/tours/{act}/shut', (request) => changed(request, true)),
  submit('POST /desk/tours/{act}/reopen', (request) => changed(request, false)),
  submit('POST /desk/tours/{act}/places', submitPlaces),
]
