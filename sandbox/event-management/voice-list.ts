import { all, number, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { ownGathering, serialIn } from './gatherings.ts'
import { readQuery } from './input.ts'
import { findSlot } from './slots.ts'
import { voicesOf } from './voices.ts'

/** Everybody who speaks or spoke, with what they speak at, in the order in which they were added. */
export function listVoices(request: SignedIn) {
  const { db, query } = request
  const gathering = ownGathering(request)
  const { slot_no: wanted } = readQuery(query, ['slot_no'])
  const slot = wanted === undefined ? undefined : String(findSlot(db, gathering, serialIn(wanted)).serial)
  const sql = `SELECT voice, slots.serial, heading FROM slots JOIN slot_voices ON slot = slots.serial
    WHERE gathering = ? ORDER BY opens, closes, slots.serial`
  const speaks = all(db, sql, gathering.serial)
  const voices = voicesOf(db, gathering).map(({ serial, called, mail }) => ({
    voice_no: String(serial),
    called,
    mail,
    slots: speaks
      .filter((row) => number(row, 'voice') === serial)
      .map((row) => ({ slot_no: String(number(row, 'serial')), heading: text(row, 'heading') })),
  }))
  return slot === undefined ? voices : voices.filter(({ slots }) => slots.some(({ slot_no: no }) => no === slot))
}
