import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { book } from './booking.ts'
import { listServices, listStaff, serviceLabel } from './catalog.ts'
import { dayAndTime, hourText, minuteOf, shiftDay, slashed } from './clock.ts'
import { callForPickup, edit, step, steps, voidTicket } from './editing.ts'
import { queryDay } from './input.ts'
import { choice, field, layout, look, money, root } from './layout.ts'
import { listMessages } from './messages.ts'
import { idOf, salonOf } from './salon.ts'
import { listTickets, logOf, ownTicket, states, type ShownTicket } from './tickets.ts'

const ticketPath = (id: string): string => `${root}/cloud/tkt/${id}`

function day(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const salon = salonOf(request)
  const chosen = queryDay(query, 'd') ?? salon.today
  const span = { from: chosen, to: chosen, emp: undefined }
  const { rows } = listTickets(db, salon, span, { ...salon, off: 0, lim: 1000, asOf: '' })
  const other = (days: number, words: string): Html =>
    html`<a href="${root}/cloud/day?d=${slashed(shiftDay(chosen, days))}">${words}</a> `
  const cells = rows.map((t) => [
    html`<a href="${ticketPath(idOf('ticket', t.serial))}">${dayAndTime(t.begins).t}</a>`,
    t.petName ?? '',
    t.clientName,
    t.lines.map(({ ttl }) => ttl).join(', '),
    t.empName,
    html`<span class="${t.st}">${states[t.st]}</span>`,
  ])
  const body = html`<h1>${slashed(chosen)}</h1>
    <p>${other(-1, 'The day before')} ${other(1, 'The next day')} <span class="small">Times in ${salon.zone}</span></p>
    ${table(['Time', 'Pet', 'Client', 'Services', 'With', ''], cells)}`
  return page(layout({ title: 'Day', body, viewer }))
}

function forms(request: SignedIn, ticket: ShownTicket): Html {
  const { db, viewer } = request
  const path = ticketPath(idOf('ticket', ticket.serial))
  const staff = listStaff(db, viewer.account.account).filter(({ active }) => active)
  const names = staff.map(({ serial, name }) => [idOf('emp', serial), name] as const)
  const lines = ticket.lines.map(({ svc, ttl }) => [idOf('svc', svc), ttl] as const)
  return html`${steps[ticket.st].map(
      (to) =>
        html`<form class="inline" method="post" action="${path}/step">
          ${token(look, viewer)}<button name="to" value="${to}">${states[to]}</button>
        </form>`,
    )}
    <form class="inline" method="post" action="${path}/ready">${token(look, viewer)}<button>Text: ready</button></form>
    <form class="card" method="post" action="${path}/edit">
      <h2>Change</h2>
      ${token(look, viewer)} ${field('d', 'Day', '31/12/2026')} ${field('t', 'Time', '18:30')}
      ${field('mins', 'Minutes', String(ticket.mins))} ${choice('emp', 'With', [['', 'as it is'], ...names])}
      ${field('prc', 'Price in pence')} ${choice('svc', 'of', [['', '…'], ...lines])}
      <label>Notes <textarea name="nts" dir="auto">${ticket.nts}</textarea></label><button>Change and tell</button>
    </form>
    <form class="card" method="post" action="${path}/void">
      <h2>Void</h2>
      ${token(look, viewer)} ${field('why', 'Reason')}
      ${choice('cards', 'Card payments', [
        ['0', 'stay, as credit'],
        ['1', 'are voided too'],
      ])}
      <button>Void</button>
    </form>`
}

