import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'

/** CSRF token, the same for the whole session; reading it is free. */
export const headerSeal: Csrf = jsonToken({ page: '/panel/me', field: 'seal', header: 'x-caminera-seal' })

export const formSeal: Csrf = asField(headerSeal, 'seal')
