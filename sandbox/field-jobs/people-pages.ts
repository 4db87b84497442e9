import { html } from '../platform/html.ts'
import { show } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listCustomers } from './customers.ts'
import { listLeads } from './leads.ts'
import { listMessages } from './messages.ts'
import { amount, link, listPage, time } from './page-helpers.ts'

const leads = (request: SignedIn): Reply =>
  listPage(
    request,
    { title: 'Leads', path: '/desk/leads', heads: ['Came in', 'Who', 'Mobile', 'Stage', 'Origin', 'Handler'] },
    listLeads(request),
    (l) => [time(request, l.came_in_at), l.caller, l.mobile, l.stage, l.origin, l.handler?.full_name],
  )

const customers = (request: SignedIn): Reply =>
  listPage(
    request,
    {
      title: 'Customers',
      path: '/desk/customers',
      heads: ['Name', 'Mobile', 'E-mail', 'Site', 'Visits', 'Owing', ''],
      above: html`<form><input name="q" value="${request.query.get('q')}" dir="auto" /> <button>Find</button></form>`,
    },
    listCustomers(request),
    (c) => [
      c.full_name,
      c.mobile,
      c.mail,
      c.site,
      c.visits,
      amount(request, c.owing_minor),
      [
        link(`/desk/jobs/new?customer=${c.uuid}`, 'Job'),
        ' ',
        link(`/desk/estimates/new?customer=${c.uuid}`, 'Estimate'),
      ],
    ],
  )

const sent = (request: SignedIn): Reply =>
  listPage(
    request,
    { title: 'Sent', path: '/desk/sent', heads: ['When', 'By', 'To', 'Words'] },
    listMessages(request),
    (m) => [time(request, m.sent_at), m.via, m.to, m.words],
  )

export const peoplePages: readonly Route[] = [
  show('GET /desk/leads', leads),
  show('GET /desk/customers', customers),
  show('GET /desk/sent', sent),
]
