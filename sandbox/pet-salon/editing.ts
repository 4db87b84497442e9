import type { DatabaseSync } from 'node:sqlite'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { checkEmployee, checkTime, isFree } from './booking.ts'
import { knownEmployee } from './catalog.ts'
import { clientBy, credit } from './clients.ts'
import { dayOf, hourText, minuteOf } from './clock.ts'
import { formFields, invalid, readDay, readText, readTime, readWhole, required } from './input.ts'
import { tell } from './messages.ts'
import { idOf, need, needPets, nextRev, salonOf, serialOf, type Salon } from './salon.ts'
import { jot, ownTicket, saveTicket, states, type ShownTicket, type State, type Ticket } from './tickets.ts'

const whomOf = ({ petName, clientName }: ShownTicket): string => petName ?? clientName

/** The price of one service of the ticket: of the only one, or of the one that `svc` names. */
function repriced(ticket: Ticket, price: string, svc: string): Ticket['lines'] {
  const pence = readWhole(price, 'prc', 0, 10_000_000)
  if (svc === '' && ticket.lines.length > 1) {
    throw invalid('SVC_REQUIRED', 'Say with svc which service has this price: the ticket has several.', 'svc')
  }
  const wanted = svc === '' ? ticket.lines[0]?.svc : serialOf('svc', svc)
  if (!ticket.lines.some((line) => line.svc === wanted)) {
    throw new Refusal(404, 'SVC_NOT_ON_TICKET', 'This service is not on the ticket.', 'svc')
  }
  return ticket.lines.map((line) => (line.svc === wanted ? { ...line, pence } : line))
}

/** The ticket with what the form changes; an empty field leaves a thing as it is, but an empty `nts` clears the notes. */
function changed(db: DatabaseSync, salon: Salon, ticket: Ticket, form: URLSearchParams): Ticket {
  const fields = formFields(form, 'd', 't', 'mins', 'emp', 'prc', 'svc', 'nts')
  const given = (name: string): string => fields[name] ?? ''
  const day = given('d') === '' ? dayOf(ticket.begins) : readDay(given('d'), 'd')
  const minute = given('t') === '' ? minuteOf(ticket.begins) : readTime(given('t'), 't')
  if (given('svc') !== '' && given('prc') === '') throw invalid('FIELD_REQUIRED', 'svc goes with prc.', 'prc')
  if (form.getAll('svc').length > 1) throw invalid('FIELD_TWICE', 'Give svc once.', 'svc')
  return {
    ...ticket,
    begins: `${day} ${hourText(minute)}`,
    mins: given('mins') === '' ? ticket.mins : readWhole(given('mins'), 'mins', 5, 600),
    emp: given('emp') === '' ? ticket.emp : knownEmployee(db, salon, given('emp')).serial,
    nts: readText(fields['nts'] ?? ticket.nts, 'nts', 2000),
    lines: given('prc') === '' ? ticket.lines : repriced(ticket, given('prc'), given('svc')),
  }
}

/** Changes a ticket that is still ahead and tells the client; answers the message's id where one was sent. */
export function edit(request: SignedIn): { tkt: string; message: string | undefined } {
  const { db, form } = request
  const salon = salonOf(request)
  need(salon, 'book')
  const ticket = ownTicket(request, salon)
  const next = changed(db, salon, ticket, form)
  if (!['SCH', 'CNF', 'INN'].includes(ticket.st)) {
    throw new Refusal(409, 'TICKET_CLOSED', `This ticket is ${states[ticket.st]}.`)
  }
  const { begins, mins, emp, nts, lines } = next
  const moved = begins !== ticket.begins || mins !== ticket.mins || emp !== ticket.emp
  if (!moved && nts === ticket.nts && JSON.stringify(lines) === JSON.stringify(ticket.lines)) {
    throw invalid('NOTHING_TO_CHANGE', 'This is how the ticket is already.', 'nts')
  }
  if (moved) {
    if (begins !== ticket.begins) checkTime(salon, begins, mins)
    else checkTime({ ...salon, now: '' }, begins, mins)
    const employee = knownEmployee(db, salon, idOf('emp', emp))
    checkEmployee(
      employee,
      lines.map(({ svc }) => svc),
    )
    if (!isFree(db, emp, begins, mins, ticket.serial)) {
      throw new Refusal(409, 'TIME_TAKEN', `${employee.name} is busy then.`, 't')
    }
  }
  saveTicket(db, next, nextRev(db, salon))
  jot(db, salon, ticket.serial, 'CHG')
  const message = tell(db, salon, { ...next, whom: whomOf(ticket) }, 'CHANGED')
  const tkt = idOf('ticket', ticket.serial)
  const prices = lines.map(({ svc, pence }) => ({ svc: idOf('svc', svc), pence }))
  request.effect('ticket.edit', { tkt, begins, mins, emp: idOf('emp', emp), nts, prices, msg: message ?? null })
  return { tkt, message }
}

