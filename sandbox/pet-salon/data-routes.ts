import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import { Refusal, type Reply, type Route, type SignedIn } from '../platform/types.ts'
import { categoriesOf, knownEmployee, listServices, listStaff, vaccines } from './catalog.ts'
import { findClients, ownClient } from './clients.ts'
import { daysBetween, hourText } from './clock.ts'
import { jsonFields, known, listed, paging, queryDay, queryFlag, readSlice } from './input.ts'
import { ways } from './messages.ts'
import { addShot, listAlerts, noteDown } from './pets.ts'
import { accessTo, reports, runReport } from './reports.ts'
import { closes, needPets, opens, rightsOf, salonOf } from './salon.ts'
import { listTickets, ownTicket, states } from './tickets.ts'
import { listWaits } from './waitlist.ts'
import { alertOut, clientFull, clientRow, employeeOut, petOut, serviceOut, shotOut, ticketFull } from './wire.ts'
import { ticketRow, waitOut } from './wire.ts'

function who(request: SignedIn): Reply {
  const salon = salonOf(request)
  const { account, label, person, edition, role, zone, cur } = salon
  const shop = { shop_no: account, shop: label, ed: edition, tz: zone, cur }
  return json({ chk: request.viewer.csrf, ...shop, usr: person, role, rights: rightsOf(salon) })
}

function setup(request: SignedIn): Reply {
  const { db } = request
  const salon = salonOf(request)
  const named = (names: Readonly<Record<string, string>>): unknown[] =>
    Object.entries(names).map(([c, ttl]) => ({ c, ttl }))
  return json({
    hrs: { t: hourText(opens), t_end: hourText(closes) },
    sts: named(states),
    cnfs: named(ways),
    ctgs: categoriesOf(listServices(db, salon.account)),
    vaxs: salon.edition === 'PET' ? vaccines : [],
    rpts: reports
      .filter(({ ctg }) => ctg !== 'Pets' || salon.edition === 'PET')
      .map((report) => ({
        nm: report.nm,
        ctg: report.ctg,
        range: report.range,
        emp: report.emp,
        acc: accessTo(report, salon),
      })),
  })
}

function tickets(request: SignedIn): Reply {
  const { db, query } = request
  const salon = salonOf(request)
  known(query, 'f', 't', 'emp', ...paging)
  const from = queryDay(query, 'f')
  if (from === undefined) throw new Refusal(400, 'PARAM_REQUIRED', 'f, the first day, is required.', 'f')
  const to = queryDay(query, 't') ?? from
  if (to < from) throw new Refusal(400, 'SPAN_BACKWARDS', 't must not be before f.', 't')
  if (daysBetween(from, to) > 365) throw new Refusal(422, 'SPAN_TOO_LONG', '366 days at most.', 't')
  const id = query.get('emp')
  const emp = id === null ? undefined : knownEmployee(db, salon, id).serial
  const slice = readSlice(request, salon, 1000)
  const { tot, rows } = listTickets(db, salon, { from, to, emp }, slice)
  return listed(salon, slice, tot, rows.map(ticketRow))
}

function ticket(request: SignedIn): Reply {
  known(request.query)
  const salon = salonOf(request)
  return json(ticketFull(request.db, salon, ownTicket(request, salon)))
}

function clients(request: SignedIn): Reply {
  const { db, query } = request
  const salon = salonOf(request)
  known(query, 'q', ...paging)
  const words = query.get('q') ?? ''
  if (Array.from(words).length > 200) throw new Refusal(400, 'PARAM_INVALID', 'q: 200 characters at most.', 'q')
  const slice = readSlice(request, salon, 100)
  const found = findClients(db, salon, words)
  const rows = found.slice(slice.off, slice.off + slice.lim).map((client) => clientRow(db, salon, client))
  return listed(salon, slice, found.length, rows)
}

function client(request: SignedIn): Reply {
  known(request.query)
  const salon = salonOf(request)
  return json(clientFull(request.db, salon, ownClient(request.db, salon, request.params['cl'] ?? '')))
}

function alerts(request: SignedIn): Reply {
  const { db, query } = request
  const salon = salonOf(request)
  needPets(salon)
  known(query, 'before', 'coming', ...paging)
  const slice = readSlice(request, salon, 1000)
  const before = queryDay(query, 'before') ?? slice.now.slice(0, 10)
  const { tot, rows } = listAlerts(db, salon, { before, coming: queryFlag(query, 'coming') }, slice)
  return listed(salon, slice, tot, rows.map(alertOut))
}

function waits(request: SignedIn): Reply {
  const { db, query } = request
  const salon = salonOf(request)
  known(query, 'd', ...paging)
  const slice = readSlice(request, salon, 1000)
  const { tot, rows } = listWaits(db, salon.account, { day: queryDay(query, 'd') }, slice)
  return listed(salon, slice, tot, rows.map(waitOut))
}

function services(request: SignedIn): Reply {
  const { db, query } = request
  const { account, cur } = salonOf(request)
  known(query, 'ctg')
  const ctg = query.get('ctg')
  const found = listServices(db, account)
  if (ctg !== null && !categoriesOf(found).includes(ctg)) {
    throw new Refusal(404, 'CTG_NOT_FOUND', `Your price list has no category ${ctg}.`, 'ctg')
  }
  const rows = found.filter((service) => ctg === null || service.ctg === ctg)
  return json({ cur, tot: rows.length, rows: rows.map(serviceOut) })
}

function staff(request: SignedIn): Reply {
  const { account } = salonOf(request)
  known(request.query)
  const [rows, services] = [listStaff(request.db, account), listServices(request.db, account)]
  return json({ tot: rows.length, rows: rows.map((employee) => employeeOut(employee, services)) })
}

function report(request: SignedIn): Reply {
  const { salon, report, hid, rows } = runReport(request)
  return json({ nm: report.nm, ctg: report.ctg, cur: salon.cur, hid, cols: report.cols, rows })
}

export const dataRoutes: readonly Route[] = [
  free('GET /cloud/data/who', who),
  free('GET /cloud/data/setup', setup),
  data('GET /cloud/data/tkts', tickets),
  data('GET /cloud/data/tkts/{tkt}', ticket),
  data('GET /cloud/data/clients', clients),
  data('GET /cloud/data/clients/{cl}', client),
  data('GET /cloud/data/vaxalerts', alerts),
  data('GET /cloud/data/waits', waits),
  data('GET /cloud/data/svcs', services),
  data('GET /cloud/data/emps', staff),
  data('GET /cloud/data/rpt', report),
  data('PATCH /cloud/data/pets/{pet}/nts', (request) =>
    json(petOut(request.db, noteDown(request, jsonFields(request.json, 'gen', 'grm', 'prs', 'med')))),
  ),
  data('POST /cloud/data/pets/{pet}/shots', (request) =>
    json(shotOut(addShot(request, jsonFields(request.json, 'vx', 'exp'))), 201),
  ),
]
