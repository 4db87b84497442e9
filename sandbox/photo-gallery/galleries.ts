import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, count, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { idOf, serialOf, type Gallery } from './entities.ts'
import { readDayField, readLine, type Sent } from './input.ts'
import type { Wish } from './parameters.ts'
import { nextSerial } from './studio.ts'

const select = `SELECT g.*, (SELECT count(*) FROM frames WHERE gallery = g.serial) AS frames,
  (SELECT count(DISTINCT recipient) FROM mails WHERE about = 'galleries ' || g.serial) AS invited FROM galleries g`

function toGallery(row: Row): Gallery {
  return {
    serial: number(row, 'serial'),
    account: text(row, 'account'),
    key: text(row, 'key'),
    title: text(row, 'title'),
    shootDay: maybeText(row, 'shoot_day') ?? null,
    password: maybeText(row, 'password') ?? null,
    pin: maybeText(row, 'pin') ?? null,
    made: number(row, 'made'),
    frames: number(row, 'frames'),
    invited: number(row, 'invited'),
  }
}

/** A gallery of this account; somebody else's does not exist. */
export function ownGallery({ db, viewer, params }: SignedIn): Gallery {
  const serial = serialOf('galleries', params['gallery'] ?? '')
  const where = 'WHERE g.serial = ? AND g.account = ?'
  const row = serial === undefined ? undefined : one(db, `${select} ${where}`, serial, viewer.account.account)
  if (!row) throw new Refusal(404, 'GALLERY_NOT_FOUND', 'You have no gallery with this id.')
  return toGallery(row)
}

/** The gallery behind a public address. */
export function publicGallery(db: DatabaseSync, key: string): Gallery {
  const row = one(db, `${select} WHERE g.key = ?`, key)
  if (!row) throw new Refusal(404, 'GALLERY_NOT_FOUND', 'There is no gallery at this address.')
  return toGallery(row)
}

/** Newest first; one row more than asked for shows that there is a next page. */
export function listGalleries(
  db: DatabaseSync,
  account: string,
  search: string,
  { size, below }: Wish,
): { rows: Gallery[]; matching: number } {
  const where = 'WHERE account = ? AND instr(folded, ?) > 0'
  const sql = `${select} ${where} AND serial < ? ORDER BY serial DESC LIMIT ?`
  const rows = all(db, sql, account, search, below, size + 1).map(toGallery)
  return { rows, matching: count(db, `galleries ${where}`, account, search) }
}

export function createGallery(request: SignedIn, { attributes }: Sent): Gallery {
  const { db, viewer, now } = request
  const { account } = viewer.account
  const title = readLine(attributes['title'], 'title', 200)
  const serial = nextSerial(db, 'galleries', account)
  const gallery: Gallery = {
    serial,
    account,
    // Looks random, but the same after every reset.
    key: keyOf(title, hash32(`link ${account} ${serial}`).toString(16).padStart(8, '0') + serial.toString(36)),
    title,
    shootDay: readDayField(attributes['shoot_day'], 'shoot_day'),
    password: null,
    pin: null,
    made: now * 1000,
    frames: 0,
    invited: 0,
  }
  insertGallery(db, gallery)
  const { shootDay } = gallery
  request.effect('gallery.create', { id: idOf('galleries', serial), title, shoot_day: shootDay })
  return gallery
}

/** `anna-jose-1f3c…`: what can be read of the title, and what cannot be guessed. */
export function keyOf(title: string, secret: string): string {
  const words = title.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const readable = words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '')
  return readable === '' ? secret : `${readable}-${secret}`
}

export function insertGallery(db: DatabaseSync, g: Gallery): void {
  const { serial, account, key, title, shootDay, password, pin, made } = g
  const sql = 'INSERT INTO galleries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, serial, account, key, title, title.toLowerCase(), shootDay, password, pin, made)
}
