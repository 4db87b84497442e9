import type { Csrf } from '../kit/csrf.ts'
import { fields, text } from '../kit/wire.ts'

/** The session's seal is the same in every page; this answer is free. */
export const headerSeal: Csrf = {
  page: '/panel/me',
  answer: 'json',
  find: (page) => ({ headers: { 'x-caminera-seal': sealIn(page) } }),
}

export const formSeal: Csrf = { ...headerSeal, find: (page) => ({ form: { seal: sealIn(page) } }) }

function sealIn(page: string): string {
  return text(fields(JSON.parse(page))['seal'])
}
