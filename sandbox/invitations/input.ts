import { Refusal } from '../platform/types.ts'

export const invalid = (code: string, message: string, field: string): Refusal => new Refusal(422, code, message, field)

/** Refuses fields that a form does not have, and single ones that come twice. */
export function onlyFields(form: URLSearchParams, single: readonly string[], many: readonly string[] = []): void {
  for (const name of new Set(form.keys())) {
    if (![...single, ...many, 'formKey'].includes(name)) {
      throw invalid('FIELD_UNKNOWN', `There is no field ${name} here.`, name)
    }
    if (!many.includes(name) && form.getAll(name).length > 1) {
      throw invalid('FIELD_TWICE', `Give ${name} once.`, name)
    }
  }
}

/** A text as sent, but for line ends as forms send them; '' where there is none. */
export function readText(value: unknown, field: string, limit: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${field} must be a text.`, field)
  const text = value.replaceAll('\r\n', '\n')
  if (Array.from(text).length > limit) {
    throw invalid('TEXT_TOO_LONG', `${field} may have ${limit} characters at most.`, field)
  }
  return text
}

export function requireText(value: unknown, field: string, limit: number): string {
  const text = readText(value, field, limit)
  if (text.trim() === '') throw invalid('FIELD_REQUIRED', `${field} is required.`, field)
  return text
}

/** '' where there is none. */
export function readMail(value: unknown, field: string): string {
  const mail = readText(value, field, 254)
  if (mail !== '' && !/^[^@\s,;<>"]+@[^@\s,;<>".]+(\.[^@\s,;<>".]+)+$/.test(mail)) {
    throw invalid('MAIL_INVALID', `${field} must be an e-mail address.`, field)
  }
  return mail
}

/** As written, '' where there is none. */
export function readPhone(value: unknown, field: string): string {
  const phone = readText(value, field, 40)
  if (phone !== '' && (!/^\+?[\d ()./-]+$/.test(phone) || phone.replaceAll(/\D/g, '').length < 5)) {
    throw invalid('PHONE_INVALID', `${field} must be a phone number.`, field)
  }
  return phone
}

/** A moment in milliseconds, later than now; undefined where the field is empty. */
export function readMoment(text: string | null, field: string, now: number): number | undefined {
  if (text === null || text === '') return undefined
  if (!/^\d{1,14}$/.test(text)) throw invalid('TIME_INVALID', `${field} must be Unix milliseconds.`, field)
  const at = Number(text)
  if (at <= now) throw invalid('TIME_PAST', `${field} must lie in the future.`, field)
  if (at > now + 2 * 366 * 86_400_000) throw invalid('TIME_TOO_FAR', `${field} is over two years ahead.`, field)
  return at
}

/** What a search looks in: names, addresses and numbers, the latter also without blanks and signs. */
export function fold(name: string, mail: string, phones: readonly string[]): string {
  const digits = phones.map((phone) => phone.replaceAll(/[^\d+]/g, ''))
  return [name, mail, ...phones, ...digits].join('\n').toLowerCase()
}
