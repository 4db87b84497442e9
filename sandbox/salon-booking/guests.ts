import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { flag, invalid, maybeWords, readBody, textList, words, type Slice } from './params.ts'
import { idOf, need, nextTick } from './salon.ts'
import { branchesOf, chosenBranch } from './shop.ts'
import { gone } from './visits.ts'

export interface Guest {
  id: string
  account: string
  n: number
  name: string
  mail: string | null
  mobile: string | null
  branch: string
  mailAds: boolean
  textAds: boolean
  allergies: string[]
}

const plain: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' }

/** How a name is sorted and found: without accents and capitals. */
export const fold = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđßæœı]/g, (sign) => plain[sign] ?? sign)

const digitsIn = (mobile: string): string => mobile.replace(/\D/g, '')

function toGuest(row: Row): Guest {
  return {
    id: text(row, 'id'),
    account: text(row, 'account'),
    n: number(row, 'n'),
    name: text(row, 'name'),
    mail: maybeText(row, 'mail') ?? null,
    mobile: maybeText(row, 'mobile') ?? null,
    branch: text(row, 'branch'),
    mailAds: number(row, 'mail_ads') === 1,
    textAds: number(row, 'text_ads') === 1,
    allergies: JSON.parse(text(row, 'allergies')) as string[],
  }
}

/** A guest of this salon; somebody else's does not exist. */
export function findGuest(db: DatabaseSync, account: string, id: string): Guest {
  const row = one(db, 'SELECT * FROM guests WHERE id = ? AND account = ?', id, account)
  if (!row) throw new Refusal(404, 'GUEST_NOT_FOUND', 'There is no guest with this id.')
  return toGuest(row)
}

/** The guest that a parameter or a field names. */
export function knownGuest(db: DatabaseSync, account: string, id: unknown): Guest {
  const row =
    typeof id === 'string' ? one(db, 'SELECT * FROM guests WHERE id = ? AND account = ?', id, account) : undefined
  if (!row) throw invalid('guest', 'You have no guest with this id.', 'GUEST_UNKNOWN')
  return toGuest(row)
}

export interface GuestFilter {
  search: string | undefined
  lastBefore: number | undefined
  branch: string | undefined
}

export interface GuestRow {
  guest: Guest
  /** The day of the last visit that has begun and was neither called off nor missed. */
  last: number | undefined
}

/** A to Z, as it stood at `slice.asOf`. */
export function listGuests(
  db: DatabaseSync,
  account: string,
  filter: GuestFilter,
  slice: Slice,
): { rows: GuestRow[]; total: number } {
  const { tick, time } = slice.asOf
  const last = `SELECT max(v.day) FROM visits v WHERE v.guest = g.id AND v.starts <= ? AND v.born <= ?
    AND (v.died IS NULL OR v.died > ?) AND v.state NOT IN ('${gone.join("', '")}')`
  const where = ['g.account = ?', 'g.born <= ?']
  const values: (string | number)[] = [account, tick]
  if (filter.branch !== undefined) {
    where.push('g.branch = ?')
    values.push(filter.branch)
  }
  if (filter.search !== undefined) {
    const digits = /^[\d\s+()/.-]+$/.test(filter.search) ? digitsIn(filter.search) : ''
    where.push("(instr(g.sort, ?) > 0 OR instr(lower(g.mail), ?) > 0 OR (? <> '' AND instr(g.digits, ?) > 0))")
    values.push(fold(filter.search), filter.search.toLowerCase(), digits, digits)
  }
  const list = `(SELECT g.*, (${last}) AS last FROM guests g WHERE ${where.join(' AND ')})`
  const all_ = [time, tick, tick, ...values]
  const condition = filter.lastBefore === undefined ? list : `${list} WHERE last < ?`
  if (filter.lastBefore !== undefined) all_.push(filter.lastBefore)
  const sql = `SELECT * FROM ${condition} ORDER BY sort, n LIMIT ? OFFSET ?`
  const rows = all(db, sql, ...all_, slice.limit, slice.offset)
  return {
    rows: rows.map((row) => ({ guest: toGuest(row), last: maybeNumber(row, 'last') })),
    total: count(db, condition, ...all_),
  }
}

export function insertGuest(db: DatabaseSync, g: Guest, tick: number): void {
  const ads = [g.mailAds ? 1 : 0, g.textAds ? 1 : 0]
  const reach = [g.mail, g.mobile, digitsIn(g.mobile ?? ''), g.branch, ...ads]
  const sql = 'INSERT INTO guests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, g.id, g.account, g.n, g.name, fold(g.name), ...reach, JSON.stringify(g.allergies), tick)
}

const fields = ['full_name', 'mail', 'mobile', 'branch', 'mail_ads', 'text_ads', 'sensitivities']

/** Puts a guest into the book; nobody gets a message. */
export function addGuest(request: SignedIn, json: unknown): Guest {
  need(request, 'guests')
  const { db, viewer } = request
  const { account } = viewer.account
  const body = readBody(json, fields)
  const name = words(body, 'full_name', 120).trim()
  const mail = maybeWords(body, 'mail', 200)?.trim().toLowerCase() ?? null
  if (mail !== null && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(mail)) {
    throw invalid('mail', 'This is no e-mail address.', 'MAIL_INVALID')
  }
  const mobile = maybeWords(body, 'mobile', 40)?.trim() ?? null
  if (mobile !== null && !/^\+?[\d\s()/.-]{5,}$/.test(mobile)) {
    throw invalid('mobile', 'This is no telephone number.', 'MOBILE_INVALID')
  }
  if (mail !== null && one(db, 'SELECT 1 FROM guests WHERE account = ? AND mail = ?', account, mail)) {
    throw invalid('mail', 'A guest with this address is in your book already.', 'GUEST_EXISTS')
  }
  const allergies = textList(body, 'sensitivities', 20)
  if (allergies.some((item) => item.length > 100)) {
    throw invalid('sensitivities', 'Each may have 100 characters.', 'TEXT_TOO_LONG')
  }
  const n = number(one(db, 'SELECT max(n) + 1 AS n FROM guests WHERE account = ?', account) ?? {}, 'n')
  const branch = chosenBranch(db, account, body['branch']) ?? branchesOf(db, account)[0]?.id ?? ''
  const ads = { mailAds: flag(body, 'mail_ads', false), textAds: flag(body, 'text_ads', false) }
  const guest = { id: idOf(account, 'guest', n), account, n, name, mail, mobile, branch, ...ads, allergies }
  insertGuest(db, guest, nextTick(db, account))
  const { id } = guest
  const flags = { mail_ads: ads.mailAds, text_ads: ads.textAds }
  request.effect('guest.add', { guest: id, full_name: name, mail, mobile, branch, ...flags, sensitivities: allergies })
  return guest
}
