import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { doorOf, need, nextSerial, uuidOf } from './company.ts'
import { customerOf, knownCustomer } from './customers.ts'
import { chargeOf, findOwn, invalid, lineOut, readBody, readLines, readText, toLines, type Line } from './input.ts'
import { chosenWay, post, type Told } from './messages.ts'
import { known, paged, pageParams, readCode, readSince, type Listed } from './paging.ts'

export const estimateStages = ['draft', 'out', 'accepted', 'turned_down'] as const
export type EstimateStage = (typeof estimateStages)[number]

export interface Estimate {
  serial: number
  uuid: string
  account: string
  customer: number
  lines: Line[]
  charge: number
  remarks: string
  stage: EstimateStage
  door: string
  made: number
  sent: number | null
}

export const toEstimate = (row: Row): Estimate => ({
  serial: number(row, 'serial'),
  uuid: text(row, 'uuid'),
  account: text(row, 'account'),
  customer: number(row, 'customer'),
  lines: toLines(row),
  charge: number(row, 'charge'),
  remarks: text(row, 'remarks'),
  stage: estimateStages.find((stage) => stage === row['stage']) ?? 'draft',
  door: text(row, 'door'),
  made: number(row, 'made'),
  sent: maybeNumber(row, 'sent') ?? null,
})

const estimateRow = (db: DatabaseSync, estimate: Estimate) => {
  const { uuid, name } = customerOf(db, estimate.customer)
  return {
    uuid: estimate.uuid,
    customer: { uuid, full_name: name },
    charge_minor: estimate.charge,
    stage: estimate.stage,
    drafted_at: estimate.made,
    sent_out_at: estimate.sent,
  }
}

/** With its lines, and with the page to accept it on once it was sent out. */
export const estimateFull = ({ db, base }: SignedIn, estimate: Estimate) => ({
  ...estimateRow(db, estimate),
  lines: estimate.lines.map(lineOut),
  remarks: estimate.remarks,
  accept_page: estimate.stage === 'draft' ? null : `${base}/e/${estimate.door}`,
})

/** Newest first, by when they were drafted. */
export function listEstimates(request: SignedIn): Listed<ReturnType<typeof estimateRow>> {
  need(request, 'estimates')
  const { db, viewer, query } = request
  known(query, [...pageParams, 'stage', 'since_day'])
  const stage = readCode(query, 'stage', estimateStages) ?? ''
  const since = readSince(request)
  const sql = `SELECT serial FROM estimates WHERE account = ?1 AND (?2 = '' OR stage = ?2) AND made >= ?3
    ORDER BY made DESC, serial DESC`
  const find = (): number[] => all(db, sql, viewer.account.account, stage, since).map((row) => number(row, 'serial'))
  return paged(request, 'estimates', find, (serial) =>
    estimateRow(db, toEstimate(one(db, 'SELECT * FROM estimates WHERE serial = ?', serial) ?? {})),
  )
}

export function ownEstimate(request: SignedIn): Estimate {
  need(request, 'estimates')
  const row = findOwn(request, 'estimates', request.params['uuid'])
  if (!row) throw new Refusal(404, 'ESTIMATE_NOT_FOUND', 'There is no such estimate.')
  return toEstimate(row)
}

/** A draft of lines of the price book. Nobody hears of it. */
export function addEstimate(request: SignedIn, json: unknown): ReturnType<typeof estimateFull> {
  need(request, 'quote')
  const { db, viewer, now } = request
  const { account } = viewer.account
  const given = readBody(json, 'customer', 'lines', 'remarks')
  const customer = knownCustomer(request, given['customer'])
  const lines = readLines(request, given['lines'])
  if (lines.length === 0) throw invalid('LINES_REQUIRED', 'An estimate needs a line.', 'lines')
  const serial = nextSerial(db, 'estimates', account)
  const estimate: Estimate = {
    serial,
    uuid: uuidOf('estimates', serial),
    account,
    customer: customer.serial,
    lines,
    charge: chargeOf(lines),
    remarks: readText(given['remarks'], 'remarks', 4000),
    stage: 'draft',
    door: doorOf('estimates', serial),
    made: now,
    sent: null,
  }
  insertEstimate(db, estimate)
  const shown = estimateFull(request, estimate)
  request.effect('estimate.add', shown)
  return shown
}

export function insertEstimate(db: DatabaseSync, estimate: Estimate): void {
  const { serial, uuid, account, customer, lines, charge, remarks, stage, door, made, sent } = estimate
  const values = [serial, uuid, account, customer, JSON.stringify(lines), charge, remarks, stage, door, made, sent]
  run(db, 'INSERT INTO estimates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values)
}

/** Sends a draft to the customer, with a link to accept it by. */
export function sendEstimate(request: SignedIn, json: unknown): ReturnType<typeof estimateFull> & { told: Told } {
  need(request, 'quote')
  const { db, viewer, base, now } = request
  const estimate = ownEstimate(request)
  const { via } = readBody(json, 'via')
  if (estimate.stage !== 'draft') throw new Refusal(409, 'ESTIMATE_NOT_DRAFT', 'This estimate was sent out already.')
  const told = chosenWay(via, customerOf(db, estimate.customer))
  run(db, "UPDATE estimates SET stage = 'out', sent = ? WHERE serial = ?", now, estimate.serial)
  post(
    request,
    told,
    `${viewer.account.label}: your estimate, please accept: ${base}/e/${estimate.door}`,
    estimate.uuid,
  )
  request.effect('estimate.send', { estimate: estimate.uuid, told })
  return { ...estimateFull(request, { ...estimate, stage: 'out', sent: now }), told }
}
