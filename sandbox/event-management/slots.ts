import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { dayIn, isDay, moment } from './clock.ts'
import { findGathering, ownGathering, serialIn, takeSerial, type Gathering } from './gatherings.ts'
import { fold, invalid, needText, readMoment, readNames, readQuery, readText, type Fields } from './input.ts'
import { voicesCalled } from './voices.ts'

interface SlotVoice {
  serial: number
  called: string
}

interface Slot {
  serial: number
  heading: string
  opens: number
  closes: number
  streams: string[]
  blurb: string
  voices: SlotVoice[]
}

const toSlot = (row: Row, voices: SlotVoice[]): Slot => ({
  serial: number(row, 'serial'),
  heading: text(row, 'heading'),
  opens: number(row, 'opens'),
  closes: number(row, 'closes'),
  streams: (JSON.parse(text(row, 'streams')) as unknown[]).map(String),
  blurb: text(row, 'blurb'),
  voices,
})

/** The agenda: what begins first, then what ends first. */
export function slotsOf(db: DatabaseSync, gathering: Gathering): Slot[] {
  const voices = new Map<number, SlotVoice[]>()
  const sql = `SELECT slot, voice, called FROM slot_voices JOIN voices ON serial = voice WHERE gathering = ? ORDER BY slot, place`
  for (const row of all(db, sql, gathering.serial)) {
    const slot = number(row, 'slot')
    voices.set(slot, [...(voices.get(slot) ?? []), { serial: number(row, 'voice'), called: text(row, 'called') }])
  }
  const rows = all(db, 'SELECT * FROM slots WHERE gathering = ? ORDER BY opens, closes, serial', gathering.serial)
  return rows.map((row) => toSlot(row, voices.get(number(row, 'serial')) ?? []))
}

export function findSlot(db: DatabaseSync, gathering: Gathering, serial: number): Slot {
  const found = slotsOf(db, gathering).find((slot) => slot.serial === serial)
  if (!found) throw new Refusal(404, 'SLOT_NOT_FOUND', 'There is no slot with this number here.')
  return found
}

export const slotOut = (slot: Slot, { serial, zone }: Gathering) => ({
  slot_no: String(slot.serial),
  gathering_no: String(serial),
  heading: slot.heading,
  opens: moment(slot.opens, zone),
  closes: moment(slot.closes, zone),
  streams: slot.streams,
  voices: slot.voices.map((voice) => ({ voice_no: String(voice.serial), called: voice.called })),
  blurb: slot.blurb,
})

type SlotOut = ReturnType<typeof slotOut>

/** Each stream as it was first written. */
export function streamsOf(slots: readonly Slot[]): string[] {
  const streams = new Map<string, string>()
  for (const label of slots.flatMap((slot) => slot.streams)) {
    if (!streams.has(fold(label))) streams.set(fold(label), label)
  }
  return [...streams.values()]
}

export function listSlots(request: SignedIn): SlotOut[] {
  const gathering = ownGathering(request)
  const { day, stream } = readQuery(request.query, ['day', 'stream'])
  if (day !== undefined && !isDay(day)) {
    throw new Refusal(400, 'PARAMETER_INVALID', 'day must be a day such as 20261231.', 'day')
  }
  const slots = slotsOf(request.db, gathering)
  const streams = streamsOf(slots)
  if (stream !== undefined && !streams.some((label) => fold(label) === fold(stream))) {
    throw invalid('STREAM_UNKNOWN', `The streams are ${streams.join(', ')}.`, 'stream')
  }
  const wanted = slots.filter(
    (slot) =>
      (day === undefined || dayIn(gathering.zone, slot.opens) === day) &&
      (stream === undefined || slot.streams.some((label) => fold(label) === fold(stream))),
  )
  return wanted.map((slot) => slotOut(slot, gathering))
}

export function insertSlot(db: DatabaseSync, gathering: number, slot: Omit<Slot, 'voices'>, voices: number[]): void {
  const { serial, heading, opens, closes, streams, blurb } = slot
  const values = [serial, gathering, heading, opens, closes, JSON.stringify(streams), blurb]
  run(db, 'INSERT INTO slots VALUES (?, ?, ?, ?, ?, ?, ?)', ...values)
  for (const [place, voice] of voices.entries())
    run(db, 'INSERT INTO slot_voices VALUES (?, ?, ?)', serial, place, voice)
}