/** Voids a ticket in any state. Payments that stay, as cash always does, become the client's credit. */
export function voidTicket(request: SignedIn): { tkt: string; cards: number } {
  const { db, form } = request
  const salon = salonOf(request)
  need(salon, 'void')
  const ticket = ownTicket(request, salon)
  const fields = formFields(form, 'why', 'cards')
  const why = readText(required(fields['why'], 'why'), 'why', 500)
  const cards = fields['cards'] ?? '0'
  if (cards !== '0' && cards !== '1') throw invalid('FLAG_INVALID', 'cards must be 0 or 1.', 'cards')
  if (ticket.st === 'VOI') throw new Refusal(409, 'ALREADY_VOID', 'This ticket is voided already.')
  const isVoided = ({ how, st }: Ticket['pays'][number]): boolean => cards === '1' && how === 'CARD' && st === 'TAKEN'
  const pays = ticket.pays.map((pay) => (isVoided(pay) ? { ...pay, st: 'VOIDED' as const } : pay))
  const kept = pays.filter(({ st }) => st === 'TAKEN').reduce((sum, { pence }) => sum + pence, 0)
  saveTicket(db, { ...ticket, st: 'VOI', why, pays }, nextRev(db, salon))
  if (kept > 0) credit(db, ticket.client, kept)
  jot(db, salon, ticket.serial, 'VOI')
  const tkt = idOf('ticket', ticket.serial)
  const voided = ticket.pays.filter(isVoided).length
  request.effect('ticket.void', { tkt, why, cards: voided, credited: kept })
  return { tkt, cards: voided }
}

/** Texts the client that the pet is ready: it must be in the salon. */
export function callForPickup(request: SignedIn): { tkt: string; message: string } {
  const { db, form } = request
  const salon = salonOf(request)
  needPets(salon)
  need(salon, 'book')
  formFields(form)
  const ticket = ownTicket(request, salon)
  if (ticket.st === 'RDY') throw new Refusal(409, 'ALREADY_TOLD', 'The client was told already.')
  if (ticket.st !== 'INN') throw new Refusal(409, 'PET_NOT_HERE', `This ticket is ${states[ticket.st]}.`)
  const message = tell(db, salon, { ...ticket, whom: whomOf(ticket) }, 'PICKUP', 'TXT')
  if (message === undefined) {
    throw new Refusal(409, 'NO_MOBILE', `${clientBy(db, salon.account, ticket.client).name} has no mobile number.`)
  }
  saveTicket(db, { ...ticket, st: 'RDY' }, nextRev(db, salon))
  jot(db, salon, ticket.serial, 'RDY')
  const tkt = idOf('ticket', ticket.serial)
  request.effect('ticket.pickup', { tkt, msg: message })
  return { tkt, message }
}

/** What the people at the desk do with a ticket on its day. */
export const steps: Readonly<Record<State, readonly State[]>> = {
  SCH: ['CNF', 'INN', 'NSH'],
  CNF: ['INN', 'NSH'],
  INN: ['OUT'],
  RDY: ['OUT'],
  OUT: [],
  NSH: [],
  VOI: [],
}

export function step(request: SignedIn): string {
  const { db, form } = request
  const salon = salonOf(request)
  need(salon, 'book')
  const ticket = ownTicket(request, salon)
  const wanted = formFields(form, 'to')['to']
  const st = steps[ticket.st].find((one) => one === wanted)
  if (!st) throw new Refusal(409, 'STEP_NOT_POSSIBLE', `This ticket is ${states[ticket.st]}.`, 'to')
  saveTicket(db, { ...ticket, st }, nextRev(db, salon))
  jot(db, salon, ticket.serial, st)
  const tkt = idOf('ticket', ticket.serial)
  request.effect('ticket.step', { tkt, to: st })
  return tkt
}
