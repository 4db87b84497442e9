import type { DatabaseSync } from 'node:sqlite'
import { vaccineName, type Employee, type Service } from './catalog.ts'
import { petsOf, type Client, type Pet } from './clients.ts'
import { dayAndTime, hourText, minuteOf, slashed } from './clock.ts'
import { listMessages, ways } from './messages.ts'
import { shotsOf, type Alert, type Shot } from './pets.ts'
import { idOf, type Salon } from './salon.ts'
import { logOf, states, ticketsAhead, type ShownTicket } from './tickets.ts'
import type { ShownWait } from './waitlist.ts'

/** What things look like in the app's JSON; money is in whole pence. */

interface Named {
  nm: string
}

const clientRef = (serial: number, nm: string): Named & { cl: string } => ({ cl: idOf('client', serial), nm })
const petRef = (serial: number | undefined, nm: string | undefined): (Named & { pet: string }) | null =>
  serial === undefined ? null : { pet: idOf('pet', serial), nm: nm ?? '' }
const empRef = (serial: number, nm: string): Named & { emp: string } => ({ emp: idOf('emp', serial), nm })

const logStates: Readonly<Record<string, string>> = { ...states, CHG: 'Changed' }
const stateOut = (st: string): { c: string; ttl: string } => ({ c: st, ttl: logStates[st] ?? st })
const wayName = (way: string): string => (way === 'TXT' || way === 'EML' || way === 'TEL' ? ways[way] : ways.NON)

const headOf = (t: ShownTicket): Record<string, unknown> => ({
  tkt: idOf('ticket', t.serial),
  ...dayAndTime(t.begins),
  t_end: hourText(minuteOf(t.begins) + t.mins),
  st: stateOut(t.st),
  cl: clientRef(t.client, t.clientName),
  pet: petRef(t.pet, t.petName),
  emp: empRef(t.emp, t.empName),
})

export const ticketRow = (t: ShownTicket): unknown => ({ ...headOf(t), svcs: t.lines.map(({ ttl }) => ttl) })

export const ticketFull = (db: DatabaseSync, salon: Salon, t: ShownTicket): unknown => ({
  tz: salon.zone,
  cur: salon.cur,
  ...headOf(t),
  mins: t.mins,
  svcs: t.lines.map(({ svc, ttl, pence }) => ({ svc: idOf('svc', svc), ttl, pence })),
  appt_nts: t.nts,
  cnf: { c: t.cnf, ttl: wayName(t.cnf) },
  dep: t.dep,
  prods: t.prods,
  pays: t.pays,
  why: t.why ?? null,
  log: logOf(db, t.serial).map(({ at, who, st }) => ({ ...dayAndTime(at), by: who, st: stateOut(st) })),
  msgs: listMessages(db, salon, t.serial).map(({ serial, kind, way, recipient, at }) => ({
    msg: idOf('msg', serial),
    kind,
    way,
    to: recipient,
    ...dayAndTime(at),
  })),
})

export const clientRow = (db: DatabaseSync, { account }: Salon, { serial, name, mail, mob }: Client): unknown => ({
  cl: idOf('client', serial),
  nm: name,
  mob,
  mail,
  pets: petsOf(db, account, serial).map((pet) => petRef(pet.serial, pet.name)),
})

export const petOut = (db: DatabaseSync, { serial, name, breed, gen, grm, prs, med }: Pet): unknown => ({
  pet: idOf('pet', serial),
  nm: name,
  brd: breed,
  nts: { gen, grm, prs, med },
  shots: shotsOf(db, serial),
})

export const clientFull = (db: DatabaseSync, salon: Salon, client: Client): unknown => ({
  tz: salon.zone,
  cur: salon.cur,
  cl: idOf('client', client.serial),
  nm: client.name,
  mail: client.mail,
  mob: client.mob,
  cnf: client.cnf,
  bal: client.bal,
  desk_nts: client.nts,
  ahead: ticketsAhead(db, 'client', client.serial, salon).map(({ serial, begins }) => ({
    tkt: idOf('ticket', serial),
    ...dayAndTime(begins),
  })),
  pets: petsOf(db, salon.account, client.serial).map((pet) => petOut(db, pet)),
})

export const alertOut = ({ pet, petName, client, clientName, vx, expires, next }: Alert): unknown => ({
  pet: petRef(pet, petName),
  cl: clientRef(client, clientName),
  vx: { c: vx, ttl: vaccineName(vx) },
  exp: slashed(expires),
  next: next ? { tkt: idOf('ticket', next.serial), ...dayAndTime(next.begins) } : null,
})

export const shotOut = ({ serial, pet, vx, expires }: Shot): unknown => ({
  shot: idOf('shot', serial),
  pet: idOf('pet', pet),
  vx: { c: vx, ttl: vaccineName(vx) },
  exp: slashed(expires),
})

export const waitOut = (w: ShownWait): unknown => ({
  wl: idOf('wait', w.serial),
  cl: clientRef(w.client, w.clientName),
  pet: petRef(w.pet, w.petName),
  emp: w.emp === undefined ? null : empRef(w.emp, w.empName ?? ''),
  pref: w.pref.map(({ d, part }) => ({ d: slashed(d), part })),
  svcs: w.svcs.map(({ svc, ttl }) => ({ svc: idOf('svc', svc), ttl })),
  nts: w.nts,
})

export const serviceOut = ({ serial, ttl, ctg, mins, pence }: Service): unknown => ({
  svc: idOf('svc', serial),
  ttl,
  ctg,
  mins,
  pence,
})

export const employeeOut = ({ serial, name, active, skills }: Employee, services: readonly Service[]): unknown => ({
  ...empRef(serial, name),
  here: active,
  does: services
    .filter((service) => skills.includes(service.serial))
    .map((one) => ({ svc: idOf('svc', one.serial), ttl: one.ttl })),
})
