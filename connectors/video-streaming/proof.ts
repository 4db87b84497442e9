import { asField } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fields, text } from '../kit/wire.ts'

/** The session's ticket is the same everywhere; this answer is free, and also tells the studio's currency. */
export const headerTicket: Csrf = {
  page: '/api/whoami',
  answer: 'json',
  fills: { header: 'x-velario-ticket' },
  find: (page) => ticketIn(page),
}

export const formTicket: Csrf = asField(headerTicket, 'ticket')

function ticketIn(page: string): string {
  return text(fields(fields(JSON.parse(page))['payload'])['ticket'])
}
