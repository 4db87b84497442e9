import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { idOf, serialOf, type Salon } from './salon.ts'

export interface Service {
  serial: number
  ttl: string
  ctg: string
  mins: number
  pence: number
}

export interface Employee {
  serial: number
  name: string
  active: boolean
  /** Serials of the services that they do. */
  skills: number[]
}

/** Codes and names; an alert is raised for each vaccine that a pet has a record of. */
export const vaccines = [
  { vx: 'RAB', ttl: 'Rabies', req: true },
  { vx: 'DHP', ttl: 'Distemper / Parvo (DHPP)', req: true },
  { vx: 'BOR', ttl: 'Bordetella', req: true },
  { vx: 'LEP', ttl: 'Leptospirosis', req: false },
  { vx: 'FVR', ttl: 'Feline FVRCP', req: false },
] as const

export const vaccineName = (vx: string): string => vaccines.find((one) => one.vx === vx)?.ttl ?? vx

/** In the order of the price list. */
export function listServices(db: DatabaseSync, account: string): Service[] {
  return all(db, 'SELECT * FROM services WHERE account = ? ORDER BY serial', account).map((row) => ({
    serial: number(row, 'serial'),
    ttl: text(row, 'ttl'),
    ctg: text(row, 'ctg'),
    mins: number(row, 'mins'),
    pence: number(row, 'pence'),
  }))
}

export const categoriesOf = (services: readonly Service[]): string[] => [...new Set(services.map(({ ctg }) => ctg))]

export function listStaff(db: DatabaseSync, account: string): Employee[] {
  return all(db, 'SELECT * FROM staff WHERE account = ? ORDER BY serial', account).map((row) => ({
    serial: number(row, 'serial'),
    name: text(row, 'name'),
    active: number(row, 'active') === 1,
    skills: JSON.parse(text(row, 'skills')) as number[],
  }))
}

/** The salon's own, also somebody who has left. */
export function knownEmployee(db: DatabaseSync, { account }: Salon, id: string): Employee {
  const found = listStaff(db, account).find(({ serial }) => serial === serialOf('emp', id))
  if (!found) throw new Refusal(404, 'EMP_NOT_FOUND', 'Nobody in your team has this id.', 'emp')
  return found
}

export function chosenServices(db: DatabaseSync, { account }: Salon, ids: readonly string[]): Service[] {
  const services = listServices(db, account)
  if (ids.length > 8) throw new Refusal(422, 'TOO_MANY_SVC', '8 services at most on a ticket.', 'svc')
  if (new Set(ids).size < ids.length) throw new Refusal(422, 'SVC_TWICE', 'A service is given twice.', 'svc')
  return ids.map((id) => {
    const found = services.find(({ serial }) => serial === serialOf('svc', id))
    if (!found) throw new Refusal(404, 'SVC_NOT_FOUND', `Your price list has no ${id}.`, 'svc')
    return found
  })
}

/** `S100001 Full groom`, for people. */
export const serviceLabel = ({ serial, ttl }: Service): string => `${idOf('svc', serial)} ${ttl}`
