import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'

/** CSRF token, the same for the whole session; this read is free and needs no gallery or bill. */
export const headerProof: Csrf = jsonToken({ page: '/api/me', field: 'meta.proof', header: 'x-proof' })

export const formProof: Csrf = asField(headerProof, 'proof')
