import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { addDays, dayIn } from './clock.ts'
import { jobStates, need, ownCompany, seesOwnJobsOnly, stateCodes, type JobState } from './company.ts'
import { customerOf } from './customers.ts'
import { findOwn, invalid, lineOut, toLines, type Line } from './input.ts'
import { known, paged, pageParams, readDay, readSpan, type Listed } from './paging.ts'

export interface Job {
  serial: number
  uuid: string
  account: string
  customer: number
  kind: string
  state: JobState
  begins: number
  ends: number
  site: string
  remarks: string
  lines: Line[]
  charge: number
  settled: number
}

export const toJob = (row: Row): Job => ({
  serial: number(row, 'serial'),
  uuid: text(row, 'uuid'),
  account: text(row, 'account'),
  customer: number(row, 'customer'),
  kind: text(row, 'kind'),
  state: stateCodes.find((code) => code === row['state']) ?? 'filed',
  begins: number(row, 'begins'),
  ends: number(row, 'ends'),
  site: text(row, 'site'),
  remarks: text(row, 'remarks'),
  lines: toLines(row),
  charge: number(row, 'charge'),
  settled: number(row, 'settled'),
})

export const findJob = (db: DatabaseSync, serial: number): Job =>
  toJob(one(db, 'SELECT * FROM jobs WHERE serial = ?', serial) ?? {})

export const owingOf = ({ state, charge, settled }: Job): number => (state === 'called_off' ? 0 : charge - settled)

/** `?2` is 1 for somebody who sees only the jobs that they are on. */
const visible = `(?2 = 0 OR EXISTS (SELECT 1 FROM manned JOIN crew ON crew.serial = manned.person
  WHERE manned.job = jobs.serial AND crew.me = 1))`

/** The company's job that the address names. */
export function ownJob(request: SignedIn): Job {
  const { db, viewer, params } = request
  const sql = `SELECT * FROM jobs WHERE account = ?1 AND ${visible} AND uuid = ?3`
  const row = one(db, sql, viewer.account.account, seesOwnJobsOnly(request), params['uuid'] ?? '')
  if (!row) throw new Refusal(404, 'JOB_NOT_FOUND', 'There is no such job.')
  return toJob(row)
}

export const crewOf = (db: DatabaseSync, job: number): { serial: number; uuid: string; full_name: string }[] =>
  all(db, 'SELECT crew.* FROM manned JOIN crew ON crew.serial = person WHERE job = ? ORDER BY serial', job).map(
    (row) => ({
      serial: number(row, 'serial'),
      uuid: text(row, 'uuid'),
      full_name: text(row, 'full_name'),
    }),
  )

export const jobRow = (db: DatabaseSync, job: Job) => {
  const { uuid, name } = customerOf(db, job.customer)
  return {
    uuid: job.uuid,
    state: { code: job.state, label: jobStates[job.state] },
    kind: job.kind,
    begins_at: job.begins,
    ends_at: job.ends,
    customer: { uuid, full_name: name },
    site: job.site,
    crew: crewOf(db, job.serial).map((member) => ({ uuid: member.uuid, full_name: member.full_name })),
    charge_minor: job.charge,
    owing_minor: owingOf(job),
  }
}

export const receiptOut = (row: Row) => ({
  uuid: text(row, 'uuid'),
  amount_minor: number(row, 'amount'),
  means: text(row, 'means'),
  reference: text(row, 'reference'),
  received_at: number(row, 'received'),
})

export const jobFull = (db: DatabaseSync, job: Job) => {
  const row = jobRow(db, job)
  const bill = one(db, 'SELECT uuid FROM bills WHERE job = ?', job.serial)
  return {
    ...row,
    customer: { ...row.customer, mobile: customerOf(db, job.customer).mobile },
    remarks: job.remarks,
    lines: job.lines.map(lineOut),
    receipts: all(db, 'SELECT * FROM receipts WHERE job = ? ORDER BY received DESC, serial DESC', job.serial).map(
      receiptOut,
    ),
    bill: bill ? text(bill, 'uuid') : null,
  }
}

/** Codes or labels, capitals alike; none for all. */
function readStates(query: URLSearchParams): JobState[] {
  return query.getAll('state').map((given) => {
    const wanted = given.toLowerCase()
    const state = stateCodes.find((code) => code === wanted || jobStates[code].toLowerCase() === wanted)
    if (!state) throw new Refusal(400, 'STATE_UNKNOWN', `There is no state "${given}".`, 'state')
    return state
  })
}

/** Latest begin first; from 14 days ago until today where nothing else is said, or one day that is still ahead. */
export function listJobs(request: SignedIn): Listed<ReturnType<typeof jobRow>> {
  need(request, 'jobs')
  const { db, viewer, query, now } = request
  known(query, [...pageParams, 'from_day', 'until_day', 'member'], ['state'])
  const today = dayIn(ownCompany(request).zone, now)
  const first = readDay(query, 'from_day') ?? addDays(today, -14)
  const { from, until } = readSpan(request, first, readDay(query, 'until_day') ?? (first > today ? first : today))
  const states = readStates(query)
  const member = query.get('member')
  const person = member === null ? 0 : number(knownMember(request, member), 'serial')
  const sql = `SELECT serial FROM jobs WHERE account = ?1 AND ${visible} AND begins >= ?3 AND begins < ?4
    AND (?5 = '[]' OR state IN (SELECT value FROM json_each(?5)))
    AND (?6 = 0 OR EXISTS (SELECT 1 FROM manned WHERE job = serial AND person = ?6)) ORDER BY begins DESC, serial DESC`
  const values = [seesOwnJobsOnly(request), from, until, JSON.stringify(states), person]
  const find = (): number[] => all(db, sql, viewer.account.account, ...values).map((row) => number(row, 'serial'))
  return paged(request, 'jobs', find, (serial) => jobRow(db, findJob(db, serial)))
}

export function knownMember(request: SignedIn, uuid: string): Row {
  const row = findOwn(request, 'crew', uuid)
  if (!row) throw invalid('CREW_UNKNOWN', 'There is no such member of your crew.', 'member')
  return row
}

export function insertJob(db: DatabaseSync, job: Job, made: number): void {
  const { serial, uuid, account, customer, kind, state, begins, ends, site, remarks, lines, charge, settled } = job
  const values = [serial, uuid, account, customer, kind, state, begins, ends, site, remarks, JSON.stringify(lines)]
  run(db, 'INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values, charge, settled, made)
}

export function putOn(db: DatabaseSync, job: number, people: readonly { serial: number }[]): void {
  for (const { serial } of people) run(db, 'INSERT INTO manned VALUES (?, ?)', job, serial)
}
