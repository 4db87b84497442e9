import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { all, count, number, one, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { idOf, type Frame, type Gallery } from './entities.ts'
import { invalid, readSent } from './input.ts'
import type { Wish } from './parameters.ts'
import { nextSerial, ownStudio } from './studio.ts'

export interface Reject {
  source: string
  why: 'no_web_address' | 'not_public' | 'not_found' | 'not_an_image'
}

const privateHost =
  /^(\[.*\]|[^.]*|.*\.(localhost|local|internal|invalid)|0\..*|10\..*|127\..*|169\.254\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/

function parsed(source: string): URL | undefined {
  if (source.length > 2000 || !URL.canParse(source)) return undefined
  const url = new URL(source)
  return /^https?:$/.test(url.protocol) && url.username === '' ? url : undefined
}

/** The file's last path segment, as people would write it; broken escapes stay as they are. */
function lastName(path: string): string {
  const name = path.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name).replaceAll('/', '_').slice(-120)
  } catch {
    return name.slice(-120)
  }
}

/**
 * What is at an address is told from the address alone: the sandbox never leaves the machine. Answers the file name, or
 * why there is no image.
 */
function fetched(source: string): { file: string; kb: number } | Reject['why'] {
  const url = parsed(source)
  if (!url) return 'no_web_address'
  if (privateHost.test(url.hostname)) return 'not_public'
  if (/missing|not-found|404/.test(url.pathname)) return 'not_found'
  const file = lastName(url.pathname)
  const ending = /\.([a-z0-9]{1,5})$/i.exec(file)?.[1]?.toLowerCase()
  if (file === '' || (ending !== undefined && !/^(jpe?g|png|webp|gif|heic|avif|tiff?)$/.test(ending))) {
    return 'not_an_image'
  }
  return { file: ending === undefined ? `${file}.jpg` : file, kb: 2000 + (hash32(source) % 8000) }
}

/** `bride.jpg`, and where that is taken `bride (2).jpg`. */
function freeName(file: string, taken: Set<string>): string {
  const dot = file.lastIndexOf('.')
  let name = file
  for (let turn = 2; taken.has(name); turn++) name = `${file.slice(0, dot)} (${turn})${file.slice(dot)}`
  taken.add(name)
  return name
}

function sources(data: unknown): string[] {
  if (!Array.isArray(data) || data.length === 0) {
    throw invalid('FRAMES_REQUIRED', 'data must be a list of frames.', 'data')
  }
  if (data.length > 200) throw invalid('TOO_MANY_FRAMES', 'Upload 200 frames at most at a time.', 'data')
  return data.map((item: unknown) => {
    const { source } = readSent(item, 'frames', ['source']).attributes
    if (typeof source !== 'string') throw invalid('FIELD_REQUIRED', 'source is required.', 'source')
    return source
  })
}

export interface Upload {
  stored: Frame[]
  rejects: Reject[]
  framesNow: number
}

/** All that can be fetched, or nothing where that does not fit into the plan. */
export function upload(request: SignedIn, gallery: Gallery, data: unknown): Upload {
  const { db, now } = request
  const { account, serial } = gallery
  const taken = new Set(fileNames(db, serial))
  const stored: Frame[] = []
  const rejects: Reject[] = []
  let next = nextSerial(db, 'frames', account)
  for (const source of sources(data)) {
    const found = fetched(source)
    if (typeof found === 'string') rejects.push({ source, why: found })
    else stored.push({ ...found, serial: next++, file: freeName(found.file, taken), source, made: now * 1000 })
  }
  const { quotaKb, usedKb } = ownStudio(request)
  if (usedKb + stored.reduce((sum, { kb }) => sum + kb, 0) > quotaKb) {
    throw new Refusal(409, 'PLAN_STORAGE_FULL', 'These frames do not fit into the storage of your plan.')
  }
  insertFrames(db, account, serial, stored)
  const files = stored.map(({ serial: frame, file, source }) => ({ id: idOf('frames', frame), file, source }))
  request.effect('frames.add', { gallery: idOf('galleries', serial), stored: files, rejects })
  return { stored, rejects, framesNow: gallery.frames + stored.length }
}

export function insertFrames(db: DatabaseSync, account: string, gallery: number, frames: readonly Frame[]): void {
  const insert = db.prepare('INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, file, source, kb, made } of frames) insert.run(serial, account, gallery, file, source, kb, made)
}

export function fileNames(db: DatabaseSync, gallery: number): string[] {
  return all(db, 'SELECT file FROM frames WHERE gallery = ? ORDER BY serial', gallery).map((row) => text(row, 'file'))
}

export function hasFile(db: DatabaseSync, gallery: number, file: string): boolean {
  return one(db, 'SELECT 1 AS found FROM frames WHERE gallery = ? AND file = ?', gallery, file) !== undefined
}

/** Newest first. */
export function listFrames(
  db: DatabaseSync,
  gallery: number,
  { size, below }: Wish,
): { rows: Frame[]; matching: number } {
  const sql = 'SELECT * FROM frames WHERE gallery = ? AND serial < ? ORDER BY serial DESC LIMIT ?'
  const rows = all(db, sql, gallery, below, size + 1).map((row) => ({
    serial: number(row, 'serial'),
    file: text(row, 'file'),
    source: text(row, 'source'),
    kb: number(row, 'kb'),
    made: number(row, 'made'),
  }))
  return { rows, matching: count(db, 'frames WHERE gallery = ?', gallery) }
}