const changeable = ['opens', 'closes', 'streams', 'voices', 'blurb'] as const
export const changeNames: readonly string[] = changeable
export const slotNames: readonly string[] = ['heading', ...changeable]

const readParts = (fields: Fields) => ({
  opens: readMoment(fields, 'opens'),
  closes: readMoment(fields, 'closes'),
  streams: readNames(fields, 'streams', 10),
  names: readNames(fields, 'voices', 20),
  blurb: readText(fields, 'blurb', 5000),
})

function checkTimes(gathering: Gathering, opens: number | undefined, closes: number | undefined): [number, number] {
  if (opens === undefined) throw invalid('FIELD_MISSING', 'opens is needed.', 'opens')
  if (closes === undefined) throw invalid('FIELD_MISSING', 'closes is needed.', 'closes')
  if (closes <= opens) throw invalid('SLOT_BACKWARDS', 'A slot closes after it opens.', 'closes')
  if (opens < gathering.opens || closes > gathering.closes) {
    const { firstDay, lastDay, zone } = gathering
    throw invalid('OUTSIDE_GATHERING', `The gathering is from ${firstDay} to ${lastDay} (${zone}).`, 'opens')
  }
  return [opens, closes]
}

/** In the agenda at once; names that are new become voices. Nobody is written to. */
export function addSlot(request: SignedIn, fields: Fields): SlotOut {
  const { db } = request
  const gathering = ownGathering(request)
  const heading = needText(fields, 'heading', 200)
  const { streams = [], names = [], blurb = '', ...times } = readParts(fields)
  const [opens, closes] = checkTimes(gathering, times.opens, times.closes)
  const serial = takeSerial(db, gathering.account)
  const voices = voicesCalled(db, gathering, names)
  insertSlot(db, gathering.serial, { serial, heading, opens, closes, streams, blurb }, voices)
  return shown(request, 'slot.add', gathering, serial, fields)
}

/** Changes what is given; who is no longer named stays a voice of the gathering. */
export function changeSlot(request: SignedIn, fields: Fields): SlotOut {
  const { db, params } = request
  const serial = serialIn(params['slot'])
  const row = one(db, 'SELECT gathering FROM slots WHERE serial = ?', serial)
  if (!row || !isOwn(request, number(row, 'gathering'))) {
    throw new Refusal(404, 'SLOT_NOT_FOUND', 'You have no slot with this number.')
  }
  const gathering = findGathering(request, number(row, 'gathering'))
  if (Object.keys(fields).length === 0) throw new Refusal(422, 'NOTHING_TO_CHANGE', 'Give what is to be changed.')
  const slot = findSlot(db, gathering, serial)
  const { streams = slot.streams, names, blurb = slot.blurb, ...times } = readParts(fields)
  const [opens, closes] = checkTimes(gathering, times.opens ?? slot.opens, times.closes ?? slot.closes)
  const voices = names ? voicesCalled(db, gathering, names) : slot.voices.map((voice) => voice.serial)
  run(db, 'DELETE FROM slots WHERE serial = ?', serial)
  run(db, 'DELETE FROM slot_voices WHERE slot = ?', serial)
  insertSlot(db, gathering.serial, { serial, heading: slot.heading, opens, closes, streams, blurb }, voices)
  return shown(request, 'slot.change', gathering, serial, fields)
}

const isOwn = ({ db, viewer }: SignedIn, gathering: number): boolean =>
  one(db, 'SELECT 1 FROM gatherings WHERE serial = ? AND account = ?', gathering, viewer.account.account) !== undefined

function shown(request: SignedIn, action: string, gathering: Gathering, serial: number, fields: Fields): SlotOut {
  request.effect(action, { gathering_no: String(gathering.serial), slot_no: String(serial), ...fields })
  return slotOut(findSlot(request.db, gathering, serial), gathering)
}
