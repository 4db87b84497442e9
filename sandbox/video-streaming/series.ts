import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, run, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { invalid, needLine, readChoice, readList, readObject, readShelves, readText, readWhole } from './input.ts'
import { readPage, readSearch, type Page } from './paging.ts'
import { idOf, insertAll, needAdmin, nextSerial, ownRow } from './tables.ts'
import { entryOut, seriesRow, type SeriesRow } from './wire.ts'

const dayMs = 86_400_000

export const ownSeries = (request: SignedIn): Row => ownRow(request, 'series', request.params['series'])

const clipCount = (db: DatabaseSync, series: Row): number =>
  count(db, 'entries WHERE series = ? AND clip IS NOT NULL', number(series, 'serial'))

/** Newest first. */
export function listSeries(request: SignedIn): Page<SeriesRow> {
  const { db, query, viewer } = request
  const from = 'series WHERE account = ?1 AND instr(folded, ?2) > 0'
  const values = [viewer.account.account, readSearch(query)]
  return readPage(
    request,
    'series',
    ['find'],
    () => ({ from, values }),
    (row) => seriesRow(row, clipCount(db, row)),
  )
}

/** With its running order, as viewers see it. */
export function seriesFull({ db }: SignedIn, series: Row) {
  const sql = `SELECT e.*, c.heading FROM entries e LEFT JOIN clips c ON c.serial = e.clip WHERE e.series = ? ORDER BY place`
  return {
    ...seriesRow(series, clipCount(db, series)),
    blurb: text(series, 'blurb'),
    gate: text(series, 'gate'),
    'running-order': all(db, sql, number(series, 'serial')).map(entryOut),
  }
}

export function createSeries(request: SignedIn): Row {
  needAdmin(request)
  const { db, viewer, now } = request
  const body = readObject(request.json, ['heading', 'blurb', 'gate', 'shelves', 'clips'])
  const heading = needLine(body, 'heading', 200)
  const gate = readChoice(body, 'gate', ['members', 'open'], 'members')
  const blurb = readText(body, 'blurb', 5000)
  const shelves = readShelves(request, body)
  const clips = readList(body, 'clips', 200)
  if (clips.length === 0) throw invalid('FIELD_REQUIRED', 'A series is made from clips.', 'clips')
  const found = clips.map((id) => number(ownRow(request, 'clips', id, 'clips'), 'serial'))
  const series = {
    serial: nextSerial(request),
    account: viewer.account.account,
    heading,
    folded: heading.toLowerCase(),
    blurb,
    airing: 'hidden',
    gate,
    shelves,
    added: now,
  }
  insertAll(db, 'series', [series])
  const entries = found.map((clip, place) => ({ series: series.serial, place, clip, caption: null, unlock_ms: 0 }))
  insertAll(db, 'entries', entries)
  const asked = { heading, gate, blurb, shelves: body['shelves'] ?? [], clips }
  request.effect('series.create', { series: idOf('series', series.serial), ...asked })
  return series
}

interface Entry {
  clip: number | null
  caption: string | null
  unlock_ms: number
}

function readEntry(request: SignedIn, value: unknown, gated: boolean): Entry {
  const kind = readChoice(readObject(value, ['kind', 'clip', 'caption', 'unlock-after-ms']), 'kind', ['clip', 'break'])
  if (kind === 'break') {
    return { clip: null, caption: needLine(readObject(value, ['kind', 'caption']), 'caption', 200), unlock_ms: 0 }
  }
  const fields = readObject(value, ['kind', 'clip', 'unlock-after-ms'])
  const wait = readWhole(fields, 'unlock-after-ms', 0, 3650 * dayMs) ?? 0
  if (wait % dayMs !== 0) throw invalid('WAIT_NOT_IN_DAYS', 'Clips wait for whole days.', 'unlock-after-ms')
  if (wait > 0 && !gated) throw invalid('WAIT_NEEDS_GATE', 'Only clips for members can wait.', 'unlock-after-ms')
  const clip = ownRow(request, 'clips', fields['clip'], 'clip')
  return { clip: number(clip, 'serial'), caption: null, unlock_ms: wait }
}

/** Replaces the whole running order: what is not in the new one is out of the series. */
export function setOrder(request: SignedIn): Row {
  needAdmin(request)
  const { db, json, params } = request
  const series = ownSeries(request)
  const order = readObject(json, ['running-order'])['running-order']
  if (!Array.isArray(order)) throw invalid('LIST_INVALID', 'running-order must be a list.', 'running-order')
  if (order.length > 500) throw invalid('LIST_TOO_LONG', 'A series has 500 entries at most.', 'running-order')
  const gated = text(series, 'gate') === 'members'
  const entries = order.map((value: unknown) => readEntry(request, value, gated))
  const clips = entries.flatMap(({ clip }) => clip ?? [])
  if (new Set(clips).size < clips.length) {
    throw invalid('LISTED_TWICE', 'A clip is in a series once at most.', 'running-order')
  }
  const serial = number(series, 'serial')
  run(db, 'DELETE FROM entries WHERE series = ?', serial)
  const rows = entries.map((entry, place) => ({ series: serial, place, ...entry }))
  insertAll(db, 'entries', rows)
  request.effect('series.order', { series: params['series'], 'running-order': order })
  return series
}
