import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import type { Slice } from './input.ts'
import { nextSerial, serialOf, type Salon } from './salon.ts'
import { forever } from './schema.ts'

export const states = {
  SCH: 'Scheduled',
  CNF: 'Confirmed',
  INN: 'Checked In',
  RDY: 'Ready',
  OUT: 'Checked Out',
  NSH: 'No Show',
  VOI: 'Voided',
} as const
export type State = keyof typeof states

export interface Ticket {
  serial: number
  account: string
  client: number
  pet: number | undefined
  emp: number
  /** `2026-12-31 18:30` on the salon's clocks. */
  begins: string
  mins: number
  st: State
  nts: string
  cnf: string
  dep: number
  /** Why it was voided. */
  why: string | undefined
  lines: { svc: number; ttl: string; pence: number }[]
  prods: { ttl: string; qty: number; pence: number }[]
  pays: { how: 'CARD' | 'CASH'; pence: number; st: 'TAKEN' | 'VOIDED' }[]
}

/** With the names that it is shown with. */
export interface ShownTicket extends Ticket {
  clientName: string
  petName: string | undefined
  empName: string
}

const shown = `SELECT t.*, c.name AS client_name, p.name AS pet_name, e.name AS emp_name FROM tickets t
  JOIN clients c ON c.serial = t.client JOIN staff e ON e.serial = t.emp LEFT JOIN pets p ON p.serial = t.pet`

function toTicket(row: Row): ShownTicket {
  return {
    serial: number(row, 'serial'),
    account: text(row, 'account'),
    client: number(row, 'client'),
    pet: maybeNumber(row, 'pet'),
    emp: number(row, 'emp'),
    begins: text(row, 'begins'),
    mins: number(row, 'mins'),
    st: text(row, 'st') as State,
    nts: text(row, 'nts'),
    cnf: text(row, 'cnf'),
    dep: number(row, 'dep'),
    why: maybeText(row, 'why'),
    lines: JSON.parse(text(row, 'lines')) as Ticket['lines'],
    prods: JSON.parse(text(row, 'prods')) as Ticket['prods'],
    pays: JSON.parse(text(row, 'pays')) as Ticket['pays'],
    clientName: text(row, 'client_name'),
    petName: maybeText(row, 'pet_name'),
    empName: text(row, 'emp_name'),
  }
}

function ticketBy(db: DatabaseSync, { account }: Salon, serial: number): ShownTicket {
  const row = one(db, `${shown} WHERE t.account = ? AND t.serial = ? AND t.until = ?`, account, serial, forever)
  if (!row) throw new Refusal(404, 'TICKET_NOT_FOUND', 'You have no ticket with this id.')
  return toTicket(row)
}

export const ownTicket = (request: SignedIn, salon: Salon): ShownTicket =>
  ticketBy(request.db, salon, serialOf('ticket', request.params['tkt'] ?? ''))

/** Both days included; by begin. */
export function listTickets(
  db: DatabaseSync,
  { account }: Salon,
  { from, to, emp }: { from: string; to: string; emp: number | undefined },
  { rev, off, lim }: Slice,
): { tot: number; rows: ShownTicket[] } {
  const where = `t.account = ?1 AND t.begins BETWEEN ?2 AND ?3 || ' 24' AND t.since <= ?4 AND t.until > ?4
    AND (?5 = 0 OR t.emp = ?5)`
  const values = [account, from, to, rev, emp ?? 0] as const
  const sql = `${shown} WHERE ${where} ORDER BY t.begins, t.serial LIMIT ?6 OFFSET ?7`
  return {
    tot: count(db, `tickets t WHERE ${where}`, ...values),
    rows: all(db, sql, ...values, lim, off).map(toTicket),
  }
}

/** Those ahead of a client or a pet, earliest first: not voided, and nobody failed to come. */
export function ticketsAhead(
  db: DatabaseSync,
  column: 'client' | 'pet',
  serial: number,
  { rev, now }: Pick<Slice, 'rev' | 'now'>,
): { serial: number; begins: string }[] {
  const sql = `SELECT serial, begins FROM tickets WHERE ${column} = ? AND begins > ? AND st NOT IN ('VOI', 'NSH')
    AND since <= ? AND until > ? ORDER BY begins, serial`
  return all(db, sql, serial, now, rev, rev).map((row) => ({
    serial: number(row, 'serial'),
    begins: text(row, 'begins'),
  }))
}

/** What keeps an employee busy on a day. */
export function busyTimes(
  db: DatabaseSync,
  emp: number,
  day: string,
): { serial: number; begins: string; mins: number }[] {
  const sql = `SELECT serial, begins, mins FROM tickets WHERE emp = ?1 AND begins BETWEEN ?2 AND ?2 || ' 24'
    AND st NOT IN ('VOI', 'NSH') AND until = ?3`
  return all(db, sql, emp, day, forever).map((row) => ({
    serial: number(row, 'serial'),
    begins: text(row, 'begins'),
    mins: number(row, 'mins'),
  }))
}

export function insertTickets(db: DatabaseSync, tickets: readonly Ticket[], since: number): void {
  const insert = db.prepare('INSERT INTO tickets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const t of tickets) {
    const parts = [t.lines, t.prods, t.pays].map((part) => JSON.stringify(part))
    const [head, tail] = [
      [t.account, t.client, t.pet ?? null, t.emp, t.begins, t.mins],
      [t.st, t.nts, t.cnf, t.dep],
    ]
    insert.run(t.serial, since, forever, ...head, ...tail, t.why ?? null, ...parts)
  }
}

/** A new version of the ticket takes the place of the one that was good so far. */
export function saveTicket(db: DatabaseSync, ticket: Ticket, rev: number): void {
  run(db, 'UPDATE tickets SET until = ? WHERE serial = ? AND until = ?', rev, ticket.serial, forever)
  insertTickets(db, [ticket], rev)
}

export interface LogLine {
  serial: number
  ticket: number
  at: string
  who: string
  /** A state, or `CHG`: changed. */
  st: State | 'CHG'
}

/** Oldest first. */
export function logOf(db: DatabaseSync, ticket: number): LogLine[] {
  return all(db, 'SELECT * FROM ticket_log WHERE ticket = ? ORDER BY serial', ticket).map((row) => ({
    serial: number(row, 'serial'),
    ticket,
    at: text(row, 'at'),
    who: text(row, 'who'),
    st: text(row, 'st') as LogLine['st'],
  }))
}

export function insertLog(db: DatabaseSync, account: string, lines: readonly LogLine[]): void {
  const insert = db.prepare('INSERT INTO ticket_log VALUES (?, ?, ?, ?, ?, ?)')
  for (const { serial, ticket, at, who, st } of lines) insert.run(serial, account, ticket, at, who, st)
}

export function jot(db: DatabaseSync, salon: Salon, ticket: number, st: LogLine['st']): void {
  const serial = nextSerial(db, 'ticket_log', salon)
  insertLog(db, salon.account, [{ serial, ticket, at: salon.now, who: salon.person, st }])
}
