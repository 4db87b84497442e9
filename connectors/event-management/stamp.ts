import { asField } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fields, text } from '../kit/wire.ts'

/** One stamp for the whole session, in an answer that is free. */
export const headerStamp: Csrf = {
  page: '/organizer/v1/me',
  answer: 'json',
  fills: { header: 'x-stamp' },
  find: (page) => stampIn(page),
}

export const formStamp: Csrf = asField(headerStamp, 'stamp')

function stampIn(page: string): string {
  return text(fields(JSON.parse(page))['stamp'])
}
