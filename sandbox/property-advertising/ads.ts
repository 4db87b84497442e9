import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import { deals, phases, scoreOf, serialOf, type Ad, type Deal, type Phase } from './entities.ts'
import type { PageWish } from './paging.ts'

export function among<T extends string>(values: readonly T[], value: string): T {
  const found = values.find((name) => name === value)
  if (found === undefined) throw new TypeError(`Unexpected value ${value}.`)
  return found
}

function strings(json: string): string[] {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function toAd(row: Row): Ad {
  return {
    serial: number(row, 'serial'),
    account: text(row, 'account'),
    headline: text(row, 'headline'),
    deal: among(deals, text(row, 'deal')),
    phase: among(phases, text(row, 'phase')),
    cents: number(row, 'cents'),
    currency: text(row, 'currency'),
    built: number(row, 'built'),
    rooms: number(row, 'rooms'),
    baths: number(row, 'baths'),
    perks: strings(text(row, 'perks')),
    blurb: text(row, 'blurb'),
    pictures: number(row, 'pictures'),
    score: number(row, 'score'),
    city: text(row, 'city'),
    zone: text(row, 'zone'),
    closed: number(row, 'closed') === 1,
    created: number(row, 'created'),
    changed: number(row, 'changed'),
  }
}

const notFound = (): Refusal => new Refusal(404, 'AD_NOT_FOUND', 'You have no ad with this reference.')

/** An ad of this account; somebody else's does not exist. */
export function findAd(db: DatabaseSync, account: string, ref: string): Ad {
  const serial = serialOf(ref)
  const row =
    serial === undefined ? undefined : one(db, 'SELECT * FROM ads WHERE serial = ? AND account = ?', serial, account)
  if (!row) throw notFound()
  return toAd(row)
}

/** What the public sees: online ads only. */
export function findPublicAd(db: DatabaseSync, ref: string): Ad {
  const serial = serialOf(ref)
  const row =
    serial === undefined ? undefined : one(db, "SELECT * FROM ads WHERE serial = ? AND phase = 'online'", serial)
  if (!row) throw new Refusal(404, 'AD_NOT_ONLINE', 'This property is no longer advertised.')
  return toAd(row)
}

export function newestPublicAds(db: DatabaseSync): Ad[] {
  return all(db, "SELECT * FROM ads WHERE phase = 'online' ORDER BY created DESC, serial DESC LIMIT 30").map(toAd)
}

export interface AdFilter {
  phases: readonly Phase[]
  deals: readonly Deal[]
}

/** Newest first. One row more than asked for shows that there is a next page. */
export function listAds(
  db: DatabaseSync,
  account: string,
  filter: AdFilter,
  wish: PageWish<number>,
): { ads: Ad[]; total: number } {
  const marks = (values: readonly string[]): string => values.map(() => '?').join(', ')
  const where = `ads WHERE account = ? AND phase IN (${marks(filter.phases)}) AND deal IN (${marks(filter.deals)})`
  const values = [account, ...filter.phases, ...filter.deals]
  const sql = `SELECT * FROM ${where} AND serial < ? ORDER BY serial DESC LIMIT ? OFFSET ?`
  const rows = all(db, sql, ...values, wish.before ?? Number.MAX_SAFE_INTEGER, wish.size + 1, wish.offset)
  return { ads: rows.map(toAd), total: count(db, where, ...values) }
}

export type AdChange = Partial<Pick<Ad, 'cents' | 'blurb' | 'built' | 'rooms' | 'baths' | 'perks'>>

export function changeAd(db: DatabaseSync, ad: Ad, change: AdChange, now: number): Ad {
  if (ad.closed)
    throw new Refusal(409, 'AD_CLOSED_WITH_ACCOUNT', 'This ad was closed with its account and cannot be changed.')
  const next = { ...ad, ...change, changed: now }
  next.score = scoreOf(next)
  run(
    db,
    'UPDATE ads SET cents = ?, blurb = ?, built = ?, rooms = ?, baths = ?, perks = ?, score = ?, changed = ? WHERE serial = ?',
    next.cents,
    next.blurb,
    next.built,
    next.rooms,
    next.baths,
    JSON.stringify(next.perks),
    next.score,
    now,
    ad.serial,
  )
  return next
}

/** online → offline; online again from offline or lapsed, unless it was closed with its account. */
export function movePhase(db: DatabaseSync, ad: Ad, phase: 'online' | 'offline', now: number): Ad {
  if (phase === 'offline' && ad.phase !== 'online') {
    throw new Refusal(409, 'AD_NOT_ONLINE', 'Only an ad that is online can be taken offline.')
  }
  if (phase === 'online' && ad.closed) {
    throw new Refusal(409, 'AD_CLOSED_WITH_ACCOUNT', 'This ad was closed with its account and cannot come back.')
  }
  if (phase === 'online' && ad.phase === 'online')
    throw new Refusal(409, 'AD_ALREADY_ONLINE', 'This ad is online already.')
  run(db, 'UPDATE ads SET phase = ?, changed = ? WHERE serial = ?', phase, now, ad.serial)
  return { ...ad, phase, changed: now }
}

export function insertAd(db: DatabaseSync, ad: Ad): void {
  db.prepare(`INSERT INTO ads VALUES (${Array.from({ length: 19 }, () => '?').join(', ')})`).run(
    ad.serial,
    ad.account,
    ad.headline,
    ad.deal,
    ad.phase,
    ad.cents,
    ad.currency,
    ad.built,
    ad.rooms,
    ad.baths,
    JSON.stringify(ad.perks),
    ad.blurb,
    ad.pictures,
    ad.score,
    ad.city,
    ad.zone,
    ad.closed ? 1 : 0,
    ad.created,
    ad.changed,
  )
}

export function nextSerial(db: DatabaseSync, account: string): number {
  return number(one(db, 'SELECT max(serial) + 1 AS n FROM ads WHERE account = ?', account) ?? {}, 'n')
}
