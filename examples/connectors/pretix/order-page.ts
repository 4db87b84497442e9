import { UnknownShape, labelled, oneOf, select } from '@callgate/kit'
import type { Node } from '@callgate/kit'
import { amount, cell, localTime, terms } from './shared.ts'

const words = {
  'Approval pending': 'approval_pending',
  'Pending (confirmed)': 'pending_confirmed',
  Pending: 'pending',
  'Canceled (paid fee)': 'canceled_with_fee',
  Paid: 'paid',
  Expired: 'expired',
  Canceled: 'canceled',
} as const

export const Status = labelled(
  'Status',
  oneOf(
    ['approval_pending', 'pending_confirmed', 'pending', 'canceled_with_fee', 'paid', 'expired', 'canceled'],
    'pending: not paid yet; pending_confirmed: its tickets are good all the same.',
  ),
)

/** The words of the badge that an order has wherever it is shown. */
export function statusOf(badge: Node): string {
  const known: Readonly<Record<string, string>> = words
  const status = known[badge.text()]
  if (status === undefined) throw new UnknownShape('no known status of an order')
  return status
}

/** What a place begins with, where it is an address. */
export function emailIn(written: string): string | null {
  return /^\S+@\S+/.exec(written)?.[0] ?? null
}

/** An order, as its page shows it. */
export function orderOn(page: string) {
  const at = select(page)
  const facts = terms(at, '.panel-primary.items dl.dl-horizontal')
  const fact = (name: string): string => {
    const found = facts.get(name)?.text()
    if (found === undefined) throw new UnknownShape(`no "${name}"`)
    return found
  }
  const note = at.select('form[action$="/comment"]')
  const expires = facts.get('Expiry date')?.text()
  return {
    order_id: fact('Order code'),
    status: statusOf(at.select('#page-wrapper h1 .label.pull-right')),
    email: emailIn(fact('Contact email')),
    ordered: localTime(fact('Order date')),
    expires: expires === undefined ? null : localTime(expires),
    total: totalOf(at.all('.product-row.total')),
    positions: positionsOf(at.all('.product-row')),
    payments: paymentsOf(at.select('.payments table')),
    comment: note
      .select('textarea[name="comment"]')
      .content()
      .replace(/^\r?\n/, ''),
    follow_up: note.select('[name="custom_followup_at"]').attributeOrNull('value'),
    needs_attention: note.select('[name="checkin_attention"]').attributeOrNull('checked') !== null,
    check_in_text: note.select('[name="checkin_text"]').attributeOrNull('value'),
  }
}

/** An order has one at least, if only a cancelled one. */
function positionsOf(rows: readonly Node[]): readonly object[] {
  const found = rows.flatMap(position)
  if (found.length === 0) throw new UnknownShape('no position')
  return found
}

/** Rows of fees, taxes and sums begin with no number. */
function position(row: Node): readonly object[] {
  const [, number] = /^#(\d+) –/.exec(row.text()) ?? []
  if (number === undefined) return []
  const more = terms(row, 'dl')
  const name = more.get('Attendee name')
  return [
    {
      number: Number(number),
      product: row.first('strong').text(),
      price: amount(row.select('.price strong').text()),
      attendee_name: name === undefined || name.optional('em') !== null ? null : name.text(),
      attendee_email: emailIn(more.get('Attendee email')?.text() ?? ''),
      canceled: (row.attributeOrNull('class') ?? '').split(/\s+/).includes('pos-canceled'),
    },
  ]
}

function totalOf(sums: readonly Node[]): string {
  const total = sums.find((row) => row.first('strong').text() === 'Total')
  if (total === undefined) throw new UnknownShape('no total')
  return amount(total.select('.price').text())
}

function paymentsOf(table: Node): readonly object[] {
  return (
    table
      .all('tbody > tr', { emptyWhen: 'tbody:not(:has(*))' })
      // What a payment's provider tells of it stands in a row below it.
      .filter((row) => row.any('td[colspan]').length === 0)
      .map((row) => ({
        payment: cell(row, 0).text(),
        amount: amount(cell(row, -1).text()),
        status: cell(row, -2).select('.label').text(),
      }))
  )
}
