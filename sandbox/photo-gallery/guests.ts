import type { DatabaseSync } from 'node:sqlite'
import { all, maybeText, number, one, run, text } from '../platform/rows.ts'
import { Refusal, type AppRequest } from '../platform/types.ts'
import { idOf, type Gallery, type Grab, type Heart } from './entities.ts'
import { hasFile } from './frames.ts'
import { invalid, readMail, readWords } from './input.ts'
import { nextSerial } from './studio.ts'

/** Latest first; with a remark only, without one only, or all. */
export function listHearts(db: DatabaseSync, gallery: number, noted: boolean | undefined): Heart[] {
  const which = noted === undefined ? '' : `AND remark IS ${noted ? 'NOT NULL' : 'NULL'}`
  return all(db, `SELECT * FROM hearts WHERE gallery = ? ${which} ORDER BY serial DESC`, gallery).map((row) => ({
    serial: number(row, 'serial'),
    file: text(row, 'file'),
    who: text(row, 'who'),
    remark: maybeText(row, 'remark') ?? null,
    made: number(row, 'made'),
  }))
}

/** Latest first. */
export function listGrabs(db: DatabaseSync, gallery: number): Grab[] {
  return all(db, 'SELECT * FROM grabs WHERE gallery = ? ORDER BY serial DESC', gallery).map((row) => ({
    serial: number(row, 'serial'),
    who: text(row, 'who'),
    files: number(row, 'files'),
    made: number(row, 'made'),
  }))
}

/** Throws unless the guest gave the password of a locked gallery. */
export function mayEnter(gallery: Gallery, password: string | null): void {
  if (gallery.password !== null && gallery.password !== password) {
    throw new Refusal(403, 'PASSWORD_WRONG', 'This is not the password of the gallery.', 'password')
  }
}

/** A guest likes a frame; liking it again changes the remark. */
export function addHeart(request: AppRequest, gallery: Gallery): Heart {
  const { db, form, now } = request
  mayEnter(gallery, form.get('password'))
  const who = readMail(form.get('who'), 'who').toLowerCase()
  const file = form.get('file') ?? ''
  if (!hasFile(db, gallery.serial, file)) throw new Refusal(404, 'FRAME_NOT_FOUND', 'There is no such frame.', 'file')
  const words = readWords(form.get('remark'), 'remark', 1000).trim()
  const known = one(
    db,
    'SELECT serial FROM hearts WHERE gallery = ? AND file = ? AND who = ?',
    gallery.serial,
    file,
    who,
  )
  if (known) run(db, 'DELETE FROM hearts WHERE serial = ?', number(known, 'serial'))
  const serial = nextSerial(db, 'hearts', gallery.account)
  const heart: Heart = { serial, file, who, remark: words === '' ? null : words, made: now * 1000 }
  insertHearts(db, gallery, [heart])
  const { remark } = heart
  request.effect('heart.add', { gallery: idOf('galleries', gallery.serial), file, who, remark })
  return heart
}

export function addGrab(request: AppRequest, gallery: Gallery): Grab {
  const { db, form, now } = request
  mayEnter(gallery, form.get('password'))
  const who = readMail(form.get('who'), 'who').toLowerCase()
  if (gallery.pin !== null && gallery.pin !== form.get('pin')) {
    throw new Refusal(403, 'PIN_WRONG', 'This is not the download PIN of the gallery.', 'pin')
  }
  if (gallery.frames === 0) throw invalid('GALLERY_EMPTY', 'There is nothing to download yet.', 'gallery')
  const serial = nextSerial(db, 'grabs', gallery.account)
  const grab: Grab = { serial, who, files: gallery.frames, made: now * 1000 }
  insertGrabs(db, gallery, [grab])
  request.effect('grab.add', { gallery: idOf('galleries', gallery.serial), who, files: grab.files })
  return grab
}

export function insertHearts(db: DatabaseSync, { account, serial }: Gallery, hearts: readonly Heart[]): void {
  const insert = db.prepare('INSERT INTO hearts VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const h of hearts) insert.run(h.serial, account, serial, h.file, h.who, h.remark, h.made)
}

export function insertGrabs(db: DatabaseSync, { account, serial }: Gallery, grabs: readonly Grab[]): void {
  const insert = db.prepare('INSERT INTO grabs VALUES (?, ?, ?, ?, ?, ?)')
  for (const g of grabs) insert.run(g.serial, account, serial, g.who, g.files, g.made)
}
