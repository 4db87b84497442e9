import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'

/** The session's seal is the same everywhere; this answer is free. */
export const headerSeal: Csrf = jsonToken({ page: '/api/self', field: 'seal', header: 'x-seal' })

export const formSeal: Csrf = asField(headerSeal, 'seal')
