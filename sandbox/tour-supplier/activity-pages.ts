import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listActivities, ownVariant, variantsOf } from './activities.ts'
import { addDays, colon, dashed, dayIn } from './clock.ts'
import { idOf, type Departure, type Variant } from './entities.ts'
import { readDay } from './input.ts'
import { layout, priceText, root, secret } from './layout.ts'
import { readSeatFields, seatsOf, setSeats } from './seats.ts'
import { may, need, ownSupplier } from './supplier.ts'
import { pricesOn, setTariff, tariffSteps } from './tariffs.ts'

const pathOf = ({ serial }: Variant): string => `${root}/extranet/variants/${idOf('variants', serial)}`

function activities(request: SignedIn): Reply {
  const { db, viewer, now } = request
  const supplier = ownSupplier(request)
  const rows = listActivities(db, viewer.account.account, 'ANY').flatMap((activity) =>
    variantsOf(db, activity).map((variant) => {
      const { adults, children } = pricesOn(db, variant.serial, dayIn(activity.zone, now))
      return [
        html`<a href="${root}/tours/${idOf('activities', activity.serial)}">${activity.headline}</a>`,
        activity.stage,
        html`<a href="${pathOf(variant)}">${variant.label || idOf('variants', variant.serial)}</a>`,
        `${priceText(adults, supplier)}, children ${priceText(children, supplier)}`,
      ]
    }),
  )
  const body = html`<h1>Activities</h1>
    ${table(['Activity', 'Stage', 'Variant', 'Price today'], rows)}`
  return page(layout({ title: 'Activities', body, viewer }))
}

const departureText = ({ start, free, taken, gate }: Departure): string =>
  `${colon(start)}: ${gate === 'SHUT' ? 'shut' : `${free} free`}, ${taken} taken`

const seatsForm = (request: SignedIn, variant: Variant, day: string): Html =>
  html`<form class="card" method="post" action="${pathOf(variant)}/seats">
    ${secret(request.viewer)}<label>Day <input name="day" value="${day}" /></label>
    ${variant.starts.map((start) => html`<label>Free at ${colon(start)} <input name="free_${start}" /></label>`)}
    <button>Set seats</button> <span class="small">0 shuts the departure. Orders stay.</span>
  </form>`

const tariffForm = (request: SignedIn, variant: Variant): Html =>
  html`<form class="card" method="post" action="${pathOf(variant)}/tariff">
    ${secret(request.viewer)}<label>Adults (minor units) <input name="adults" inputmode="numeric" /></label>
    <label>Children (minor units) <input name="children" inputmode="numeric" /></label>
    <label>From this day on <input name="starting" placeholder="20261231" /></label><button>Set prices</button>
  </form>`

function variantPage(request: SignedIn): Reply {
  const { db, viewer, query, now } = request
  const variant = ownVariant(request)
  const supplier = ownSupplier(request)
  const day = readDay(query, 'day') ?? dayIn(variant.activity.zone, now)
  const calendar = seatsOf(db, variant, { first: day, last: addDays(day, 13) })
  const steps = tariffSteps(db, variant.serial)
  const body = html`<h1 dir="auto">${variant.activity.headline}</h1>
    <p dir="auto">${variant.label}</p>
    ${query.has('done') && html`<p class="card" role="status">Saved.</p>`}
    ${table(
      ['Day', 'Departures'],
      calendar.map((one) => [dashed(one.day), one.departures.map(departureText).join(' · ')]),
    )}
    ${may(request, 'seats') && seatsForm(request, variant, day)}
    ${table(
      ['Prices from', 'Adults', 'Children'],
      steps.map((s) => [dashed(s.starting), priceText(s.adults, supplier), priceText(s.children, supplier)]),
    )}
    ${may(request, 'tariff') && tariffForm(request, variant)}`
  return page(layout({ title: variant.activity.headline, body, viewer }))
}

function saveSeats(request: SignedIn): Reply {
  need(request, 'seats')
  const variant = ownVariant(request)
  const day = request.form.get('day') ?? ''
  setSeats(request, variant, day, readSeatFields(request.form))
  return seeOther(`${pathOf(variant)}?done=seats&day=${day}`)
}

function saveTariff(request: SignedIn): Reply {
  need(request, 'tariff')
  const variant = ownVariant(request)
  const { starting, adults, children } = setTariff(request, variant)
  const { cur, digits } = ownSupplier(request)
  const done = { done: 'tariff', starting, adults: `${adults}`, children: `${children}`, cur, digits: `${digits}` }
  return seeOther(`${pathOf(variant)}?${new URLSearchParams(done).toString()}`)
}

export const catalogueRoutes: readonly Route[] = [
  show('GET /extranet/activities', activities),
  show('GET /extranet/variants/{id}', variantPage),
  submit('POST /extranet/variants/{id}/seats', saveSeats),
  submit('POST /extranet/variants/{id}/tariff', saveTariff),
]
