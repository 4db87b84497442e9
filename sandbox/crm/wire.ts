import type { Bill, Blueprint, Engagement, Package, Paper, Payment, Person, Stage } from './entities.ts'
import { billNumber, linkKey } from './entities.ts'
import { cursorOf, globalId, type ListName } from './ids.ts'
import type { Mail } from './mails.ts'
import { midnight, moment } from './moments.ts'
import type { Slice, Wish } from './tables.ts'

type Node = Record<string, unknown>

/** A connection as Relay has it. `endCursor` is there on the last page too: `hasNextPage` says whether to go on. */
export function connection<T extends { id: number }>(
  list: ListName,
  { rows, total }: Slice<T>,
  { first }: Wish,
  node: (row: T) => Node,
): Node {
  const edges = rows.slice(0, first).map((row) => ({ cursor: cursorOf(list, row.id), node: node(row) }))
  return {
    totalCount: total,
    edges,
    pageInfo: { endCursor: edges.at(-1)?.cursor ?? null, hasNextPage: rows.length > first },
  }
}

const money = (minor: number, currency: string): Node => ({ minor, currency })

export const stageOut = ({ id, label }: Stage): Node => ({ id: globalId('Stage', id), label })

export const packageOut = ({ id, label, minor, currency }: Package): Node => ({
  id: globalId('Package', id),
  label,
  rate: money(minor, currency),
})

export const blueprintOut = ({ id, kind, name, prompts }: Blueprint): Node => ({
  id: globalId('Blueprint', id),
  kind,
  heading: name,
  promptCount: prompts.length,
})

export const personOut = ({ id, name, mail, mobile }: Person): Node => ({
  id: globalId('Person', id),
  fullName: name,
  mail: mail === '' ? null : mail,
  mobile: mobile === '' ? null : mobile,
})

export const engagementId = (id: number): string => globalId('Engagement', id)

/** `zone` is the studio's: a moment is shown as its clock shows it, the day of the event as the place of the event has it. */
export const engagementOut = (engagement: Engagement, zone: string): Node => ({
  id: engagementId(engagement.id),
  headline: engagement.headline,
  person: personOut(engagement.person),
  track: engagement.track,
  stage: stageOut(engagement.stage),
  labels: engagement.labels,
  eventAt: engagement.eventOn === undefined ? null : midnight(engagement.eventOn, engagement.zone),
  openedAt: moment(engagement.opened, zone),
})

const paperHead = ({ id, kind, name, phase }: Paper): Node => ({
  id: globalId('Paper', id),
  kind,
  heading: name,
  phase,
})

const orNull = (seconds: number | undefined, zone: string): string | null =>
  seconds === undefined ? null : moment(seconds, zone)

export const paperOut = (paper: Paper, zone: string): Node => ({
  ...paperHead(paper),
  engagement: { id: engagementId(paper.engagement.id), headline: paper.engagement.headline },
  addedAt: moment(paper.added, zone),
  dispatchedAt: orNull(paper.sent, zone),
})

export const repliesOut = (paper: Paper, zone: string, skipBlank: boolean): Node => ({
  ...paperHead(paper),
  engagementId: engagementId(paper.engagement.id),
  revisedAt: orNull(paper.revised, zone),
  replies: paper.prompts
    .map(({ text, type }, index) => ({ prompt: text, type, values: paper.replies[index] ?? [] }))
    .filter(({ values }) => !skipBlank || values.length > 0),
})

export const billOut = (bill: Bill, zone: string): Node => ({
  id: globalId('Bill', bill.id),
  number: billNumber(bill.id),
  engagement: { id: engagementId(bill.engagement.id), headline: bill.engagement.headline },
  state: bill.sent === undefined ? 'DRAFT' : 'ISSUED',
  settled: bill.received >= bill.total,
  sum: money(bill.total, bill.currency),
  received: money(bill.received, bill.currency),
  outstanding: money(bill.total - bill.received, bill.currency),
  dueAt: bill.dueOn === undefined ? null : midnight(bill.dueOn, zone),
  raisedAt: moment(bill.raised, zone),
  dispatchedAt: orNull(bill.sent, zone),
})

export const paymentOut = (payment: Payment, currency: string, zone: string): Node => ({
  id: globalId('Payment', payment.id),
  worth: money(payment.minor, currency),
  method: payment.method,
  receivedAt: midnight(payment.receivedOn, zone),
  remark: payment.remark,
})

export const billSheet = (bill: Bill, payments: readonly Payment[], zone: string): Node => ({
  ...billOut(bill, zone),
  lines: bill.lines.map(({ label, quantity, unit }) => ({ label, quantity, unit: money(unit, bill.currency) })),
  plan: bill.plan.map(({ dueOn, minor }) => ({ dueAt: midnight(dueOn, zone), share: money(minor, bill.currency) })),
  payments: payments.map((payment) => paymentOut(payment, bill.currency, zone)),
})

export const engagementSheet = (
  engagement: Engagement,
  papers: readonly Paper[],
  bills: readonly Bill[] | null,
  zone: string,
): Node => ({
  ...engagementOut(engagement, zone),
  memo: engagement.memo,
  currency: engagement.currency,
  eventZone: engagement.zone,
  assignee: engagement.assignee,
  papers: papers.map(paperHead),
  bills: bills && bills.map((bill) => billOut(bill, zone)),
})

export const mailOut = ({ recipient, subject, at }: Mail, zone: string): Node => ({
  recipient,
  subject,
  at: moment(at, zone),
})

export const linkTo = (base: string, type: 'p' | 'b', id: number): string => `${base}/${type}/${linkKey(type, id)}`
