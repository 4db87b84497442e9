import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'

/** CSRF token, the same for the whole session; reading it is free. */
export const headerSeal: Csrf = jsonToken({ page: '/api/self', field: 'seal', header: 'x-seal' })

export const formSeal: Csrf = asField(headerSeal, 'seal')
