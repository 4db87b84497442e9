import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'

/** CSRF token, the same for the whole session; this read is free and needs no class or pass. */
export const headerChit: Csrf = jsonToken({
  page: '/staff/svc/whoami',
  field: 'Result.Chit',
  header: 'x-kettlewick-chit',
})

export const formChit: Csrf = asField(headerChit, 'chit')
