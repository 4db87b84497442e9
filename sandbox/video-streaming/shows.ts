import { randomBytes } from 'node:crypto'
import { number, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { invalid, needLine, readChoice, readFlag, readMoment, readObject, readText, readWhole } from './input.ts'
import { readPage, readSearch, type Page } from './paging.ts'
import { idOf, insertAll, needAdmin, nextSerial, ownRow, ownStudio } from './tables.ts'
import { showRow, type ShowRow } from './wire.ts'

export const vias = ['rtmp-feed', 'browser-studio', 'meeting'] as const

/** The latest to begin first. */
export function listShows(request: SignedIn): Page<ShowRow> {
  const { query, viewer } = request
  const from = 'shows WHERE account = ?1 AND instr(folded, ?2) > 0'
  const values = [viewer.account.account, readSearch(query)]
  return readPage(
    request,
    'shows',
    ['find'],
    () => ({ from, values, order: 'begins DESC, serial DESC' }),
    (row, view) => showRow(row, view),
  )
}

export function showFull(request: SignedIn) {
  const show = ownRow(request, 'shows', request.params['show'])
  return { ...showRow(show, request), blurb: text(show, 'blurb'), 'signed-up': number(show, 'signed') }
}

export const feedAddress = 'rtmp://ingest.velario.example/stage'

/** The key of an RTMP feed is in this answer and nowhere else. */
export function createShow(request: SignedIn): { show: Row; key: string | null } {
  needAdmin(request)
  const { db, json, viewer, now } = request
  const body = readObject(json, ['heading', 'blurb', 'begins', 'length-ms', 'via', 'sign-up'])
  const heading = needLine(body, 'heading', 200)
  const blurb = readText(body, 'blurb', 5000)
  const begins = readMoment(body, 'begins', now)
  if (begins === undefined) throw invalid('FIELD_REQUIRED', 'begins is required.', 'begins')
  const via = readChoice(body, 'via', vias)
  const signUp = readFlag(body, 'sign-up')
  const key = via === 'rtmp-feed' ? randomBytes(15).toString('base64url') : null
  const show = {
    serial: nextSerial(request),
    account: viewer.account.account,
    heading,
    folded: heading.toLowerCase(),
    blurb,
    begins,
    clock: ownStudio(request).zone,
    via,
    sign_up: signUp ? 1 : 0,
    signed: 0,
    length_ms: readWhole(body, 'length-ms', 60_000, 172_800_000) ?? 3_600_000,
    feed_key: key,
    added: now,
  }
  insertAll(db, 'shows', [show])
  request.effect('show.create', { ...showRow(show, request), show: idOf('shows', show.serial), blurb })
  return { show, key }
}
