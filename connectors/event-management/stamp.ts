import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'

/** CSRF token, the same for the whole session; reading it is free. */
export const headerStamp: Csrf = jsonToken({ page: '/organizer/v1/me', field: 'stamp', header: 'x-stamp' })

export const formStamp: Csrf = asField(headerStamp, 'stamp')
