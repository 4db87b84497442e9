import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, maybeText, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { spanOf } from './clock.ts'
import { atNow, crewOf, ownFirm, parseId, pick, type At, type Named } from './firm.ts'
import { badParameter, option, type Found, type Slice } from './paging.ts'

export const states = ['Open', 'Slated', 'Working', 'Paused', 'Dropped', 'Done'] as const
export type State = (typeof states)[number]
export const stages = ['Fresh', 'Won', 'Lost'] as const
export type Stage = (typeof stages)[number]

interface Shared {
  id: number
  account: string
  client: number
  clientTitle: string
  service: string
  internal: string
  scope: string
  made: number
  /** The estimate went out by mail, once at least. */
  quoted: boolean
  /** Day of the next visit, or else of the last. */
  slated: number | undefined
}

/** A job has a state, a lead (a job that is not won yet) has a stage. */
export type Order = Shared & ({ kind: 'Job'; state: State } | { kind: 'Lead'; stage: Stage })

export interface Line {
  id: number
  label: string
  remark: string
  qty: number
  each: number
  sum: number
}

export interface Visit {
  id: number
  topic: string
  starts: number
  ends: number
  crew: Named | undefined
  remark: string
}

export interface Hours {
  id: number
  crew: Named
  day: number
  time: number
  remark: string
}

/** All orders of all firms as they stood: a job without a state of its own is slated once it has a visit. */
const view = ({ tick, today }: At): string => `(SELECT o.*, c.title, s.label,
  CASE WHEN o.state <> '' THEN o.state WHEN last_day IS NULL THEN 'Open' ELSE 'Slated' END AS state_now,
  coalesce(next_day, last_day) AS slated FROM (SELECT o.*,
    (SELECT min(day) FROM visits v WHERE v.order_id = o.id AND v.born <= ${tick} AND v.day >= ${today}) AS next_day,
    (SELECT max(day) FROM visits v WHERE v.order_id = o.id AND v.born <= ${tick}) AS last_day
    FROM orders o WHERE o.account = ? AND o.born <= ${tick}) o
  JOIN clients c ON c.id = o.client JOIN services s ON s.id = o.service) o`

function toOrder(row: Row, { tick }: At): Order {
  const shared: Shared = {
    id: number(row, 'id'),
    account: text(row, 'account'),
    client: number(row, 'client'),
    clientTitle: text(row, 'title'),
    service: text(row, 'label'),
    internal: text(row, 'internal'),
    scope: text(row, 'scope'),
    made: number(row, 'made'),
    quoted: (maybeNumber(row, 'quoted') ?? Number.MAX_SAFE_INTEGER) <= tick,
    slated: maybeNumber(row, 'slated'),
  }
  const stage = stages.find((known) => known === maybeText(row, 'stage'))
  if (stage) return { ...shared, kind: 'Lead', stage }
  const state = states.find((known) => known === text(row, 'state_now'))
  if (!state) throw new TypeError(`Order ${shared.id} has no known state.`)
  return { ...shared, kind: 'Job', state }
}

/** A job or lead of this firm; somebody else's does not exist. */
export function ownOrder(request: SignedIn): Order {
  const { db, viewer, params, now } = request
  const at = atNow(ownFirm(request), now)
  const sql = `SELECT * FROM ${view(at)} WHERE o.id = ?`
  const row = one(db, sql, viewer.account.account, parseId(params['order'] ?? ''))
  if (!row) throw new Refusal(404, 'ORDER_NOT_FOUND', 'You have no job or lead with this number.')
  return toOrder(row, at)
}

/** The same, where leads are not meant. */
export function ownJob(request: SignedIn): Order & { kind: 'Job' } {
  const order = ownOrder(request)
  if (order.kind === 'Lead') throw new Refusal(409, 'NOT_A_JOB', 'This is a lead, not a job.')
  return order
}

