import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../platform/body.ts'
import { number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

export type Fields = Readonly<Record<string, unknown>>

export const invalid = (code: string, message: string, at: string): Refusal => new Refusal(422, code, message, at)

/** A body with none but these fields. */
export function readBody(json: unknown, ...names: string[]): Fields {
  if (!isRecord(json)) throw new Refusal(400, 'BODY_INVALID', 'The body must be a JSON object.')
  return onlyKnown(json, '', names)
}

export function readObject(value: unknown, at: string, ...names: string[]): Fields {
  if (!isRecord(value)) throw invalid('OBJECT_INVALID', `${at} must be an object.`, at)
  return onlyKnown(value, `${at}.`, names)
}

function onlyKnown(value: Fields, before: string, names: string[]): Fields {
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) throw invalid('FIELD_UNKNOWN', `There is no field ${before}${name}.`, `${before}${name}`)
  }
  return value
}

/** A text as sent, '' where there is none. */
export function readText(value: unknown, at: string, limit: number): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw invalid('TEXT_INVALID', `${at} must be a text.`, at)
  if (Array.from(value).length > limit) {
    throw invalid('TEXT_TOO_LONG', `${at} may have ${limit} characters at most.`, at)
  }
  return value
}

export function readRequired(value: unknown, at: string, limit: number): string {
  const given = readText(value, at, limit)
  if (given.trim() === '') throw invalid('TEXT_REQUIRED', `${at} is required.`, at)
  return given
}

export function readMail(value: unknown, at: string): string {
  const mail = readText(value, at, 254)
  if (mail !== '' && !/^[^@\s,;<>]+@[^@\s,;<>.]+(\.[^@\s,;<>.]+)+$/.test(mail)) {
    throw invalid('MAIL_INVALID', `${at} is no e-mail address.`, at)
  }
  return mail
}

export function readMobile(value: unknown, at: string): string {
  const mobile = readText(value, at, 40)
  if (mobile !== '' && !/^\+?[\d ()./-]*\d[\d ()./-]*$/.test(mobile)) {
    throw invalid('MOBILE_INVALID', `${at} is no telephone number.`, at)
  }
  return mobile
}

export function readWhole(value: unknown, at: string, low: number, high: number, code: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    throw invalid(code, `${at} must be a whole number from ${low} to ${high}.`, at)
  }
  return value
}

/** Unix seconds, up to the end of the year 9999. */
export const readMoment = (value: unknown, at: string): number =>
  readWhole(value, at, 0, 253_402_300_799, 'TIME_INVALID')

export interface Window {
  begins: number
  ends: number
}

const year = 366 * 86_400

/** When somebody will be there: it has not begun, begins within two years, and is 5 minutes to 7 days long. */
export function readWindow({ begins_at, ends_at }: Fields, now: number): Window {
  const begins = readMoment(begins_at, 'begins_at')
  const ends = readMoment(ends_at, 'ends_at')
  if (ends < begins + 300)
    throw invalid('WINDOW_TOO_SHORT', 'ends_at must be 5 minutes after begins_at, or more.', 'ends_at')
  if (ends > begins + 7 * 86_400) throw invalid('WINDOW_TOO_LONG', 'A window may have 7 days at most.', 'ends_at')
  if (begins < now) throw invalid('TIME_PASSED', 'This window has begun already.', 'begins_at')
  if (begins > now + 2 * year) throw invalid('TIME_TOO_FAR', 'Plan two years ahead at most.', 'begins_at')
  return { begins, ends }
}

function readList(value: unknown, at: string, limit: number): unknown[] {
  if (!Array.isArray(value)) throw invalid('LIST_INVALID', `${at} must be a list.`, at)
  if (value.length > limit) throw invalid('LIST_TOO_LONG', `${at} may have ${limit} items at most.`, at)
  return value
}

/** The company's row of this uuid. */
export function findOwn({ db, viewer }: SignedIn, table: string, uuid: unknown): Row | undefined {
  if (typeof uuid !== 'string') return undefined
  return one(db, `SELECT * FROM ${table} WHERE uuid = ? AND account = ?`, uuid, viewer.account.account)
}

export interface Member {
  serial: number
  uuid: string
  name: string
}

/** Members of the crew by uuid, each once. */
export function readCrew(request: SignedIn, value: unknown, at: string): Member[] {
  if (value === undefined) return []
  const members = readList(value, at, 20).map((uuid) => {
    const row = findOwn(request, 'crew', uuid)
    if (!row) throw invalid('CREW_UNKNOWN', `${at} must hold uuids of your crew.`, at)
    return { serial: number(row, 'serial'), uuid: text(row, 'uuid'), name: text(row, 'full_name') }
  })
  if (new Set(members.map(({ serial }) => serial)).size < members.length) {
    throw invalid('CREW_TWICE', `${at} names somebody twice.`, at)
  }
  return members
}

export interface Line {
  label: string
  qty: number
  each: number
}

/** Lines of the price book: each `{ "entry": uuid, "qty": more than 0, two decimals at most }`. */
export function readLines(request: SignedIn, value: unknown): Line[] {
  return readList(value, 'lines', 50).map((item, index) => {
    const at = `lines[${index}]`
    const { entry, qty } = readObject(item, at, 'entry', 'qty')
    const row = findOwn(request, 'entries', entry)
    if (!row) throw invalid('ENTRY_UNKNOWN', `${at}.entry must be a uuid of your price book.`, `${at}.entry`)
    if (typeof qty !== 'number' || qty <= 0 || qty > 9999 || Number(qty.toFixed(2)) !== qty) {
      throw invalid('QTY_INVALID', `${at}.qty must be over 0, 9999 at most, with two decimals at most.`, `${at}.qty`)
    }
    return { label: text(row, 'label'), qty, each: number(row, 'each') }
  })
}

export const chargeOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { qty, each }) => sum + Math.round(qty * each), 0)

/** What was stored as JSON by this app itself. */
export const toLines = (row: Row): Line[] => JSON.parse(text(row, 'lines')) as Line[]

export const lineOut = ({ label, qty, each }: Line) => ({ label, qty, each_minor: each })

export function nameOf(db: DatabaseSync, person: number | undefined): { uuid: string; full_name: string } | null {
  const row = person === undefined ? undefined : one(db, 'SELECT uuid, full_name FROM crew WHERE serial = ?', person)
  return row ? { uuid: text(row, 'uuid'), full_name: text(row, 'full_name') } : null
}
