import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

const rights = {
  owner: ['jobs', 'plan', 'board', 'leads', 'customers', 'estimates', 'quote', 'bills', 'billing', 'till'],
  dispatcher: ['jobs', 'plan', 'board', 'leads', 'customers', 'estimates', 'quote'],
  bookkeeper: ['jobs', 'board', 'customers', 'estimates', 'bills', 'billing', 'till'],
  technician: ['jobs', 'board'],
} as const

type Role = keyof typeof rights
export type Right = (typeof rights)['owner'][number]

export const roles = Object.keys(rights) as Role[]

const rightsOf = (kind: string): readonly Right[] => rights[roles.find((role) => role === kind) ?? 'technician']

/** Refuses what the role of the person may not do. */
export function need({ viewer }: SignedIn, right: Right): void {
  const { kind } = viewer.account
  if (!rightsOf(kind).includes(right)) {
    throw new Refusal(403, 'ROLE_FORBIDS', `A ${kind} may not do this: it takes the right "${right}".`)
  }
}

/** A technician sees only the jobs that they are on. */
export const seesOwnJobsOnly = ({ viewer }: SignedIn): number => (viewer.account.kind === 'technician' ? 1 : 0)

export interface Company {
  account: string
  zone: string
  money: string
  digits: number
  /** Names the company in the address where visitors ask for a visit. */
  door: string
}

export const toCompany = (row: Row): Company => ({
  account: text(row, 'account'),
  zone: text(row, 'zone'),
  money: text(row, 'money'),
  digits: number(row, 'digits'),
  door: text(row, 'door'),
})

export function companyOf(db: DatabaseSync, account: string): Company {
  const row = one(db, 'SELECT * FROM companies WHERE account = ?', account)
  if (!row) throw new Error(`Company ${account} has no data.`)
  return toCompany(row)
}

export const ownCompany = ({ db, viewer }: SignedIn): Company => companyOf(db, viewer.account.account)

type Table =
  | 'kinds'
  | 'entries'
  | 'crew'
  | 'customers'
  | 'jobs'
  | 'leads'
  | 'estimates'
  | 'bills'
  | 'receipts'
  | 'messages'

const hex = (words: string): string => createHash('sha256').update(`torquen ${words}`).digest('hex')

/** The same after every reset. */
export function uuidOf(table: Table, serial: number): string {
  const h = hex(`${table} ${serial}`)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-9${h.slice(17, 20)}-${h.slice(20, 32)}`
}

/** The part of a public address that nobody guesses. */
export const doorOf = (table: 'companies' | 'estimates' | 'bills', serial: number): string =>
  hex(`door ${table} ${serial}`).slice(0, 20)

/** Serials rise within an account and never meet those of another one. */
export function nextSerial(db: DatabaseSync, table: Table, account: string): number {
  const sql = `SELECT coalesce((SELECT max(serial) FROM ${table} WHERE account = ?1), ordinal * 100000) + 1 AS serial
    FROM companies WHERE account = ?1`
  return number(one(db, sql, account) ?? {}, 'serial')
}

/** What the company has set up: the words and ids that writes are made of. */
export function setup(request: SignedIn): unknown {
  const { db, viewer, base } = request
  const { account, label, person, kind } = viewer.account
  const { zone, money, digits, door } = ownCompany(request)
  const list = (sql: string): Row[] => all(db, `${sql} WHERE account = ? ORDER BY serial`, account)
  return {
    company: { account, label, zone, money: { code: money, digits }, enquiry_page: `${base}/enquire/${door}` },
    me: { full_name: person, role: kind, rights: rightsOf(kind) },
    job_kinds: list('SELECT uuid, label FROM kinds'),
    job_states: Object.entries(jobStates).map(([code, label]) => ({ code, label })),
    crew: list('SELECT uuid, full_name FROM crew'),
    price_book: list('SELECT uuid, label, unit, each AS each_minor FROM entries'),
  }
}

export const jobStates = {
  filed: 'Submitted',
  under_way: 'In progress',
  parts_missing: 'Waiting for parts',
  finished: 'Done',
  called_off: 'Canceled',
} as const

export type JobState = keyof typeof jobStates
export const stateCodes = Object.keys(jobStates) as JobState[]
