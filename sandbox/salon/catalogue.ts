import { all, maybeText, number, one, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { known } from './input.ts'
import { costText } from './money.ts'
import { idOf, linkTo, ownBranch, ownRow, parsed, resource, type Resource } from './things.ts'

export interface Chair {
  serial: number
  branch: number
  full: string
  /** Minutes since midnight; both 0 for somebody on leave. */
  opens: number
  shuts: number
}

export interface Treatment {
  serial: number
  branch: number
  label: string
  mins: number
  cost: number
  /** Serials of the crew who do it. */
  hands: number[]
}

export function branchShown(request: SignedIn, row: Row): Resource {
  const serial = number(row, 'serial')
  return resource('branches', serial, {
    label: text(row, 'label'),
    street: text(row, 'street'),
    zone: text(row, 'zone'),
    tel: maybeText(row, 'tel') ?? null,
    main: serial === number(ownBranch(request, null), 'serial'),
  })
}

/** The main branch first. */
export function listBranches(request: SignedIn): Resource[] {
  known(request.query, [])
  const sql = 'SELECT * FROM branches WHERE account = ? ORDER BY serial'
  return all(request.db, sql, request.viewer.account.account).map((row) => branchShown(request, row))
}

export const toChair = (row: Row): Chair => ({
  serial: number(row, 'serial'),
  branch: number(row, 'branch'),
  full: text(row, 'full'),
  opens: number(row, 'opens'),
  shuts: number(row, 'shuts'),
})

export const crewShown = ({ serial, branch, full, opens, shuts }: Chair): Resource =>
  resource('crew', serial, { full, on_leave: opens === shuts }, { branch: linkTo('branches', branch) })

export function listCrew({ db, viewer, query }: SignedIn): Resource[] {
  known(query, [])
  const sql = 'SELECT * FROM crew WHERE account = ? ORDER BY serial'
  return all(db, sql, viewer.account.account).map((row) => crewShown(toChair(row)))
}

export const toTreatment = (row: Row): Treatment => ({
  serial: number(row, 'serial'),
  branch: number(row, 'branch'),
  label: text(row, 'label'),
  mins: number(row, 'mins'),
  cost: number(row, 'cost'),
  hands: parsed<number>(row, 'hands'),
})

export const ownTreatment = (request: SignedIn, id: unknown): Treatment =>
  toTreatment(ownRow(request, 'treatments', id, 'treatment'))

export const ownChair = (request: SignedIn, id: unknown): Chair => toChair(ownRow(request, 'crew', id, 'crew'))

export function treatmentShown({ db }: SignedIn, { serial, branch, label, mins, cost, hands }: Treatment): Resource {
  const currency = text(one(db, 'SELECT currency FROM branches WHERE serial = ?', branch) ?? {}, 'currency')
  const attributes = { label, mins, cost: costText(cost, currency), hands: hands.map((hand) => idOf('crew', hand)) }
  return resource('treatments', serial, attributes, { branch: linkTo('branches', branch) })
}

export function listTreatments(request: SignedIn): Resource[] {
  const { db, query } = request
  known(query, ['branch'])
  const branch = number(ownBranch(request, query.get('branch')), 'serial')
  const rows = all(db, 'SELECT * FROM treatments WHERE branch = ? ORDER BY serial', branch)
  return rows.map((row) => treatmentShown(request, toTreatment(row)))
}