/** In the order of their numbers, that is as they were made. */
function list(
  db: DatabaseSync,
  account: string,
  { at, limit, offset }: Slice,
  conditions: readonly string[],
  values: readonly (string | number)[],
): Found<Order> {
  const where = `${view(at)} WHERE ${conditions.join(' AND ')}`
  const rows = all(db, `SELECT * FROM ${where} ORDER BY o.id LIMIT ? OFFSET ?`, account, ...values, limit, offset)
  return { rows: rows.map((row) => toOrder(row, at)), found: count(db, where, account, ...values) }
}

export function listJobs(request: SignedIn, slice: Slice): Found<Order> {
  const { db, viewer, query } = request
  const { account } = viewer.account
  const conditions = ['stage IS NULL']
  const values: (string | number)[] = []
  const state = option(request, 'State', states)
  if (state) {
    conditions.push('state_now = ?')
    values.push(state)
  }
  const name = query.get('Span')
  if (name !== null) {
    const span = spanOf(name, slice.at.today)
    if (!span) throw badParameter('Span', 'Span must be one such as Today or NextWeek.')
    conditions.push('slated BETWEEN ? AND ?')
    values.push(...span)
  }
  const crew = query.get('Crew')
  if (crew !== null) {
    conditions.push('EXISTS (SELECT 1 FROM visits v WHERE v.order_id = o.id AND v.crew = ? AND v.born <= ?)')
    values.push(pick(crewOf(db, account), crew, 'Crew', 'CREW_UNKNOWN').id, slice.at.tick)
  }
  return list(db, account, slice, conditions, values)
}

export function listLeads(request: SignedIn, slice: Slice): Found<Order> {
  const { db, viewer } = request
  const stage = option(request, 'Stage', stages)
  const conditions = ['stage IS NOT NULL', ...(stage ? ['stage = ?'] : [])]
  return list(db, viewer.account.account, slice, conditions, stage ? [stage] : [])
}

export function ordersOf(request: SignedIn, client: number): Order[] {
  const { db, viewer, now } = request
  const at = atNow(ownFirm(request), now)
  const sql = `SELECT * FROM ${view(at)} WHERE o.client = ? ORDER BY o.id`
  return all(db, sql, viewer.account.account, client).map((row) => toOrder(row, at))
}

/** Who goes there: the names of all visits, each once. */
export function namesOn(db: DatabaseSync, order: number, tick: number): string[] {
  const sql = `SELECT c.name, min(v.id) AS first FROM visits v JOIN crew c ON c.id = v.crew
    WHERE v.order_id = ? AND v.born <= ? GROUP BY c.id ORDER BY first`
  return all(db, sql, order, tick).map((row) => text(row, 'name'))
}

export function linesOf(db: DatabaseSync, order: number): Line[] {
  return all(db, 'SELECT * FROM lines WHERE order_id = ? ORDER BY id', order).map((row) => ({
    id: number(row, 'id'),
    label: text(row, 'label'),
    remark: text(row, 'remark'),
    qty: number(row, 'qty'),
    each: number(row, 'each'),
    sum: number(row, 'sum'),
  }))
}

export const totalOf = (lines: readonly Line[]): number => lines.reduce((total, { sum }) => total + sum, 0)

export function visitsOf(db: DatabaseSync, order: number): Visit[] {
  const sql = `SELECT v.*, c.name FROM visits v LEFT JOIN crew c ON c.id = v.crew WHERE order_id = ? ORDER BY starts, v.id`
  return all(db, sql, order).map((row) => ({
    id: number(row, 'id'),
    topic: text(row, 'topic'),
    starts: number(row, 'starts'),
    ends: number(row, 'ends'),
    crew: row['crew'] === null ? undefined : { id: number(row, 'crew'), name: text(row, 'name') },
    remark: text(row, 'remark'),
  }))
}

export function hoursOf(db: DatabaseSync, order: number): Hours[] {
  const sql = 'SELECT h.*, c.name FROM hours h JOIN crew c ON c.id = h.crew WHERE order_id = ? ORDER BY day, h.id'
  return all(db, sql, order).map((row) => ({
    id: number(row, 'id'),
    crew: { id: number(row, 'crew'), name: text(row, 'name') },
    day: number(row, 'day'),
    time: number(row, 'time'),
    remark: text(row, 'remark'),
  }))
}
