import type { DatabaseSync } from 'node:sqlite'
import { number, one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { need, nextSerial, uuidOf } from './company.ts'
import { findOwn, invalid, readBody, readMoment, readText, readWhole } from './input.ts'
import { findJob, owingOf, receiptOut, type Job } from './jobs.ts'
import { knownJob } from './bills.ts'

/** `online` is what customers pay by themselves on the bill's page. */
export const means = ['cash', 'cheque', 'bank', 'card_reader', 'other'] as const

interface Receipt {
  serial: number
  account: string
  job: number
  amount: number
  means: string
  reference: string
  received: number
}

export function insertReceipt(db: DatabaseSync, receipt: Receipt): void {
  const { serial, account, job, amount, reference, received } = receipt
  const uuid = uuidOf('receipts', serial)
  run(
    db,
    'INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    serial,
    uuid,
    account,
    job,
    amount,
    receipt.means,
    reference,
    received,
  )
}

/** Books money for a job, and so for its bill. */
export function settle(
  db: DatabaseSync,
  job: Job,
  receipt: Pick<Receipt, 'amount' | 'means' | 'reference' | 'received'>,
): number {
  const serial = nextSerial(db, 'receipts', job.account)
  insertReceipt(db, { ...receipt, serial, account: job.account, job: job.serial })
  run(db, 'UPDATE jobs SET settled = settled + ? WHERE serial = ?', receipt.amount, job.serial)
  return serial
}

function readTarget(request: SignedIn, job: unknown, bill: unknown): Job {
  if ((job === undefined) === (bill === undefined)) throw invalid('TARGET_REQUIRED', 'Give either job or bill.', 'job')
  if (bill === undefined) return knownJob(request, job)
  const row = findOwn(request, 'bills', bill)
  if (!row) throw invalid('BILL_UNKNOWN', 'bill must be the uuid of one of your bills.', 'bill')
  return findJob(request.db, number(row, 'job'))
}

const receiptFull = (db: DatabaseSync, serial: number, job: Job) => {
  const bill = one(db, 'SELECT uuid FROM bills WHERE job = ?', job.serial)
  const receipt = receiptOut(one(db, 'SELECT * FROM receipts WHERE serial = ?', serial) ?? {})
  const owing_minor = owingOf(findJob(db, job.serial))
  return { ...receipt, job: job.uuid, bill: bill ? text(bill, 'uuid') : null, owing_minor }
}

/** Notes money that was received already: no card is charged, nobody hears of it. */
export function addReceipt(request: SignedIn, json: unknown): ReturnType<typeof receiptFull> {
  need(request, 'till')
  const { db, now } = request
  const given = readBody(json, 'job', 'bill', 'amount_minor', 'means', 'reference', 'received_at')
  const amount = readWhole(given['amount_minor'], 'amount_minor', 1, 1_000_000_000_000, 'AMOUNT_INVALID')
  const way = means.find((one) => one === given['means'])
  if (!way) throw invalid('MEANS_INVALID', `means must be one of ${means.join(', ')}.`, 'means')
  const reference = readText(given['reference'], 'reference', 200)
  const received = given['received_at'] === undefined ? now : readMoment(given['received_at'], 'received_at')
  if (received > now) throw invalid('TIME_AHEAD', 'received_at must have passed.', 'received_at')
  const job = readTarget(request, given['job'], given['bill'])
  const owing = owingOf(job)
  if (owing === 0) throw new Refusal(409, 'NOTHING_OWING', 'Nothing is left to pay.')
  if (amount > owing) throw invalid('AMOUNT_TOO_HIGH', `Only ${owing} are owing.`, 'amount_minor')
  const serial = settle(db, job, { amount, means: way, reference, received })
  const shown = receiptFull(db, serial, job)
  request.effect('receipt.add', shown)
  return shown
}
