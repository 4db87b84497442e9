import { html, type Html, type Part } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open, show, submit } from '../platform/routes.ts'
import { table, token } from '../platform/shell.ts'
import type { AppRequest, Reply, Route, SignedIn } from '../platform/types.ts'
import { vaccineName, vaccines } from './catalog.ts'
import { findClients, ownClient, petsOf, type Pet } from './clients.ts'
import { dayAndTime, shiftMonths, slashed } from './clock.ts'
import { formFields, queryDay } from './input.ts'
import { choice, field, layout, look, money, root } from './layout.ts'
import { listMessages } from './messages.ts'
import { addShot, listAlerts, noteDown, shotsOf } from './pets.ts'
import { accessTo, reports, runReport } from './reports.ts'
import { idOf, needPets, salonOf, type Salon } from './salon.ts'
import { ticketsAhead } from './tickets.ts'
import { listWaits } from './waitlist.ts'

const whole = (salon: Salon, lim = 500): Salon & { off: number; lim: number; asOf: string } => ({
  ...salon,
  off: 0,
  lim,
  asOf: '',
})
const ticketLink = (serial: number, words: string): Html =>
  html`<a href="${root}/cloud/tkt/${idOf('ticket', serial)}">${words}</a> `
const clientLink = (serial: number, name: string): Html =>
  html`<a href="${root}/cloud/clients/${idOf('client', serial)}">${name}</a>`

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>The book of the grooming salon</h1>
    <p>Appointments, clients, pets and what they need: <a href="${root}/cloud/day">today in your salon</a>.</p>`
  return page(layout({ title: 'Welcome', body, viewer }))
}

function clients(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const salon = salonOf(request)
  const rows = findClients(db, salon, query.get('q') ?? '')
    .slice(0, 200)
    .map(({ serial, name, mob, mail }) => [clientLink(serial, name), mob, mail])
  const body = html`<h1>Clients</h1>
    <form>${field('q', 'Name, phone or e-mail', '', query.get('q') ?? '')} <button>Find</button></form>
    ${table(['Name', 'Mobile', 'E-mail'], rows)}`
  return page(layout({ title: 'Clients', body, viewer }))
}

function petCard({ db, viewer }: SignedIn, pet: Pet): Html {
  const path = `${root}/cloud/pets/${idOf('pet', pet.serial)}`
  const area = (name: string, label: string, text: string): Html =>
    html`<label>${label} <textarea name="${name}" maxlength="2000" dir="auto">${text}</textarea></label>`
  return html`<div class="card">
    <h2 dir="auto">${pet.name}, ${pet.breed} <span class="small">${idOf('pet', pet.serial)}</span></h2>
    ${table(
      ['Vaccine', 'Expires'],
      shotsOf(db, pet.serial).map(({ ttl, exp }) => [ttl, exp]),
    )}
    <form method="post" action="${path}/shots">
      ${token(look, viewer)}
      ${choice(
        'vx',
        'Vaccine',
        vaccines.map(({ vx, ttl }) => [vx, ttl] as const),
      )}
      ${field('exp', 'Expires', '31/12/2026')} <button>Add</button>
    </form>
    <form method="post" action="${path}/nts">
      ${token(look, viewer)} ${area('gen', 'General', pet.gen)} ${area('grm', 'Grooming', pet.grm)}
      ${area('prs', 'Personality', pet.prs)} ${area('med', 'Medical', pet.med)} <button>Save notes</button>
    </form>
  </div>`
}

function client(request: SignedIn): Reply {
  const { db, params, viewer } = request
  const salon = salonOf(request)
  const own = ownClient(db, salon, params['cl'] ?? '')
  const id = idOf('client', own.serial)
  const ahead = ticketsAhead(db, 'client', own.serial, salon)
  const body = html`<h1 dir="auto">${own.name} <span class="small">${id}</span></h1>
    <p>${own.mob} ${own.mail} ${money(own.bal, salon.cur)} <a href="${root}/cloud/book?cl=${id}">Book</a></p>
    <p class="text" dir="auto">${own.nts}</p>
    <p>${ahead.map(({ serial, begins }) => ticketLink(serial, begins))}</p>
    ${petsOf(db, salon.account, own.serial).map((pet) => petCard(request, pet))}`
  return page(layout({ title: own.name, body, viewer }))
}

function waits(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const salon = salonOf(request)
  const { rows } = listWaits(db, salon.account, { day: queryDay(query, 'd') }, whole(salon))
  const cells = rows.map((w): Part[] => [
    html`<a href="${root}/cloud/book?wl=${idOf('wait', w.serial)}">${idOf('wait', w.serial)}</a>`,
    clientLink(w.client, w.clientName),
    w.petName,
    w.svcs.map(({ ttl }) => ttl).join(', '),
    w.empName ?? 'First Available',
    w.pref.map(({ d, part }) => `${slashed(d)} ${part}`).join(', '),
    w.nts,
  ])
  const body = html`<h1>Waiting list</h1>
    <form>${field('d', 'Who prefers', '31/12/2026')} <button>Find</button></form>
    ${table(['', 'Client', 'Pet', 'Services', 'With', 'When', 'Comment'], cells)}`
  return page(layout({ title: 'Waiting list', body, viewer }))
}

function alerts(request: SignedIn): Reply {
  const { db, viewer } = request
  const salon = salonOf(request)
  needPets(salon)
  const wish = { before: shiftMonths(salon.today, 4), coming: false }
  const cells = listAlerts(db, salon, wish, whole(salon)).rows.map((alert) => [
    alert.petName,
    clientLink(alert.client, alert.clientName),
    vaccineName(alert.vx),
    slashed(alert.expires),
    alert.next && ticketLink(alert.next.serial, dayAndTime(alert.next.begins).d),
  ])
  const body = html`<h1>Vaccinations that expire</h1>
    ${table(['Pet', 'Client', 'Vaccine', 'Expires', 'Comes'], cells)}`
  return page(layout({ title: 'Vaccinations', body, viewer }))
}

function reportList(request: SignedIn): Reply {
  const salon = salonOf(request)
  const allowed = reports.filter((one) => accessTo(one, salon) !== 'NONE')
  const forms = allowed.map(
    ({ nm, ctg, range }) =>
      html`<form class="card" action="${root}/cloud/rpts/run">
        <b>${nm}</b> <span class="small">${ctg}</span> <input type="hidden" name="nm" value="${nm}" />
        ${range && [field('f', 'From', '', slashed(salon.today)), field('t', 'To', '', slashed(salon.today))]}
        <button>Run</button>
      </form>`,
  )
  return page(
    layout({
      title: 'Reports',
      body: html`<h1>Reports</h1>
        ${forms}`,
      viewer: request.viewer,
    }),
  )
}

function reportPage(request: SignedIn): Reply {
  const { salon, report, hid, rows } = runReport(request)
  const cells = rows.map((row) =>
    row.map((value, index) =>
      typeof value === 'number' && report.cols[index]?.kind === 'pence' ? money(value, salon.cur) : value,
    ),
  )
  const titles = report.cols.map(({ ttl }) => ttl)
  const body = html`<h1>${report.nm}</h1>
    ${hid && html`<p class="problem">Your role sees no rows of this report.</p>`} ${table(titles, cells)}`
  return page(layout({ title: report.nm, body, viewer: request.viewer }))
}

function messages(request: SignedIn): Reply {
  const cells = listMessages(request.db, salonOf(request)).map(({ ticket, way, recipient, words, at }) => [
    at,
    `${way} ${recipient}`,
    words,
    ticketLink(ticket, idOf('ticket', ticket)),
  ])
  const body = html`<h1>Messages to clients</h1>
    ${table(['When', 'To', 'Words', ''], cells)}`
  return page(layout({ title: 'Messages', body, viewer: request.viewer }))
}

function submitNotes(request: SignedIn): Reply {
  const pet = noteDown(request, formFields(request.form, 'gen', 'grm', 'prs', 'med'))
  return seeOther(`${root}/cloud/clients/${idOf('client', pet.client)}?done=noted`)
}

function submitShot(request: SignedIn): Reply {
  const shot = addShot(request, formFields(request.form, 'vx', 'exp'))
  return seeOther(`${root}/cloud/vaxalerts?done=recorded&shot=${idOf('shot', shot.serial)}`)
}

export const deskPages: readonly Route[] = [
  open('GET /', home),
  show('GET /cloud/clients', clients),
  show('GET /cloud/clients/{cl}', client),
  submit('POST /cloud/pets/{pet}/nts', submitNotes),
  submit('POST /cloud/pets/{pet}/shots', submitShot),
  show('GET /cloud/waits', waits),
  show('GET /cloud/vaxalerts', alerts),
  show('GET /cloud/rpts', reportList),
  show('GET /cloud/rpts/run', reportPage),
  show('GET /cloud/msgs', messages),
]
