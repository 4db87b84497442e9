import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listBills, makeBill } from './bills.ts'
import { addClient, clientFields, listClients, ownClient } from './clients.ts'
import { ownFirm } from './firm.ts'
import { jsonFields } from './input.ts'
import { listMails } from './mails.ts'
import { decimal } from './numbers.ts'
import { addHours, addLine, hoursFields, lineFields } from './order-writes.ts'
import { listJobs, listLeads, ownOrder } from './orders.ts'
import { listReply, onlyParams } from './paging.ts'
import { billOut, billRow, clientOut, clientRow, hoursOut, jobRow, leadRow, lineOut, mailOut } from './wire.ts'
import { orderOut, setupOut } from './wire.ts'

const done = (Data: object, status = 200): Reply => json({ Ok: true, Data }, status)

function clients(request: SignedIn): Reply {
  onlyParams(request, 'Find', 'Page', 'Size', 'Stamp')
  return listReply(request, (slice) => listClients(request, slice), clientRow)
}

function client(request: SignedIn): Reply {
  onlyParams(request)
  return done(clientOut(request, ownClient(request, request.params['client'] ?? '')))
}

function newClient(request: SignedIn): Reply {
  return done(clientOut(request, addClient(request, jsonFields(request.json, clientFields))), 201)
}

function jobs(request: SignedIn): Reply {
  onlyParams(request, 'State', 'Span', 'Crew', 'Page', 'Size', 'Stamp')
  return listReply(
    request,
    (slice) => listJobs(request, slice),
    (order, at) => jobRow(request, order, at),
  )
}

function leads(request: SignedIn): Reply {
  onlyParams(request, 'Stage', 'Page', 'Size', 'Stamp')
  const firm = ownFirm(request)
  return listReply(
    request,
    (slice) => listLeads(request, slice),
    (order) => leadRow(order, firm),
  )
}

function order(request: SignedIn): Reply {
  onlyParams(request)
  return done(orderOut(request, ownOrder(request)))
}

function newLine(request: SignedIn): Reply {
  const { line, total } = addLine(request, jsonFields(request.json, lineFields))
  return done({ OrderNo: ownOrder(request).id, Line: lineOut(line), Sum: decimal(total) }, 201)
}

function newHours(request: SignedIn): Reply {
  const entry = addHours(request, jsonFields(request.json, hoursFields))
  return done({ OrderNo: ownOrder(request).id, Entry: hoursOut(entry) }, 201)
}

function newBill(request: SignedIn): Reply {
  jsonFields(request.json, [])
  return done({ Bill: billOut(request, makeBill(request), ownFirm(request)) }, 201)
}

function bills(request: SignedIn): Reply {
  onlyParams(request, 'Pile', 'Page', 'Size', 'Stamp')
  const firm = ownFirm(request)
  return listReply(
    request,
    (slice) => listBills(request, slice),
    (bill) => billRow(bill, firm),
  )
}

function mails(request: SignedIn): Reply {
  onlyParams(request, 'OrderNo', 'Page', 'Size', 'Stamp')
  const firm = ownFirm(request)
  return listReply(
    request,
    (slice) => listMails(request, slice),
    (mail) => mailOut(mail, firm),
  )
}

export const ajaxRoutes: readonly Route[] = [
  free('GET /app/ajax/setup', (request) => done(setupOut(request))),
  data('GET /app/ajax/clients', clients),
  data('POST /app/ajax/clients', newClient),
  data('GET /app/ajax/clients/{client}', client),
  data('GET /app/ajax/jobs', jobs),
  data('GET /app/ajax/leads', leads),
  data('GET /app/ajax/orders/{order}', order),
  data('POST /app/ajax/orders/{order}/lines', newLine),
  data('POST /app/ajax/orders/{order}/hours', newHours),
  data('POST /app/ajax/orders/{order}/bill', newBill),
  data('GET /app/ajax/bills', bills),
  data('GET /app/ajax/mails', mails),
]
