import { asField } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { fields, text } from '../kit/wire.ts'

/** The session's seal is the same in every page; this answer is free. */
export const headerSeal: Csrf = {
  page: '/panel/me',
  answer: 'json',
  fills: { header: 'x-caminera-seal' },
  find: (page) => sealIn(page),
}

export const formSeal: Csrf = asField(headerSeal, 'seal')

function sealIn(page: string): string {
  return text(fields(JSON.parse(page))['seal'])
}
