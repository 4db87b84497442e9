import { asField } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fields, text } from '../kit/wire.ts'
import { resultOf } from './shared.ts'

/** The session's chit is the same in every page; this answer is free, and is there whatever state the class or pass is in. */
export const headerChit: Csrf = {
  page: '/staff/svc/whoami',
  answer: 'json',
  fills: { header: 'x-kettlewick-chit' },
  find: (page) => chitIn(page),
}

export const formChit: Csrf = asField(headerChit, 'chit')

function chitIn(page: string): string {
  return text(resultOf(fields(JSON.parse(page)))['Chit'])
}
