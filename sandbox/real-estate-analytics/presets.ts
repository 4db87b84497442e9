import { all, count, number, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { criteriaOut, criteriaTexts, criteriaWholes, readCriteria, storedCriteria } from './criteria.ts'
import { needLine, readForm, type Fields } from './input.ts'
import { idOf, insertAll, nextSerial, ownRow } from './tables.ts'

export const presetNames = ['preset', 'title', 'crit'] as const

/** All of them, by title. */
export const listPresets = ({ db, viewer }: SignedIn) =>
  all(db, 'SELECT * FROM presets WHERE account = ? ORDER BY title, serial', viewer.account.account).map((row) => ({
    preset: idOf('presets', number(row, 'serial')),
    title: text(row, 'title'),
    crit: criteriaOut(storedCriteria(text(row, 'crit'))),
  }))

function freeTitle({ db, viewer }: SignedIn, fields: Fields, except = 0): string {
  const title = needLine(fields, 'title', 120)
  const taken = 'presets WHERE account = ? AND title = ? AND serial <> ?'
  if (count(db, taken, viewer.account.account, title, except) > 0) {
    throw new Refusal(409, 'TITLE_TAKEN', 'There is a preset with this title already.', 'title')
  }
  return title
}

/** Answers its id. */
export function createPreset(request: SignedIn): string {
  const { db, form, viewer } = request
  const fields = readForm(form, { texts: ['title', ...criteriaTexts], wholes: criteriaWholes })
  const crit = readCriteria(fields)
  const title = freeTitle(request, fields)
  const serial = nextSerial(request)
  insertAll(db, 'presets', [{ serial, account: viewer.account.account, title, crit: JSON.stringify(crit) }])
  const preset = idOf('presets', serial)
  request.effect('preset.create', { preset, title, crit: criteriaOut(crit) })
  return preset
}

export function renamePreset(request: SignedIn): string {
  const serial = number(ownRow(request, 'presets', request.params['preset']), 'serial')
  const title = freeTitle(request, readForm(request.form, { texts: ['title'] }), serial)
  run(request.db, 'UPDATE presets SET title = ? WHERE serial = ?', title, serial)
  request.effect('preset.rename', { preset: idOf('presets', serial), title })
  return idOf('presets', serial)
}

export function dropPreset(request: SignedIn): void {
  readForm(request.form, {})
  const serial = number(ownRow(request, 'presets', request.params['preset']), 'serial')
  run(request.db, 'DELETE FROM presets WHERE serial = ?', serial)
  request.effect('preset.drop', { preset: idOf('presets', serial) })
}
