import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { addDays, dayIn, isDay } from './clock.ts'
import { doorOf, need, nextSerial, ownCompany, uuidOf } from './company.ts'
import { customerOf } from './customers.ts'
import { findOwn, invalid, lineOut, readBody } from './input.ts'
import { findJob, owingOf, toJob, type Job } from './jobs.ts'
import { chosenWay, post, type Told } from './messages.ts'
import { known, paged, pageParams, readCode, readSince, type Listed } from './paging.ts'

export const standings = ['open', 'part_settled', 'settled'] as const

export interface Bill {
  serial: number
  uuid: string
  account: string
  job: number
  dueDay: string
  door: string
  made: number
  sent: number | null
}

export const toBill = (row: Row): Bill => ({
  serial: number(row, 'serial'),
  uuid: text(row, 'uuid'),
  account: text(row, 'account'),
  job: number(row, 'job'),
  dueDay: text(row, 'due_day'),
  door: text(row, 'door'),
  made: number(row, 'made'),
  sent: maybeNumber(row, 'sent') ?? null,
})

/** No job that was called off is ever billed, so that charge and receipts say it all. */
const standingSql = "CASE WHEN settled >= charge THEN 'settled' WHEN settled > 0 THEN 'part_settled' ELSE 'open' END"

const standingOf = ({ charge, settled }: Job): (typeof standings)[number] => {
  if (settled >= charge) return 'settled'
  return settled > 0 ? 'part_settled' : 'open'
}

const billRow = (db: DatabaseSync, bill: Bill) => {
  const job = findJob(db, bill.job)
  const { uuid, name } = customerOf(db, job.customer)
  return {
    uuid: bill.uuid,
    job: job.uuid,
    customer: { uuid, full_name: name },
    charge_minor: job.charge,
    owing_minor: owingOf(job),
    due_day: bill.dueDay,
    standing: standingOf(job),
    raised_at: bill.made,
    sent_out_at: bill.sent,
  }
}

/** With its lines, and with the page to pay on once it was sent out. */
export const billFull = ({ db, base }: SignedIn, bill: Bill) => ({
  ...billRow(db, bill),
  lines: findJob(db, bill.job).lines.map(lineOut),
  pay_page: bill.sent === null ? null : `${base}/pay/${bill.door}`,
})

/** Newest first, by when they were raised. */
export function listBills(request: SignedIn): Listed<ReturnType<typeof billRow>> {
  need(request, 'bills')
  const { db, viewer, query } = request
  known(query, [...pageParams, 'standing', 'since_day'])
  const standing = readCode(query, 'standing', standings) ?? ''
  const since = readSince(request)
  const sql = `SELECT b.serial FROM bills b JOIN jobs j ON j.serial = b.job WHERE b.account = ?1
    AND (?2 = '' OR ${standingSql} = ?2) AND b.made >= ?3 ORDER BY b.made DESC, b.serial DESC`
  const find = (): number[] => all(db, sql, viewer.account.account, standing, since).map((row) => number(row, 'serial'))
  return paged(request, 'bills', find, (serial) =>
    billRow(db, toBill(one(db, 'SELECT * FROM bills WHERE serial = ?', serial) ?? {})),
  )
}

export function ownBill(request: SignedIn): Bill {
  need(request, 'bills')
  const row = findOwn(request, 'bills', request.params['uuid'])
  if (!row) throw new Refusal(404, 'BILL_NOT_FOUND', 'There is no such bill.')
  return toBill(row)
}

export function knownJob(request: SignedIn, uuid: unknown): Job {
  const row = findOwn(request, 'jobs', uuid)
  if (!row) throw invalid('JOB_UNKNOWN', 'job must be the uuid of one of your jobs.', 'job')
  const job = toJob(row)
  if (job.state === 'called_off') throw new Refusal(409, 'JOB_CALLED_OFF', 'This job was called off.', 'job')
  return job
}

/** A bill for a job, with its lines and charge; due in 14 days where nothing else is said. Nobody hears of it. */
export function addBill(request: SignedIn, json: unknown): ReturnType<typeof billFull> {
  need(request, 'billing')
  const { db, viewer, now } = request
  const { account } = viewer.account
  const given = readBody(json, 'job', 'due_day')
  const job = knownJob(request, given['job'])
  if (job.charge === 0) throw new Refusal(409, 'NOTHING_TO_BILL', 'This job has no lines to bill.', 'job')
  if (count(db, 'bills WHERE job = ?', job.serial) > 0) {
    throw new Refusal(409, 'JOB_BILLED', 'This job has its bill already.', 'job')
  }
  const today = dayIn(ownCompany(request).zone, now)
  const dueDay = given['due_day'] ?? addDays(today, 14)
  if (typeof dueDay !== 'string' || !isDay(dueDay))
    throw invalid('DAY_INVALID', 'due_day must be such as 20260228.', 'due_day')
  if (dueDay < today) throw invalid('DUE_PASSED', 'due_day must not have passed.', 'due_day')
  const serial = nextSerial(db, 'bills', account)
  const door = doorOf('bills', serial)
  const bill: Bill = {
    serial,
    uuid: uuidOf('bills', serial),
    account,
    job: job.serial,
    dueDay,
    door,
    made: now,
    sent: null,
  }
  insertBill(db, bill)
  const shown = billFull(request, bill)
  request.effect('bill.add', shown)
  return shown
}

export function insertBill(db: DatabaseSync, { serial, uuid, account, job, dueDay, door, made, sent }: Bill): void {
  run(db, 'INSERT INTO bills VALUES (?, ?, ?, ?, ?, ?, ?, ?)', serial, uuid, account, job, dueDay, door, made, sent)
}

/** Sends a bill to the customer, with a link to pay by. */
export function sendBill(request: SignedIn, json: unknown): ReturnType<typeof billFull> & { told: Told } {
  need(request, 'billing')
  const { db, viewer, base, now } = request
  const bill = ownBill(request)
  const { via } = readBody(json, 'via')
  const job = findJob(db, bill.job)
  if (bill.sent !== null) throw new Refusal(409, 'BILL_SENT', 'This bill was sent out already.')
  if (owingOf(job) === 0) throw new Refusal(409, 'BILL_SETTLED', 'Nothing is left to pay.')
  const told = chosenWay(via, customerOf(db, job.customer))
  run(db, 'UPDATE bills SET sent = ? WHERE serial = ?', now, bill.serial)
  post(request, told, `${viewer.account.label}: your bill, pay online: ${base}/pay/${bill.door}`, bill.uuid)
  request.effect('bill.send', { bill: bill.uuid, told })
  return { ...billFull(request, { ...bill, sent: now }), told }
}
