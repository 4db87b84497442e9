import type { Service } from './catalog.ts'
import { hourText, shiftDay } from './clock.ts'
import { addressOf, insertMessages, wordsOf, type Message } from './messages.ts'
import { at, mute, nearFrom, type Ground } from './seed-ground.ts'
import { longText, products, reasons, remarks } from './seed-words.ts'
import { insertLog, insertTickets, type LogLine, type State, type Ticket } from './tickets.ts'

type Slot = readonly [begins: number, room: number]

/** In minutes; each lane is worked by somebody else. */
const lanes: readonly { lead: number; slots: readonly Slot[] }[] = [
  {
    lead: 0,
    slots: [
      [540, 75],
      [630, 90],
      [780, 150],
    ],
  },
  {
    lead: 3,
    slots: [
      [510, 120],
      [720, 120],
      [930, 150],
    ],
  },
  {
    lead: 1,
    slots: [
      [525, 75],
      [660, 90],
      [870, 150],
    ],
  },
  {
    lead: 5,
    slots: [
      [555, 90],
      [690, 90],
      [900, 150],
    ],
  },
]

const todays: readonly State[] = ['OUT', 'OUT', 'INN', 'INN', 'INN', 'RDY', 'INN', 'INN', 'RDY', 'INN', 'RDY', 'CNF']
/** The place among today's tickets of the client without a mobile number: checked in. */
const muteToday = 9

function stateOn(offset: number, place: number, n: number): State {
  if (offset === 0) return todays[place] ?? 'SCH'
  if (offset < 0) return n % 13 === 5 ? 'NSH' : n % 11 === 3 ? 'VOI' : 'OUT'
  return n % 17 === 4 ? 'VOI' : n % 3 === 0 ? 'CNF' : 'SCH'
}

/** One to three services that fit into the room. */
function fitting(services: readonly Service[], room: number): Service[] {
  const chosen: Service[] = []
  let rest = room
  for (const service of services) {
    if (chosen.length < 3 && service.mins <= rest) chosen.push(service)
    rest = room - chosen.reduce((sum, { mins }) => sum + mins, 0)
  }
  return chosen
}

function paysOf(st: State, n: number, total: number, dep: number): Ticket['pays'] {
  const deposit =
    dep === 0 ? [] : [{ how: 'CARD' as const, pence: dep, st: st === 'VOI' ? ('VOIDED' as const) : ('TAKEN' as const) }]
  if (st !== 'OUT') return deposit
  return [...deposit, { how: n % 3 === 1 ? 'CASH' : 'CARD', pence: total - dep, st: 'TAKEN' }]
}

function makeTicket(ground: Ground, offset: number, place: number, n: number): Ticket {
  const { account, base, today, random, clients, pets } = ground
  const lane = at(lanes, Math.floor(place / 3))
  const [minute, room] = at(lane.slots, place)
  const staff = ground.staff.filter(({ active }) => active)
  const employee = at(staff, lane.lead + offset + staff.length * 20)
  const known = ground.services.filter(({ serial }) => employee.skills.includes(serial))
  const services = fitting(random.some(known, 1 + (n % 3)), room)
  const near = Math.abs(offset) < 2
  const here = clients.filter(({ serial }, index) => serial > base + nearFrom === near && (!near || index !== mute))
  const client = offset === 0 && place === muteToday ? at(clients, mute) : random.pick(here)
  const owned = pets.filter((pet) => pet.client === client.serial)
  const pet = owned[n % Math.max(owned.length, 1)]
  const st = stateOn(offset, place, n)
  const prods = st === 'OUT' && n % 5 === 0 ? random.some(products, 1 + (n % 2)) : []
  const sold = [...services.map(({ pence }) => pence), ...prods.map(({ qty, pence }) => qty * pence)]
  const total = sold.reduce((sum, pence) => sum + pence, 0)
  const dep = n % 6 === 1 && total > 1000 ? 1000 : 0
  return {
    serial: base + n + 1,
    account: account.account,
    client: client.serial,
    pet: pet?.serial,
    emp: employee.serial,
    begins: `${shiftDay(today, offset)} ${hourText(minute)}`,
    mins: services.reduce((sum, { mins }) => sum + mins, 0),
    st,
    nts: n % 97 === 40 ? longText : at(remarks, n),
    cnf: client.cnf,
    dep,
    why: st === 'VOI' ? at(reasons, n) : undefined,
    lines: services.map(({ serial, ttl, pence }) => ({ svc: serial, ttl, pence })),
    prods,
    pays: paysOf(st, n, total, dep),
  }
}

const ways: Readonly<Record<State, readonly State[]>> = {
  SCH: ['SCH'],
  CNF: ['SCH', 'CNF'],
  INN: ['SCH', 'CNF', 'INN'],
  RDY: ['SCH', 'CNF', 'INN', 'RDY'],
  OUT: ['SCH', 'CNF', 'INN', 'OUT'],
  NSH: ['SCH', 'NSH'],
  VOI: ['SCH', 'VOI'],
}

/** Booked a while ago, confirmed or voided on a day before; what happens in the salon does so when the ticket begins. */
function logged({ today, staff }: Ground, ticket: Ticket, offset: number, n: number): Omit<LogLine, 'serial'>[] {
  const past = Math.min(offset, 0)
  return ways[ticket.st].map((st, index) => {
    const days = st === 'SCH' ? past - 5 - (n % 20) : past - 1
    const calm = st === 'SCH' || st === 'CNF' || st === 'VOI'
    const at10 = `${shiftDay(today, days)} ${hourText(600 + (n % 60))}`
    return { ticket: ticket.serial, at: calm ? at10 : ticket.begins, who: at(staff, n + index).name, st }
  })
}

/** Six tickets a day from 60 days back to 45 ahead, twelve on the day of the reset. */
export function seedTickets(ground: Ground): void {
  const { db, account, base, clients, pets } = ground
  const tickets: Ticket[] = []
  const log: LogLine[] = []
  const messages: Message[] = []
  for (let offset = -60; offset <= 45; offset++) {
    for (let place = 0; place < (offset === 0 ? 12 : 6); place++) {
      const n = tickets.length
      const ticket = makeTicket(ground, offset, place, n)
      tickets.push(ticket)
      const lines = logged(ground, ticket, offset, n)
      log.push(...lines.map((line, index) => ({ ...line, serial: base + log.length + index + 1 })))
      const client = clients.find(({ serial }) => serial === ticket.client)
      const whom = pets.find(({ serial }) => serial === ticket.pet)?.name ?? client?.name ?? ''
      if (!client || offset < 0) continue
      const send = (kind: Message['kind'], way: string, sentAt: string): void => {
        const address = addressOf(client, way)
        const words = wordsOf(kind, account.label, whom, ticket.begins)
        const serial = base + messages.length + 1
        if (address) messages.push({ serial, ticket: ticket.serial, kind, ...address, words, at: sentAt })
      }
      send('SCHEDULED', ticket.cnf, lines[0]?.at ?? ticket.begins)
      if (ticket.st === 'RDY') send('PICKUP', 'TXT', ticket.begins)
    }
  }
  insertTickets(db, tickets, 0)
  insertLog(db, account.account, log)
  insertMessages(db, account.account, messages)
}
