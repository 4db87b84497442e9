import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { count, maybeNumber, number, one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { listAreas, needCity, type Area } from './areas.ts'
import { slashDay, usd } from './formats.ts'
import { foldStreet, homeRow, kinds, ownHome, plans, type Home } from './homes.ts'
import { choice, invalid, money, needLine, readBody, readForm, text as readText, whole, type Fields } from './input.ts'
import { workupOf } from './market.ts'
import { readPage, type Page } from './paging.ts'
import { idOf, insertAll, nextSerial } from './tables.ts'

export const savedNames = ['home', 'street', 'kind', 'lane', 'ask', 'stars', 'memo', 'kept'] as const

export interface Saved {
  home: string
  street: string
  kind: string
  lane: string
  ask: string
  stars: number | null
  memo: string
  kept: string
}

const listed = `(SELECT saves.*, homes.street, homes.kind, homes.lane, homes.price FROM saves
  JOIN homes ON homes.serial = saves.home) WHERE account = ?1 AND serial <= ?2 AND (gone IS NULL OR gone > ?2)`

/** The last one saved first. */
export const listSaved = (request: SignedIn): Page<Saved> =>
  readPage(
    request,
    'saved',
    [],
    () => ({ from: listed }),
    (row) => ({
      home: idOf('homes', number(row, 'home')),
      street: text(row, 'street'),
      kind: text(row, 'kind'),
      lane: text(row, 'lane'),
      ask: usd(number(row, 'price')),
      stars: maybeNumber(row, 'stars') ?? null,
      memo: text(row, 'memo'),
      kept: slashDay(number(row, 'made')),
    }),
  )

export function isSaved(db: DatabaseSync, { serial }: Home): boolean {
  return one(db, 'SELECT 1 AS found FROM saves WHERE home = ? AND gone IS NULL', serial) !== undefined
}

const readStars = (fields: Fields): number | null => whole(fields, 'stars', 1, 5) ?? null

function insertSave(request: SignedIn, home: Home, stars: number | null, memo: string): void {
  const { db, viewer, now } = request
  const row = { serial: nextSerial(request), account: viewer.account.account, home: home.serial }
  insertAll(db, 'saves', [{ ...row, stars, memo, made: now, gone: null }])
}

/** Answers the home's id. */
export function keepHome(request: SignedIn): string {
  const home = ownHome(request)
  const fields = readForm(request.form, { texts: ['memo'], wholes: ['stars'] })
  const stars = readStars(fields)
  const memo = readText(fields, 'memo', 1000) ?? ''
  if (isSaved(request.db, home)) throw new Refusal(409, 'HOME_SAVED', 'You have saved this home already.')
  insertSave(request, home, stars, memo)
  const id = idOf('homes', home.serial)
  request.effect('saved.keep', { home: id, stars, memo })
  return id
}

/** The page's own form; leaving the stars empty takes the rating back. */
export function rateHome(request: SignedIn): string {
  const home = ownHome(request)
  const stars = readStars(readForm(request.form, { wholes: ['stars'] }))
  const sql = 'UPDATE saves SET stars = ? WHERE home = ? AND gone IS NULL'
  if (run(request.db, sql, stars, home.serial) === 0) throw notSaved()
  const id = idOf('homes', home.serial)
  request.effect('saved.rate', { home: id, stars })
  return id
}

const notSaved = (): Refusal => new Refusal(409, 'HOME_NOT_SAVED', 'This home is not among those that you saved.')

export function dropHome(request: SignedIn) {
  const { db, viewer } = request
  const home = ownHome(request)
  const sql = 'UPDATE saves SET gone = ? WHERE home = ? AND gone IS NULL'
  if (run(db, sql, nextSerial(request), home.serial) === 0) throw notSaved()
  const id = idOf('homes', home.serial)
  request.effect('saved.drop', { home: id })
  const left = count(db, 'saves WHERE account = ? AND gone IS NULL', viewer.account.account)
  return { home: id, saved: false, left }
}

/** Its city stands at the end of an address: `12 Elm St, Austin, TX 78701`. */
function hoodOf({ db, viewer }: SignedIn, street: string): Area {
  const [, city] = /^[^,]+,.*?([^,]+,\s*[A-Za-z]{2})(?:\s+\d{5})?\s*$/.exec(street) ?? []
  if (city === undefined) {
    throw invalid('FIELD_INVALID', 'street must be an address such as 12 Elm St, Austin, TX 78701.', 'street')
  }
  const areas = listAreas(db, viewer.account.account)
  const { serial } = needCity(areas, city, 'street')
  const hoods = areas.filter((area) => area.tier === 'hood' && area.city === serial)
  const hood = hoods[hash32(foldStreet(street)) % hoods.length]
  if (!hood) throw invalid('PLACE_UNKNOWN', `We do not cover ${city} yet.`, 'street')
  return hood
}

/** What is not given is estimated: the same for the same address. */
function estimate(request: SignedIn, street: string, fields: Fields): Omit<Home, 'serial'> {
  const { serial: area, city, x, y } = hoodOf(request, street)
  const chance = hash32(`estimate ${foldStreet(street)}`)
  const part = (size: number, step: number): number => Math.floor(chance / step) % size
  const price = money(fields, 'ask') ?? 180_000 + part(440, 7) * 1000
  if (price < 10_000) throw invalid('FIELD_INVALID', 'ask must be USD 10000 at least.', 'ask')
  const br = whole(fields, 'br', 0, 12) ?? 2 + part(3, 11)
  const ba = whole(fields, 'ba', 1, 12) ?? 1 + part(3, 13) / 2
  const rate = Math.round(70 + price / 2600 + part(40, 17))
  const rent = Math.round(price * (0.0055 + part(30, 19) / 10_000))
  const place = { area, city, x: x + part(4000, 23) - 2000, y: y + part(4000, 29) - 2000 }
  const kind = choice(fields, 'kind', kinds) ?? 'SFR'
  return {
    lane: 'private',
    street,
    ...place,
    kind,
    br,
    ba,
    price,
    rate,
    occBp: 4200 + part(3800, 31),
    rent,
    since: request.now,
  }
}

/** An address off the market: it is saved, and worked up. */
export function addUnlisted(request: SignedIn) {
  const { db, viewer } = request
  const { account } = viewer.account
  const fields = readBody(request.json, ['street', 'ask', 'kind', 'br', 'ba'])
  const street = needLine(fields, 'street', 200)
  const found = estimate(request, street, fields)
  const known = one(db, 'SELECT serial, lane FROM homes WHERE account = ? AND folded = ?', account, foldStreet(street))
  if (known) {
    const code = text(known, 'lane') === 'sale' ? 'ADDRESS_LISTED' : 'ADDRESS_KNOWN'
    throw new Refusal(409, code, `We have this address as ${idOf('homes', number(known, 'serial'))}.`, 'street')
  }
  const home = { serial: nextSerial(request), ...found }
  insertAll(db, 'homes', [homeRow(account, home)])
  insertSave(request, home, null, '')
  const { kind, br, ba } = home
  const made = { ...workupOf(home, plans), kind, br, ba }
  request.effect('home.unlisted', { home: made.home, street, ask: made.ask, kind, br, ba })
  return { ...made, saved: true }
}
