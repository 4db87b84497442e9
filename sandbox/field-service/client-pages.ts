import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { addClient, lineOf, listClients, ownClient, peopleOf } from './clients.ts'
import { servicesOf } from './firm.ts'
import { formFields } from './input.ts'
import { layout, root } from './layout.ts'
import { ordersOf } from './orders.ts'
import { area, input, nextLink, select, writeForm } from './page-parts.ts'
import { readSlice } from './paging.ts'

function list(request: SignedIn): Reply {
  const { viewer, query } = request
  const slice = readSlice(request)
  const { rows, found } = listClients(request, slice)
  const lines = rows.map(({ id, title, mail, tel, site }) => [
    html`<a href="${root}/app/clients/${id}">${id}</a>`,
    title,
    mail,
    tel,
    lineOf(site),
  ])
  const fields = html`${input('Title', 'Name')}${input('Mail', 'E-mail')}${input('Tel', 'Telephone')}
  ${input('Street', 'Street')}${input('Postcode', 'Postcode')}${input('Town', 'Town')}`
  const body = html`<h1>Clients</h1>
    <form><input name="Find" value="${query.get('Find')}" aria-label="Find" dir="auto" /> <button>Find</button></form>
    ${table(['Number', 'Name', 'E-mail', 'Telephone', 'Address'], lines)} ${nextLink(request, slice, found)}
    ${writeForm(request, '/app/clients', 'New client', fields)}`
  return page(layout({ title: 'Clients', body, viewer }))
}

function submitClient(request: SignedIn): Reply {
  const { Title, Mail, Tel, ...Site } = formFields(request.form, ['Title', 'Mail', 'Tel', 'Street', 'Postcode', 'Town'])
  return seeOther(`${root}/app/clients/${addClient(request, { Title, Mail, Tel, Site }).id}?made=client`)
}

function detail(request: SignedIn): Reply {
  const { db, viewer } = request
  const client = ownClient(request, request.params['client'] ?? '')
  const people = peopleOf(db, client.id).map(({ name, mail, main }) => [name, mail, main ? 'main' : ''])
  const orders = ordersOf(request, client.id).map((order) => [
    html`<a href="${root}/app/orders/${order.id}">${order.id}</a>`,
    order.service,
    order.kind === 'Job' ? order.state : `Lead, ${order.stage}`,
  ])
  const services = servicesOf(db, viewer.account.account).map(({ id, name }) => [id, name] as const)
  const kinds = [
    ['Job', 'Job'],
    ['Lead', 'Lead'],
  ] as const
  const fields = html`<input type="hidden" name="ClientNo" value="${client.id}" />${select('Kind', 'Kind', kinds)}
    ${select('Service', 'Service', services)}${area('Internal', 'For the team')}${area('Scope', 'For the client')}`
  const body = html`<h1 dir="auto">${client.title}</h1>
    <p>${client.id}${client.company && ', company'} · ${client.mail} · ${client.tel}</p>
    <p dir="auto">Site: ${lineOf(client.site)}<br />Billing: ${lineOf(client.billing)}</p>
    <p class="text" dir="auto">${client.directions}</p>
    <p class="text" dir="auto">${client.memo}</p>
    ${table(['Person', 'E-mail', ''], people)} ${table(['Number', 'Service', 'State'], orders)}
    ${writeForm(request, '/app/orders', 'New order', fields)}`
  return page(layout({ title: client.title, body, viewer }))
}

export const clientPages: readonly Route[] = [
  show('GET /app/clients', list),
  submit('POST /app/clients', submitClient),
  show('GET /app/clients/{client}', detail),
]
