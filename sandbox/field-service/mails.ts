import { all, count, number, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { nextId, parseId } from './firm.ts'
import { decimal } from './numbers.ts'
import { totalOf, type Line, type Order } from './orders.ts'
import type { Found, Slice } from './paging.ts'

interface Letter {
  subject: string
  words: string
}

export interface Mail extends Letter {
  id: number
  order: number
  kind: 'Quote' | 'Bill'
  recipient: string
  sent: number
}

interface Sender {
  label: string
  currency: string
}

const written = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

function listed({ currency }: Sender, lines: readonly Line[]): string {
  const rows = lines.map(({ label, qty, sum }) => `${decimal(qty)} × ${label}: ${decimal(sum)} ${currency}`)
  return [...rows, `Total: ${decimal(totalOf(lines))} ${currency}`].join('\n')
}

export function quoteLetter(firm: Sender, lead: Order, lines: readonly Line[], message: string): Letter {
  const head = `${firm.label} estimates for ${lead.service}, number ${lead.id}:`
  return { subject: `Estimate ${lead.id}`, words: written([message, head, lead.scope, listed(firm, lines)]) }
}

export function billLetter(
  firm: Sender,
  job: Order,
  bill: { id: number; address: string },
  lines: readonly Line[],
  message: string,
): Letter {
  const head = `${firm.label} bills ${job.service}, job ${job.id}:`
  const words = written([message, head, job.scope, listed(firm, lines), `See your bill: ${bill.address}`])
  return { subject: `Bill ${bill.id}`, words }
}

/** What reaches a client; answers the mail's number. */
export function post(request: SignedIn, mail: Omit<Mail, 'id' | 'sent'>, born: number): number {
  const id = nextId(request, 'mails')
  const { order, kind, recipient, subject, words } = mail
  const values = [order, kind, recipient, subject, words, request.now, born]
  const { account } = request.viewer.account
  run(request.db, 'INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', id, account, ...values)
  return id
}

/** As they were sent, of one order or of all. */
export function listMails({ db, viewer, query }: SignedIn, { at, limit, offset }: Slice): Found<Mail> {
  const wanted = query.get('OrderNo')
  const order = wanted === null ? null : parseId(wanted)
  const where = 'mails WHERE account = ? AND born <= ? AND (? IS NULL OR order_id = ?)'
  const values = [viewer.account.account, at.tick, order, order]
  const rows = all(db, `SELECT * FROM ${where} ORDER BY id LIMIT ? OFFSET ?`, ...values, limit, offset)
  const found = count(db, where, ...values)
  const toMail = (row: (typeof rows)[number]): Mail => ({
    id: number(row, 'id'),
    order: number(row, 'order_id'),
    kind: text(row, 'kind') === 'Bill' ? 'Bill' : 'Quote',
    recipient: text(row, 'recipient'),
    subject: text(row, 'subject'),
    words: text(row, 'words'),
    sent: number(row, 'sent'),
  })
  return { rows: rows.map(toMail), found }
}
