import { all, number, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { offsetTime } from './clock.ts'
import {
  invalid,
  needLine,
  readChoice,
  readForm,
  readList,
  readMoment,
  readObject,
  readShelves,
  readText,
} from './input.ts'
import { tellMembers } from './mails.ts'
import { asOfNow, readFilter, readPage, readSearch, type Page } from './paging.ts'
import { fetched } from './sources.ts'
import { idOf, insertAll, needAdmin, nextSerial, ownRow, ownStudio } from './tables.ts'
import { airings, airingOf, clipRow, type ClipRow } from './wire.ts'

export const ownClip = (request: SignedIn): Row => ownRow(request, 'clips', request.params['clip'])

/** Newest first. Which clips are in it, and what they are like, is as of the snapshot. */
export function listClips(request: SignedIn): Page<ClipRow> {
  const { query, viewer } = request
  const airing = readFilter(query, 'airing', airings)
  const from = `clips WHERE account = ?1 AND instr(folded, ?2) > 0 AND (?3 = '' OR ?3 = CASE
    WHEN decided IS NULL OR decided > ?4 THEN 'hidden' WHEN release > ?5 THEN 'timed' ELSE 'public' END)`
  return readPage(
    request,
    'clips',
    ['airing', 'find'],
    (view) => ({ from, values: [viewer.account.account, readSearch(query), airing, view.serial, view.now] }),
    (row, view) => clipRow(row, view, view.zone),
  )
}

/** The series that a clip is part of. */
export const seriesOf = ({ db }: SignedIn, clip: Row): string[] =>
  all(db, 'SELECT DISTINCT series FROM entries WHERE clip = ? ORDER BY series', number(clip, 'serial')).map((row) =>
    idOf('series', number(row, 'series')),
  )

export function uploadClip(request: SignedIn): Row {
  const { db, viewer, now } = request
  const body = readObject(request.json, ['source', 'heading', 'blurb', 'shelves'])
  const source = needLine(body, 'source', 2000)
  const heading = needLine(body, 'heading', 200)
  const blurb = readText(body, 'blurb', 5000)
  const shelves = readShelves(request, body)
  const { lengthMs, encoding } = fetched(source)
  const clip = {
    serial: nextSerial(request),
    account: viewer.account.account,
    source,
    heading,
    folded: heading.toLowerCase(),
    blurb,
    labels: '[]',
    shelves,
    length_ms: lengthMs,
    ready: now + encoding,
    added: now,
    decided: null,
    release: null,
    teaser: 0,
  }
  insertAll(db, 'clips', [clip])
  const asked = { source, heading, blurb, shelves: body['shelves'] ?? [] }
  request.effect('clip.upload', { clip: idOf('clips', clip.serial), ...asked })
  return clip
}

/** Changes what is given and leaves the rest. */
export function editClip(request: SignedIn): Row {
  const clip = ownClip(request)
  const body = readObject(request.json, ['heading', 'blurb', 'labels', 'shelves'])
  if (Object.keys(body).length === 0) throw invalid('NOTHING_TO_CHANGE', 'Give something to change.', 'heading')
  const heading = 'heading' in body ? needLine(body, 'heading', 200) : text(clip, 'heading')
  const blurb = 'blurb' in body ? readText(body, 'blurb', 5000) : text(clip, 'blurb')
  const labels = 'labels' in body ? JSON.stringify(readList(body, 'labels', 30)) : text(clip, 'labels')
  const shelves = 'shelves' in body ? readShelves(request, body) : text(clip, 'shelves')
  const sql = 'UPDATE clips SET heading = ?, folded = ?, blurb = ?, labels = ?, shelves = ? WHERE serial = ?'
  run(request.db, sql, heading, heading.toLowerCase(), blurb, labels, shelves, number(clip, 'serial'))
  request.effect('clip.edit', { clip: request.params['clip'], ...body })
  return ownClip(request)
}

/** Puts a hidden clip on air, now or later; answers what the next page says about it. */
export function airClip(request: SignedIn): URLSearchParams {
  needAdmin(request)
  const { db, form, now } = request
  const clip = ownClip(request)
  const fields = readForm(form, ['when', 'goes-out', 'teaser', 'tell-members'])
  const when = readChoice(fields, 'when', ['now', 'later'])
  const later = readMoment(fields, 'goes-out', now)
  const teaser = readChoice(fields, 'teaser', ['yes', 'no'], 'no') === 'yes'
  const tell = readChoice(fields, 'tell-members', ['yes', 'no'], 'no') === 'yes'
  if (when === 'later' && later === undefined) throw invalid('FIELD_REQUIRED', 'goes-out is required.', 'goes-out')
  if (when === 'now' && later !== undefined) throw invalid('NOT_WITH_NOW', 'goes-out goes with later.', 'goes-out')
  if (when === 'now' && teaser) throw invalid('NOT_WITH_NOW', 'A teaser goes with later.', 'teaser')
  const airing = airingOf(clip, asOfNow(now))
  if (airing !== 'hidden') throw new Refusal(409, 'NOT_HIDDEN', `This clip is ${airing} already.`, 'when')

  const release = later ?? now
  const sql = 'UPDATE clips SET decided = ?, release = ?, teaser = ? WHERE serial = ?'
  run(db, sql, nextSerial(request), release, teaser ? 1 : 0, number(clip, 'serial'))
  const mailed = tell ? tellMembers(request, clip, release) : 0
  const said = new URLSearchParams({ done: when === 'now' ? 'public' : 'timed' })
  if (later !== undefined) said.set('goes-out', offsetTime(later, ownStudio(request).zone))
  said.set('mailed', String(mailed))
  request.effect('clip.air', { clip: request.params['clip'], teaser, ...Object.fromEntries(said) })
  return said
}
