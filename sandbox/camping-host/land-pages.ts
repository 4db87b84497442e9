import { html, type Html, type Part } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { isoDay, readIsoDay } from './clock.ts'
import { todayHere } from './host.ts'
import { checkSpan, formFields, invalid, queryDay, type Fields } from './input.ts'
import { listLands, ownLand, pitchesOf, type Land, type Pitch } from './lands.ts'
import { dotted, form, pageOf, root } from './look.ts'
import { expOf, shown } from './money.ts'
import { changeNights, longest, nightsOf, priceNights } from './nights.ts'

function lands(request: SignedIn): Reply {
  const rows = listLands(request).map((land) => [
    html`<a href="${root}/host/lands/L${land.serial}">${land.title}</a>`,
    land.state,
    pitchesOf(request.db, land).length,
    land.cur,
  ])
  return pageOf(request, 'Lands', table(['Land', 'State', 'Pitches', 'Money'], rows))
}

const spanFields = (pitches: readonly Pitch[], today: number): Html =>
  html`<label
      >Pitch
      <select name="pitch">
        <option value="">All</option>
        ${pitches.map(({ serial, label }) => html`<option value="P${serial}">${label}</option>`)}
      </select></label
    ><label>First night <input type="date" name="first" value="${isoDay(today)}" required /></label>
    <label>Last night <input type="date" name="last" value="${isoDay(today)}" required /></label>`

function land(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const own = ownLand(request)
  const today = todayHere(request)
  const first = queryDay(query, 'first') ?? today
  const span = { first, last: first + 27 }
  const pitches = pitchesOf(db, own)
  const calendars = pitches.map((pitch) => nightsOf(db, pitch, span))
  const cell = (index: number): Part[] =>
    calendars.map((nights) => {
      const night = nights[index]
      return (
        night && html`<span class="${night.st}">${night.st} ${shown(night.price, '')}${night.own ? '*' : ''}</span>`
      )
    })
  const rows = Array.from({ length: 28 }, (_, index) => [dotted(first + index), ...cell(index)])
  const id = `L${own.serial}`
  const path = `/host/lands/${id}`
  const fields = spanFields(pitches, today)
  const body = html`${query.has('done') && html`<p class="card" role="status">${query.get('done')}: ${query.get('nights')} nights.</p>`}
    <p>${own.state}, ${own.cur}. <a href="${root}${path}?first=${first + 28}">Later</a></p>
    ${table(['Night', ...pitches.map(({ label }) => label)], rows)} ${form(viewer, `${path}/shut`, 'Shut', fields)}
    ${form(viewer, `${path}/open`, 'Open', fields)}
    ${form(viewer, `${path}/prices`, 'Set price', [fields, html`<label>Price, ${own.cur} (empty: the usual one) <input name="price" inputmode="decimal" /></label>`])}`
  return pageOf(request, own.title, body)
}

function dayField(fields: Readonly<Record<string, string>>, name: string): number | undefined {
  const text = fields[name]
  if (text === undefined) return undefined
  const day = readIsoDay(text)
  if (day === undefined) throw invalid('DAY_INVALID', `${name} must be a day such as 2026-12-31.`, name)
  return day
}

/** What JSON would say of the nights that a page's form names. */
function spanOf(fields: Readonly<Record<string, string>>): Fields {
  const { pitch } = fields
  return { ...(pitch !== undefined && { pitch }), first: dayField(fields, 'first'), last: dayField(fields, 'last') }
}

const back = ({ serial }: Land, done: string, nights: number): Reply =>
  seeOther(`${root}/host/lands/L${serial}?done=${done}&nights=${nights}`)

function submitNights(request: SignedIn, shut: boolean): Reply {
  const own = ownLand(request)
  const fields = spanOf(formFields(request.form, 'pitch', 'first', 'last'))
  return back(own, shut ? 'shut' : 'open', changeNights(request, own, fields, shut).nights)
}

function readPrice(text: string | undefined, cur: string): number | null {
  if (text === undefined) return null
  if (!/^\d{1,7}(\.\d{1,3})?$/.test(text)) throw invalid('NUMBER_INVALID', 'price is written like 12.50.', 'price')
  return Math.round(Number(text) * 10 ** expOf(cur))
}

function submitPrices(request: SignedIn): Reply {
  const own = ownLand(request)
  const given = formFields(request.form, 'pitch', 'first', 'last', 'price')
  const first = dayField(given, 'first') ?? todayHere(request)
  const { last } = checkSpan({ first, last: dayField(given, 'last') ?? first })
  const days = Array.from({ length: Math.min(last - first, longest) + 1 }, (_, index) => first + index)
  const fields = { ...(given['pitch'] && { pitch: given['pitch'] }), days, price: readPrice(given['price'], own.cur) }
  return back(own, 'prices', priceNights(request, own, fields).nights)
}

export const landPages: readonly Route[] = [
  show('GET /host/lands', lands),
  show('GET /host/lands/{land}', land),
  submit('POST /host/lands/{land}/shut', (request) => submitNights(request, true)),
  submit('POST /host/lands/{land}/open', (request) => submitNights(request, false)),
  submit('POST /host/lands/{land}/prices', submitPrices),
]