function ticket(request: SignedIn): Reply {
  const { db, viewer } = request
  const salon = salonOf(request)
  const own = ownTicket(request, salon)
  const { d, t } = dayAndTime(own.begins)
  const until = hourText(minuteOf(own.begins) + own.mins)
  const cash = (pence: number): string => money(pence, salon.cur)
  const body = html`<h1>${idOf('ticket', own.serial)}: <span class="${own.st}">${states[own.st]}</span></h1>
    <p>${d} ${t}–${until} with ${own.empName}</p>
    <p dir="auto"><a href="${root}/cloud/clients/${idOf('client', own.client)}">${own.clientName}</a> ${own.petName}</p>
    <p class="text" dir="auto">${own.nts}</p>
    ${own.why !== undefined && html`<p class="problem" dir="auto">${own.why}</p>`}
    ${table(
      ['', ''],
      [
        ...own.lines.map(({ ttl, pence }) => [ttl, cash(pence)]),
        ...own.prods.map(({ ttl, qty, pence }) => [`${qty} × ${ttl}`, cash(qty * pence)]),
        ['Deposit', cash(own.dep)],
        ...own.pays.map(({ how, pence, st }) => [`${how} ${st}`, cash(pence)]),
      ],
    )}
    ${forms(request, own)}
    <h2>Log</h2>
    ${table(
      ['When', 'Who', ''],
      logOf(db, own.serial).map(({ at, who, st }) => [at, who, st]),
    )}
    <h2>Messages</h2>
    ${listMessages(db, salon, own.serial).map(
      ({ at, recipient, words }) => html`<p class="card" dir="auto">${at} to ${recipient}: ${words}</p>`,
    )}`
  return page(layout({ title: idOf('ticket', own.serial), body, viewer }))
}

function bookPage(request: SignedIn): Reply {
  const { db, query, viewer } = request
  const { account } = viewer.account
  const staff = listStaff(db, account).filter(({ active }) => active)
  const services = listServices(db, account).map((one) => [idOf('svc', one.serial), serviceLabel(one)] as const)
  const names = staff.map(({ serial, name }) => [idOf('emp', serial), name] as const)
  const body = html`<h1>Book</h1>
    <form class="card" method="post" action="${root}/cloud/book">
      ${token(look, viewer)} ${field('wl', 'Waiting-list entry', 'W…', query.get('wl') ?? '')}
      ${field('cl', 'Client', 'C…', query.get('cl') ?? '')} ${field('pet', 'Pet', 'P…', query.get('pet') ?? '')}
      ${choice('svc', 'Service', [['', 'as on the waiting list'], ...services])}
      ${choice('svc', 'and', [['', '—'], ...services])} ${field('d', 'Day', '31/12/2026')}
      ${field('t', 'Time', '18:30')} ${choice('emp', 'With', [['', 'First Available'], ...names])}
      <label>Notes <textarea name="nts" dir="auto"></textarea></label><button>Book and tell</button>
    </form>`
  return page(layout({ title: 'Book', body, viewer }))
}

/** Where a form leads: to the ticket, with what was done in the address. */
const done = (id: string, what: string, message?: string): Reply =>
  seeOther(`${ticketPath(id)}?done=${what}${message === undefined ? '' : `&msg=${message}`}`)

export const ticketPages: readonly Route[] = [
  show('GET /cloud/day', day),
  show('GET /cloud/book', bookPage),
  submit('POST /cloud/book', (request) => {
    const booked = book(request)
    return done(booked.ticket, 'booked', booked.message)
  }),
  show('GET /cloud/tkt/{tkt}', ticket),
  submit('POST /cloud/tkt/{tkt}/edit', (request) => {
    const { tkt, message } = edit(request)
    return done(tkt, 'changed', message)
  }),
  submit('POST /cloud/tkt/{tkt}/void', (request) => {
    const { tkt, cards } = voidTicket(request)
    return done(tkt, `voided&cards=${cards}`)
  }),
  submit('POST /cloud/tkt/{tkt}/ready', (request) => {
    const { tkt, message } = callForPickup(request)
    return done(tkt, 'ready', message)
  }),
  submit('POST /cloud/tkt/{tkt}/step', (request) => done(step(request), 'stepped')),
]
