import { run } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { billOf } from './bills.ts'
import { mailOf, ownClient } from './clients.ts'
import { dayIn } from './clock.ts'
import { crewOf, nextId, nextTick, ownFirm, pick, servicesOf, type Named } from './firm.ts'
import { choice, figure, invalid, moment, needFigure, needWords, pastDay, words, zoneOf, type Fields } from './input.ts'
import { post, quoteLetter } from './mails.ts'
import { linesOf, ownJob, ownOrder, totalOf, type Hours, type Line } from './orders.ts'

export const orderFields = ['Kind', 'ClientNo', 'Service', 'Internal', 'Scope'] as const
export const lineFields = ['Label', 'Qty', 'Each', 'Remark'] as const
export const visitFields = ['Topic', 'From', 'Till', 'Zone', 'Crew', 'Remark'] as const
export const hoursFields = ['Crew', 'Day', 'Time', 'Remark'] as const
export const mailFields = ['Message'] as const

const most = 10_000_000_000

/** Nobody is written to. */
export function addOrder(request: SignedIn, fields: Fields): { id: number; kind: 'Job' | 'Lead' } {
  const { db, viewer, now } = request
  const { account } = viewer.account
  const kind = choice(fields, 'Kind', ['Job', 'Lead'], 'Job')
  const client = ownClient(request, needWords(fields, 'ClientNo', 20))
  const wanted = needWords(fields, 'Service', 200)
  const service = pick(servicesOf(db, account), wanted, 'Service', 'SERVICE_UNKNOWN')
  const [internal, scope] = [words(fields, 'Internal', 10_000), words(fields, 'Scope', 10_000)]
  const id = nextId(request, 'orders')
  const stage = kind === 'Lead' ? 'Fresh' : null
  const sql = 'INSERT INTO orders VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, NULL, ?)'
  run(db, sql, id, account, client.id, service.id, stage, internal, scope, now, nextTick(db, account))
  request.effect('order.add', { id, kind, client: client.id, service: service.name, internal, scope })
  return { id, kind }
}

/** On the estimate or the bill of an order, until that is settled. */
export function addLine(request: SignedIn, fields: Fields): { line: Line; total: number } {
  const { db } = request
  const order = ownOrder(request)
  if (billOf(db, order.id)?.settled) throw new Refusal(409, 'BILL_SETTLED', 'The bill of this order is settled.')
  const label = needWords(fields, 'Label', 200)
  const qty = figure(fields, 'Qty', 1, 1_000_000) ?? 100
  const each = needFigure(fields, 'Each', 0, 100_000_000)
  const remark = words(fields, 'Remark', 1000)
  const sum = Math.round((qty * each) / 100)
  const total = totalOf(linesOf(db, order.id)) + sum
  if (total > most) throw invalid('Each', 'TOTAL_TOO_HIGH', 'The total may be 100.000.000,00.')
  const line = { id: nextId(request, 'lines'), label, remark, qty, each, sum }
  const born = nextTick(db, order.account)
  const sql = 'INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, line.id, order.account, order.id, label, remark, qty, each, sum, born)
  request.effect('line.add', { order: order.id, ...line, total })
  return { line, total }
}

function activeCrew({ db, viewer }: SignedIn, wanted: string): Named {
  const { id, name, active } = pick(crewOf(db, viewer.account.account), wanted, 'Crew', 'CREW_UNKNOWN')
  if (!active) throw invalid('Crew', 'CREW_LEFT', `${name} does not work here any more.`)
  return { id, name }
}

/** A visit makes an open job a slated one. Nobody is written to. */
export function addVisit(request: SignedIn, fields: Fields): { order: number; id: number } {
  const { db } = request
  const firm = ownFirm(request)
  const job = ownJob(request)
  if (job.state === 'Dropped') throw new Refusal(409, 'ORDER_DROPPED', 'This job was dropped.')
  if (job.state === 'Done') throw new Refusal(409, 'ORDER_DONE', 'This job is done.')
  const zone = zoneOf(fields, firm.zone)
  const [starts, ends] = [moment(fields, 'From', zone), moment(fields, 'Till', zone)]
  if (ends <= starts) throw invalid('Till', 'TIMES_BACKWARDS', 'Till must be after From.')
  if (ends - starts > 14 * 86_400) throw invalid('Till', 'VISIT_TOO_LONG', 'A visit may take 14 days.')
  const topic = words(fields, 'Topic', 200) || job.service
  const wanted = words(fields, 'Crew', 120)
  const crew = wanted === '' ? undefined : activeCrew(request, wanted)
  const remark = words(fields, 'Remark', 2000)
  const id = nextId(request, 'visits')
  const place = [dayIn(starts, firm.zone), crew?.id ?? null, remark, nextTick(db, firm.account)]
  const sql = 'INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, id, firm.account, job.id, topic, starts, ends, ...place)
  request.effect('visit.add', { order: job.id, id, topic, starts, ends, crew: crew?.id ?? null, remark })
  return { order: job.id, id }
}

export function addHours(request: SignedIn, fields: Fields): Hours {
  const { db, now } = request
  const { account, zone } = ownFirm(request)
  const job = ownJob(request)
  if (job.state === 'Dropped') throw new Refusal(409, 'ORDER_DROPPED', 'This job was dropped.')
  const crew = activeCrew(request, needWords(fields, 'Crew', 120))
  const day = pastDay(fields, 'Day', dayIn(now, zone))
  const time = needFigure(fields, 'Time', 1, 2400)
  const remark = words(fields, 'Remark', 2000)
  const entry = { id: nextId(request, 'hours'), crew, day, time, remark }
  run(db, 'INSERT INTO hours VALUES (?, ?, ?, ?, ?, ?, ?)', entry.id, account, job.id, crew.id, day, time, remark)
  request.effect('hours.add', { order: job.id, ...entry, crew: crew.id })
  return entry
}

/** The client gets the estimate of a lead by mail, as often as it is sent. */
export function mailQuote(request: SignedIn, fields: Fields): { order: number; mail: number } {
  const { db, viewer } = request
  const lead = ownOrder(request)
  if (lead.kind === 'Job') throw new Refusal(409, 'NOT_A_LEAD', 'This is a job, not a lead.')
  const recipient = mailOf(db, ownClient(request, String(lead.client)))
  const message = words(fields, 'Message', 2000)
  const born = nextTick(db, lead.account)
  if (!lead.quoted) run(db, 'UPDATE orders SET quoted = ? WHERE id = ?', born, lead.id)
  const firm = { label: viewer.account.label, currency: ownFirm(request).currency }
  const letter = quoteLetter(firm, lead, linesOf(db, lead.id), message)
  const mail = post(request, { order: lead.id, kind: 'Quote', recipient, ...letter }, born)
  request.effect('quote.mail', { order: lead.id, recipient, message, mail })
  return { order: lead.id, mail }
}
