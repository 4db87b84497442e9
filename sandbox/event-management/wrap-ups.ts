import type { DatabaseSync } from 'node:sqlite'
import { all, count, number, one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { isOver, ownGathering, type Gathering } from './gatherings.ts'
import { fold, invalid, readForm, readQuery } from './input.ts'
import { slotsOf, streamsOf } from './slots.ts'
import { voicesOf } from './voices.ts'

/** `VIP 4`, one a line, most frequent first. */
function tally(db: DatabaseSync, sql: string, gathering: number): string {
  const rows = all(db, `SELECT name, count(*) AS n FROM (${sql}) GROUP BY name ORDER BY n DESC, name`, gathering)
  return rows.map((row) => `${text(row, 'name')}: ${number(row, 'n')}`).join('\n')
}

function makeChapters(db: DatabaseSync, gathering: Gathering): [string, string][] {
  const { serial, called, venue, cur } = gathering
  const guests = count(db, 'guests WHERE gathering = ?', serial)
  const arrived = count(db, 'guests WHERE gathering = ? AND arrived IS NOT NULL', serial)
  const bookings = count(db, 'bookings WHERE gathering = ?', serial)
  const sum = one(db, 'SELECT coalesce(sum(paid), 0) AS paid FROM bookings WHERE gathering = ?', serial) ?? {}
  const slots = slotsOf(db, gathering)
  const voices = voicesOf(db, gathering).map((voice) => voice.called)
  const passSql = 'SELECT label AS name FROM guests JOIN passes ON passes.serial = pass WHERE guests.gathering = ?'
  return [
    [
      'At a glance',
      `${called}\n${arrived} of ${guests} guests came, for ${slots.length} slots by ${voices.length} voices.`,
    ],
    ['Attendance', `Guests: ${guests}\nArrived: ${arrived}\nDid not come: ${guests - arrived}`],
    ['Bookings', `Bookings: ${bookings}\nPaid: ${number(sum, 'paid')} ${cur} (minor units)`],
    ['Passes', tally(db, passSql, serial)],
    ['Crowds', tally(db, 'SELECT crowd AS name FROM guests WHERE gathering = ?', serial)],
    ['Agenda', `Slots: ${slots.length}\nStreams: ${streamsOf(slots).join(', ')}`],
    ['Voices', voices.join('\n')],
    ['Venue', venue],
  ]
}

/** What the gathering was like at this moment. */
export function compileWrapUp(db: DatabaseSync, gathering: Gathering, at: number): void {
  run(db, 'UPDATE gatherings SET wrapped = ? WHERE serial = ?', at, gathering.serial)
  for (const [place, [heading, words]] of makeChapters(db, gathering).entries()) {
    run(db, 'INSERT INTO chapters VALUES (?, ?, ?, ?)', gathering.serial, place, heading, words)
  }
}

export function requestWrapUp(request: SignedIn): Gathering {
  const { db, now, form } = request
  const gathering = ownGathering(request)
  readForm(form, [])
  if (!isOver(gathering, now)) throw new Refusal(409, 'GATHERING_NOT_OVER', 'A wrap-up is made when it is over.')
  if (gathering.wrapped !== undefined) throw new Refusal(409, 'WRAP_UP_MADE', 'The wrap-up was made before.')
  compileWrapUp(db, gathering, now)
  request.effect('wrap_up.request', { gathering_no: String(gathering.serial) })
  return gathering
}

interface WrapUp {
  gathering_no: string
  chapters: { heading: string; words: string }[]
}

export function readWrapUp(request: SignedIn): WrapUp {
  const { db, query } = request
  const gathering = ownGathering(request)
  const { chapter } = readQuery(query, ['chapter'])
  if (gathering.wrapped === undefined) {
    throw new Refusal(409, 'WRAP_UP_NOT_READY', 'There is no wrap-up yet: the organizer has to request it.')
  }
  const rows = all(db, 'SELECT * FROM chapters WHERE gathering = ? ORDER BY place', gathering.serial)
  const chapters = rows.map((row) => ({ heading: text(row, 'heading'), words: text(row, 'words') }))
  const wanted = chapters.filter(({ heading }) => chapter === undefined || fold(heading) === fold(chapter))
  if (wanted.length === 0) {
    throw invalid(
      'CHAPTER_UNKNOWN',
      `The chapters are ${chapters.map(({ heading }) => heading).join(', ')}.`,
      'chapter',
    )
  }
  return { gathering_no: String(gathering.serial), chapters: wanted }
}
