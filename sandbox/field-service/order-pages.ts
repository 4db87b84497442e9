import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { dayIn, dayText, timeText } from './clock.ts'
import { crewOf, ownFirm } from './firm.ts'
import { formFields } from './input.ts'
import { layout, root } from './layout.ts'
import { decimal } from './numbers.ts'
import { addHours, addLine, addOrder, addVisit, mailQuote } from './order-writes.ts'
import { hoursFields, lineFields, mailFields, orderFields, visitFields } from './order-writes.ts'
import {
  hoursOf,
  linesOf,
  listJobs,
  listLeads,
  namesOn,
  ownOrder,
  stages,
  states,
  totalOf,
  visitsOf,
} from './orders.ts'
import type { Order } from './orders.ts'
import { billForms } from './bill-pages.ts'
import { area, filters, input, nextLink, select, writeForm } from './page-parts.ts'
import { readSlice } from './paging.ts'

const orderPath = (id: number): string => `/app/orders/${id}`
const link = ({ id }: Order): Html => html`<a href="${root}${orderPath(id)}">${id}</a>`

function jobs(request: SignedIn): Reply {
  const { db, viewer } = request
  const slice = readSlice(request)
  const { rows, found } = listJobs(request, slice)
  const lines = rows.map((order) => [
    link(order),
    order.service,
    order.clientTitle,
    order.kind === 'Job' && order.state,
    order.slated !== undefined && dayText(order.slated),
    namesOn(db, order.id, slice.at.tick).join(', '),
  ])
  const body = html`<h1>Jobs</h1>
    ${filters('State', states)}${filters('Span', ['Today', 'Tomorrow', 'ThisWeek', 'NextWeek', 'ThisMonth'])}
    ${table(['Number', 'Service', 'Client', 'State', 'Slated', 'Crew'], lines)} ${nextLink(request, slice, found)}`
  return page(layout({ title: 'Jobs', body, viewer }))
}

function leads(request: SignedIn): Reply {
  const { viewer } = request
  const slice = readSlice(request)
  const { rows, found } = listLeads(request, slice)
  const lines = rows.map((order) => [
    link(order),
    order.service,
    order.clientTitle,
    order.kind === 'Lead' && order.stage,
    order.quoted && 'mailed',
  ])
  const body = html`<h1>Leads</h1>
    ${filters('Stage', stages)} ${table(['Number', 'Service', 'Client', 'Stage', 'Estimate'], lines)}
    ${nextLink(request, slice, found)}`
  return page(layout({ title: 'Leads', body, viewer }))
}

function jobForms(request: SignedIn, { id }: Order, today: string): Html {
  const crew = crewOf(request.db, request.viewer.account.account)
  const people = crew.filter(({ active }) => active).map(({ id, name }) => [id, name] as const)
  const visit = html`${input('Topic', 'What')}${input('From', 'From', `${today} 09:00`)}
  ${input('Till', 'Till', `${today} 10:00`)}${select('Crew', 'Who', [['', 'nobody yet'], ...people])}
  ${input('Remark', 'Remark')}`
  const hours = html`${select('Crew', 'Who', people)}${input('Day', 'Day', today)}${input('Time', 'Hours', '1,00')}
  ${input('Remark', 'Remark')}`
  return html`${writeForm(request, `${orderPath(id)}/visits`, 'Visit', visit)}
  ${writeForm(request, `${orderPath(id)}/hours`, 'Hours', hours)} ${billForms(request, id)}`
}

function detail(request: SignedIn): Reply {
  const { db, viewer, now } = request
  const { zone, currency } = ownFirm(request)
  const order = ownOrder(request)
  const lines = linesOf(db, order.id)
  const rows = lines.map(({ label, qty, each, sum }) => [label, decimal(qty), decimal(each), decimal(sum)])
  const visits = visitsOf(db, order.id).map(({ topic, starts, ends, crew }) => [
    topic,
    `${timeText(starts, zone)} – ${timeText(ends, zone)}`,
    crew?.name,
  ])
  const hours = hoursOf(db, order.id).map(({ crew, day, time }) => [crew.name, dayText(day), decimal(time)])
  const line = html`${input('Label', 'For')}${input('Qty', 'Quantity', '1,00')}${input('Each', 'Each')}`
  const body = html`<h1 dir="auto">${order.service}, ${order.clientTitle}</h1>
    <p>
      ${order.kind} ${order.id}: <b>${order.kind === 'Job' ? order.state : order.stage}</b>${
        order.quoted && ', estimate mailed'
      }
      · total ${decimal(totalOf(lines))} ${currency}
    </p>
    <p class="text" dir="auto">${order.scope}</p>
    <p class="text small" dir="auto">${order.internal}</p>
    ${table(['For', 'Quantity', 'Each', 'Sum'], rows)} ${table(['Visit', 'When', 'Who'], visits)}
    ${table(['Hours of', 'Day', 'Hours'], hours)}
    <div class="row">
      ${writeForm(request, `${orderPath(order.id)}/lines`, 'Charge', line)}
      ${
        order.kind === 'Job'
          ? jobForms(request, order, dayText(dayIn(now, zone)))
          : writeForm(request, `${orderPath(order.id)}/quote`, 'Mail the estimate', area('Message', 'Message'))
      }
    </div>`
  return page(layout({ title: `${order.kind} ${order.id}`, body, viewer }))
}

function submitOrder(request: SignedIn): Reply {
  const { id, kind } = addOrder(request, formFields(request.form, orderFields))
  return seeOther(`${root}${orderPath(id)}?made=${kind.toLowerCase()}`)
}

function submitLine(request: SignedIn): Reply {
  const { line } = addLine(request, formFields(request.form, lineFields))
  return seeOther(`${root}${orderPath(ownOrder(request).id)}?line=${line.id}`)
}

function submitVisit(request: SignedIn): Reply {
  const { order, id } = addVisit(request, formFields(request.form, visitFields))
  return seeOther(`${root}${orderPath(order)}?visit=${id}`)
}

function submitHours(request: SignedIn): Reply {
  const { id } = addHours(request, formFields(request.form, hoursFields))
  return seeOther(`${root}${orderPath(ownOrder(request).id)}?hours=${id}`)
}

function submitQuote(request: SignedIn): Reply {
  const { order, mail } = mailQuote(request, formFields(request.form, mailFields))
  return seeOther(`${root}${orderPath(order)}?mail=${mail}`)
}

export const orderPages: readonly Route[] = [
  show('GET /app/jobs', jobs),
  show('GET /app/leads', leads),
  submit('POST /app/orders', submitOrder),
  show('GET /app/orders/{order}', detail),
  submit('POST /app/orders/{order}/lines', submitLine),
  submit('POST /app/orders/{order}/visits', submitVisit),
  submit('POST /app/orders/{order}/hours', submitHours),
  submit('POST /app/orders/{order}/quote', submitQuote),
]
