import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'

/** CSRF token, the same for the whole session; this read is free and has the studio's currency. */
export const headerTicket: Csrf = jsonToken({
  page: '/api/whoami',
  field: 'payload.ticket',
  header: 'x-velario-ticket',
})

export const formTicket: Csrf = asField(headerTicket, 'ticket')
