import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import type { Geo } from './atlas.ts'
import { dayIn } from './clock.ts'
import { nextId } from './ids.ts'
import { invalid, need, needConfirmed, readFields, readLine, readMedia, readMoment } from './input.ts'
import { readSpot, readText, readZone, type Fields, type Spot } from './input.ts'
import { homeZone, ownJourney, remeasure, type Journey } from './journeys.ts'
import { ownRow } from './lists.ts'
import { tellFollowers } from './notices.ts'

const perJourney = 400
const mediaPerEntry = 100

export interface Entry {
  id: number
  journey: number
  heading: string
  story: string
  spot: Omit<Spot, 'zone'>
  at: number
  zone: string
  /** Addresses of pictures and films. */
  media: string[]
  remarks: number
}

function toGeo(row: Row): Geo | null {
  const lat6 = maybeNumber(row, 'lat6')
  const lng6 = maybeNumber(row, 'lng6')
  return lat6 === undefined || lng6 === undefined ? null : { lat6, lng6 }
}

function toEntry(db: DatabaseSync, row: Row): Entry {
  const id = number(row, 'id')
  return {
    id,
    journey: number(row, 'journey'),
    heading: text(row, 'heading'),
    story: text(row, 'story'),
    spot: { label: text(row, 'spot'), land: maybeText(row, 'land') ?? null, geo: toGeo(row) },
    at: number(row, 'at'),
    zone: text(row, 'zone'),
    media: JSON.parse(text(row, 'media')) as string[],
    remarks: count(db, 'remarks WHERE entry = ?', id),
  }
}

export const ownEntry = (request: SignedIn): Entry => toEntry(request.db, ownRow(request, 'entries'))

function findEntry(db: DatabaseSync, id: number): Entry {
  return toEntry(db, one(db, 'SELECT * FROM entries WHERE id = ?', id) ?? {})
}

/** In the order of the journey; `fromDay` counts by the day on the clocks of each entry. */
export function listEntries(db: DatabaseSync, journey: number, fromDay = 0): Entry[] {
  return all(db, 'SELECT * FROM entries WHERE journey = ? ORDER BY at, id', journey)
    .map((row) => toEntry(db, row))
    .filter(({ at, zone }) => fromDay === 0 || dayIn(at, zone) >= fromDay)
}

export const isClip = (address: string): boolean => /\.(mp4|m4v|mov|webm|avi|mkv)$/i.test(new URL(address).pathname)

export const entryFields = ['spot', 'at', 'zone', 'heading', 'narrative', 'gallery']

type Draft = Pick<Entry, 'heading' | 'story' | 'spot' | 'at' | 'zone' | 'media'>

function readDraft(fields: Fields, home: string): Draft {
  const spot = need(readSpot(fields), 'spot')
  const at = need(readMoment(fields, 'at'), 'at')
  return {
    heading: readLine(fields, 'heading', 200) ?? spot.label,
    story: readText(fields, 'narrative', 20_000) ?? '',
    spot,
    at,
    zone: readZone(fields) ?? spot.zone ?? home,
    media: readMedia(fields, 0),
  }
}

function insert(request: SignedIn, journey: Journey, drafts: readonly Draft[]): Entry[] {
  const { db, viewer } = request
  if (journey.entries + drafts.length > perJourney) {
    throw new Refusal(409, 'JOURNEY_FULL', `A journey has ${perJourney} entries at most.`)
  }
  const first = nextId(request, 'entries')
  for (const [index, { heading, story, spot, at, zone, media }] of drafts.entries()) {
    const { label, land, geo } = spot
    const place = [label, land, geo?.lat6 ?? null, geo?.lng6 ?? null]
    const own = [first + index, viewer.account.account, journey.id, heading, story]
    const sql = 'INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
    run(db, sql, ...own, ...place, at, zone, JSON.stringify(media))
  }
  remeasure(db, journey.id)
  return drafts.map((_, index) => findEntry(db, first + index))
}

export function addEntry(request: SignedIn, fields: Fields): { entry: Entry; told: number } {
  const journey = ownJourney(request)
  needConfirmed(request)
  const [entry] = insert(request, journey, [readDraft(fields, homeZone(request))])
  if (!entry) throw new Error('No entry was made.')
  request.effect('entry.add', { journey: journey.id, entry: entry.id, ...fields })
  return { entry, told: tellFollowers(request, journey, entry.id, entry.heading) }
}

/** Many at once, all or none, numbered in the order of their moments; followers get one message. */
export function importEntries(request: SignedIn, given: unknown): { entries: Entry[]; told: number } {
  const journey = ownJourney(request)
  needConfirmed(request)
  if (!Array.isArray(given) || given.length === 0 || given.length > 100) {
    throw invalid('LIST_INVALID', 'entries must be a list of 1 to 100.', 'entries')
  }
  const home = homeZone(request)
  const drafts = given.map((one: unknown, index) => {
    try {
      return readDraft(readFields(one, entryFields, 'entry'), home)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, code, message, field } = error.problem
      throw new Refusal(status, code, message, `entries.${index}.${field ?? ''}`)
    }
  })
  const entries = insert(
    request,
    journey,
    drafts.toSorted((a, b) => a.at - b.at),
  )
  request.effect('entries.import', { journey: journey.id, ids: entries.map(({ id }) => id), entries: given })
  const told = tellFollowers(request, journey, entries[0]?.id ?? 0, `${entries.length} entries`)
  return { entries, told }
}

/** What is not sent stays as it is. */
export function editEntry(request: SignedIn, fields: Fields): Entry {
  const { db } = request
  const old = ownEntry(request)
  needConfirmed(request)
  if (Object.keys(fields).length === 0) throw invalid('NOTHING_TO_CHANGE', 'Nothing to change was sent.', 'heading')
  const heading = readLine(fields, 'heading', 200) ?? old.heading
  const story = readText(fields, 'narrative', 20_000) ?? old.story
  const { label, land, geo } = readSpot(fields) ?? old.spot
  const at = readMoment(fields, 'at') ?? old.at
  const zone = readZone(fields) ?? old.zone
  const sql = `UPDATE entries SET heading = ?, story = ?, spot = ?, land = ?, lat6 = ?, lng6 = ?, at = ?, zone = ?
    WHERE id = ?`
  run(db, sql, heading, story, label, land, geo?.lat6 ?? null, geo?.lng6 ?? null, at, zone, old.id)
  remeasure(db, old.journey)
  request.effect('entry.edit', { entry: old.id, ...fields })
  return findEntry(db, old.id)
}

export function addMedia(request: SignedIn, fields: Fields): { entry: Entry; added: number } {
  const old = ownEntry(request)
  needConfirmed(request)
  const media = readMedia(fields, 1)
  if (old.media.length + media.length > mediaPerEntry) {
    throw new Refusal(409, 'MEDIA_FULL', `An entry has ${mediaPerEntry} pictures and films at most.`)
  }
  run(request.db, 'UPDATE entries SET media = ? WHERE id = ?', JSON.stringify([...old.media, ...media]), old.id)
  request.effect('entry.media', { entry: old.id, gallery: media })
  return { entry: findEntry(request.db, old.id), added: media.length }
}
