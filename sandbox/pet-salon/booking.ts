import type { DatabaseSync } from 'node:sqlite'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { chosenServices, knownEmployee, listStaff, type Employee, type Service } from './catalog.ts'
import { ownClient, ownPet, type Client, type Pet } from './clients.ts'
import { dayOf, daysBetween, hourText, minuteOf } from './clock.ts'
import { formFields, invalid, readDay, readText, readTime, required } from './input.ts'
import { tell } from './messages.ts'
import { closes, idOf, need, needPets, nextRev, nextSerial, opens, salonOf, type Salon } from './salon.ts'
import { busyTimes, insertTickets, jot, type Ticket } from './tickets.ts'
import { endWait, ownWait, type ShownWait } from './waitlist.ts'

/** Refuses a time in the past, outside opening hours or further ahead than two years. */
export function checkTime(salon: Salon, begins: string, mins: number): void {
  if (begins <= salon.now) throw invalid('TIME_PASSED', 'This time is over.', 't')
  if (daysBetween(salon.today, dayOf(begins)) > 730) throw invalid('TOO_FAR', 'Book two years ahead at most.', 'd')
  if (minuteOf(begins) < opens || minuteOf(begins) + mins > closes) {
    throw invalid('CLOSED_THEN', `We work from ${hourText(opens)} to ${hourText(closes)}.`, 't')
  }
}

export function isFree(db: DatabaseSync, emp: number, begins: string, mins: number, except = 0): boolean {
  const start = minuteOf(begins)
  return busyTimes(db, emp, dayOf(begins)).every(
    (other) =>
      other.serial === except || start >= minuteOf(other.begins) + other.mins || start + mins <= minuteOf(other.begins),
  )
}

export function checkEmployee({ name, active, skills }: Employee, services: readonly number[]): void {
  if (!active) throw new Refusal(409, 'EMP_LEFT', `${name} does not work here any more.`, 'emp')
  if (!services.every((service) => skills.includes(service))) {
    throw new Refusal(409, 'EMP_CANNOT', `${name} does not do this.`, 'emp')
  }
}

interface When {
  begins: string
  mins: number
}

function chooseEmployee(
  db: DatabaseSync,
  salon: Salon,
  id: string | undefined,
  services: readonly number[],
  { begins, mins }: When,
): Employee {
  if (id !== undefined) {
    const employee = knownEmployee(db, salon, id)
    checkEmployee(employee, services)
    if (isFree(db, employee.serial, begins, mins)) return employee
    throw new Refusal(409, 'TIME_TAKEN', `${employee.name} is busy then.`, 't')
  }
  const free = listStaff(db, salon.account).find(
    ({ active, skills, serial }) =>
      active && services.every((service) => skills.includes(service)) && isFree(db, serial, begins, mins),
  )
  if (!free) throw new Refusal(409, 'NOBODY_FREE', 'Nobody who does this is free then.', 't')
  return free
}

/** Whom it is for: as given, or as the waiting-list entry says; the two must agree. */
function chooseGuest(
  db: DatabaseSync,
  salon: Salon,
  fields: Readonly<Record<string, string>>,
  wait: ShownWait | undefined,
): { client: Client; pet: Pet | undefined } {
  const given = { cl: fields['cl'] ?? '', pet: fields['pet'] ?? '' }
  const cl = given.cl === '' && wait ? idOf('client', wait.client) : given.cl
  const client = ownClient(db, salon, String(required(cl, 'cl')))
  if (wait && wait.client !== client.serial) {
    throw new Refusal(409, 'WAIT_OF_OTHER', 'Somebody else waits with this entry.', 'cl')
  }
  if (given.pet !== '') needPets(salon)
  if (salon.edition === 'HAIR') return { client, pet: undefined }
  const id = given.pet === '' && wait?.pet !== undefined ? idOf('pet', wait.pet) : given.pet
  const pet = ownPet(db, salon, String(required(id, 'pet')))
  if (pet.client !== client.serial) throw new Refusal(409, 'PET_OF_OTHER', 'This is somebody else’s pet.', 'pet')
  if (wait && wait.pet !== pet.serial)
    throw new Refusal(409, 'WAIT_OF_OTHER', 'Another pet waits with this entry.', 'pet')
  return { client, pet }
}

function wantedServices({ db, form }: SignedIn, salon: Salon, wait: ShownWait | undefined): Service[] {
  const given = form.getAll('svc').filter((id) => id !== '')
  const ids = given.length === 0 && wait ? wait.svcs.map(({ svc }) => idOf('svc', svc)) : given
  if (ids.length === 0) throw invalid('FIELD_REQUIRED', 'svc is required.', 'svc')
  return chosenServices(db, salon, ids)
}

/** Books a ticket, maybe from the waiting list, and tells the client; answers both ids. */
export function book(request: SignedIn): { ticket: string; message: string | undefined } {
  const { db, form } = request
  const salon = salonOf(request)
  need(salon, 'book')
  const fields = formFields(form, 'wl', 'cl', 'pet', 'svc', 'd', 't', 'emp', 'nts')
  const wait = (fields['wl'] ?? '') === '' ? undefined : ownWait(db, salon, fields['wl'] ?? '')
  const { client, pet } = chooseGuest(db, salon, fields, wait)
  const services = wantedServices(request, salon, wait)
  const begins = `${readDay(fields['d'], 'd')} ${hourText(readTime(fields['t'], 't'))}`
  const mins = services.reduce((sum, service) => sum + service.mins, 0)
  const nts = readText(fields['nts'] || (wait?.nts ?? ''), 'nts', 2000)
  checkTime(salon, begins, mins)
  const wished = fields['emp'] || (wait?.emp === undefined ? undefined : idOf('emp', wait.emp))
  const serials = services.map(({ serial }) => serial)
  const { serial: emp } = chooseEmployee(db, salon, wished, serials, { begins, mins })
  const ticket: Ticket = {
    serial: nextSerial(db, 'tickets', salon),
    account: salon.account,
    client: client.serial,
    pet: pet?.serial,
    emp,
    begins,
    mins,
    st: 'SCH',
    nts,
    cnf: client.cnf,
    dep: 0,
    why: undefined,
    lines: services.map(({ serial, ttl, pence }) => ({ svc: serial, ttl, pence })),
    prods: [],
    pays: [],
  }
  const rev = nextRev(db, salon)
  insertTickets(db, [ticket], rev)
  if (wait) endWait(db, wait, rev)
  jot(db, salon, ticket.serial, 'SCH')
  const message = tell(db, salon, { ...ticket, whom: pet?.name ?? client.name }, 'SCHEDULED')
  const tkt = idOf('ticket', ticket.serial)
  const ids = {
    tkt,
    cl: idOf('client', client.serial),
    pet: pet ? idOf('pet', pet.serial) : null,
    emp: idOf('emp', emp),
  }
  const svc = serials.map((serial) => idOf('svc', serial))
  const wl = wait ? idOf('wait', wait.serial) : null
  request.effect('ticket.book', { ...ids, svc, begins, mins, nts, wl, msg: message ?? null })
  return { ticket: tkt, message }
}
