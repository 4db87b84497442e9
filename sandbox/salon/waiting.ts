import { maybeNumber, maybeText, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { ownChair, ownTreatment } from './catalogue.ts'
import { dayAt, dayText, wallText } from './clock.ts'
import { invalid, needDay, needText, queryDay, readAttributes, readForm, readText } from './input.ts'
import { tell, wayTo } from './notices.ts'
import { needHands } from './openings.ts'
import { listed, type Page } from './paging.ts'
import {
  idOf,
  linkTo,
  needBusiness,
  nextSerial,
  ownBranch,
  ownRow,
  ownSerial,
  resource,
  type Resource,
} from './things.ts'

const joined = `SELECT w.*, g.full AS guest_name, t.label AS treatment_label, c.full AS crew_name, b.zone
  FROM waiting w JOIN guests g ON g.serial = w.guest JOIN treatments t ON t.serial = w.treatment
  LEFT JOIN crew c ON c.serial = w.crew JOIN branches b ON b.serial = w.branch`

export function entryShown(row: Row): Resource {
  const zone = text(row, 'zone')
  const crew = maybeNumber(row, 'crew')
  const alerted = maybeNumber(row, 'alerted')
  const attributes = {
    guest: text(row, 'guest_name'),
    treatment: text(row, 'treatment_label'),
    crew: maybeText(row, 'crew_name') ?? null,
    day: dayText(number(row, 'day')),
    alerted: alerted === undefined ? null : wallText(alerted, zone),
    zone,
  }
  return resource('waiting', number(row, 'serial'), attributes, {
    guest: linkTo('guests', number(row, 'guest')),
    treatment: linkTo('treatments', number(row, 'treatment')),
    crew: crew === undefined ? null : linkTo('crew', crew),
    branch: linkTo('branches', number(row, 'branch')),
  })
}

export function ownEntry(request: SignedIn, id: unknown, field?: string): Row {
  const serial = ownSerial(request, 'waiting', id, field)
  return one(request.db, `${joined} WHERE w.serial = ?`, serial) ?? {}
}

/** By day, then as they came. */
export function listWaiting(request: SignedIn): Page {
  needBusiness(request)
  return listed(request, 'waiting', ['branch', 'day'], () => ({
    sql: `${joined} WHERE w.branch = :branch AND w.serial <= :mark AND (:day IS NULL OR w.day = :day)`,
    order: 'w.day, w.serial',
    values: {
      branch: number(ownBranch(request, request.query.get('branch')), 'serial'),
      day: queryDay(request.query, 'day') ?? null,
    },
    show: entryShown,
    most: 1000,
  }))
}

export function addEntry(request: SignedIn): Resource {
  needBusiness(request)
  const { db, viewer, now } = request
  const fields = readAttributes(request.json, 'waiting', ['guest', 'treatment', 'crew', 'day'])
  const guest = number(ownRow(request, 'guests', needText(fields, 'guest', 40), 'guest'), 'serial')
  const treatment = ownTreatment(request, needText(fields, 'treatment', 40))
  const wish = fields['crew'] ?? null
  const chair = wish === null ? undefined : ownChair(request, wish)
  const day = needDay(fields, 'day')
  if (chair) needHands(treatment, chair)
  const today = dayAt(now, text(ownBranch(request, idOf('branches', treatment.branch)), 'zone'))
  if (day < today || day > today + 366) {
    throw invalid('DAY_OUT_OF_REACH', 'The day must be from today to 366 days ahead.', 'day')
  }
  const there = 'SELECT 1 FROM waiting WHERE guest = ? AND treatment = ? AND day = ?'
  if (one(db, there, guest, treatment.serial, day)) {
    throw new Refusal(409, 'ALREADY_WAITING', 'This guest already waits for that treatment on that day.')
  }
  const serial = nextSerial(request)
  const sql = 'INSERT INTO waiting VALUES (?, ?, ?, ?, ?, ?, ?, NULL)'
  const { account } = viewer.account
  run(db, sql, serial, account, treatment.branch, guest, treatment.serial, chair?.serial ?? null, day)
  request.effect('waiting.added', { id: idOf('waiting', serial), ...fields })
  return entryShown(ownEntry(request, idOf('waiting', serial)))
}

/** Writes to all of the chosen guests, or to none. */
export function alertWaiting(request: SignedIn): string[] {
  needBusiness(request)
  const { db, now } = request
  const fields = readForm(request.form, ['words'], ['entry'])
  const chosen = Array.isArray(fields['entry']) ? fields['entry'].map(String) : []
  const words = readText(fields, 'words', 500)
  if (chosen.length === 0) throw invalid('FIELD_REQUIRED', 'Choose somebody.', 'entry')
  if (chosen.length > 50) throw invalid('TOO_MANY_ENTRIES', 'Choose 50 at most.', 'entry')
  if (new Set(chosen).size < chosen.length) throw invalid('ENTRY_TWICE', 'Choose each of them once.', 'entry')
  const entries = chosen.map((id) => ownEntry(request, id, 'entry'))
  for (const entry of entries) {
    const id = idOf('waiting', number(entry, 'serial'))
    if (number(entry, 'day') < dayAt(now, text(entry, 'zone'))) {
      throw new Refusal(409, 'DAY_OVER', `The day that ${id} waits for is over.`, 'entry')
    }
    if (wayTo(request, number(entry, 'guest')).via === 'nobody') {
      throw new Refusal(409, 'GUEST_UNREACHABLE', `The guest of ${id} has neither mail nor cell.`, 'entry')
    }
  }
  for (const entry of entries) {
    const preset = `A place may be free: ${text(entry, 'treatment_label')} on ${dayText(number(entry, 'day'))}.`
    tell(request, number(entry, 'guest'), words === '' ? preset : words)
    run(db, 'UPDATE waiting SET alerted = ? WHERE serial = ?', now, number(entry, 'serial'))
  }
  request.effect('waiting.alerted', { entries: chosen, words })
  return chosen
}
