import { asField } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fields, text } from '../kit/wire.ts'

/** The session's proof is the same in every page; this answer is free, and is there whatever state the gallery or bill is in. */
export const headerProof: Csrf = {
  page: '/api/me',
  answer: 'json',
  fills: { header: 'x-proof' },
  find: (page) => proofIn(page),
}

export const formProof: Csrf = asField(headerProof, 'proof')

function proofIn(page: string): string {
  return text(fields(fields(JSON.parse(page))['meta'])['proof'])
}
