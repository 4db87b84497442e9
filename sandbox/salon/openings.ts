import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { ownChair, ownTreatment, toChair, type Chair, type Treatment } from './catalogue.ts'
import { momentOf, wallText, type Wall } from './clock.ts'
import { invalid, known, querySpan } from './input.ts'
import { idOf, ownBranch, present } from './things.ts'

const grid = 30
const horizon = 366 * 86_400

interface Busy {
  begins: number
  ends: number
}

/** What keeps somebody busy: visits that were neither cancelled nor missed. */
function busyOf(db: DatabaseSync, chair: number, from: number, until: number, but = 0): Busy[] {
  const sql = `SELECT begins, ends FROM visits WHERE crew = ? AND until = ? AND begins < ? AND ends > ? AND serial <> ?
    AND stage NOT IN ('cx', 'ns') ORDER BY begins`
  return all(db, sql, chair, present, until, from, but).map((row) => ({
    begins: number(row, 'begins'),
    ends: number(row, 'ends'),
  }))
}

/** When a begin on that wall clock is; undefined where it is off the grid, outside hours, over, or too far ahead. */
function beginOf({ opens, shuts }: Chair, mins: number, wall: Wall, zone: string, now: number): number | undefined {
  const { minute } = wall
  if ((minute - opens) % grid !== 0 || minute < opens || minute + mins > shuts) return undefined
  const begins = momentOf(wall, zone)
  return begins !== undefined && begins > now && begins < now + horizon ? begins : undefined
}

/** Begin and end of a visit that somebody has time for; `but` is the visit that moves. */
export function needOpening(
  { db, now }: SignedIn,
  chair: Chair,
  mins: number,
  at: { wall: Wall; zone: string },
  but = 0,
): Busy {
  const begins = beginOf(chair, mins, at.wall, at.zone, now)
  if (begins === undefined) throw new Refusal(409, 'NOT_AN_OPENING', 'This is no opening of theirs.', 'begins')
  const ends = begins + mins * 60
  if (busyOf(db, chair.serial, begins, ends, but).length > 0) {
    throw new Refusal(409, 'TIME_TAKEN', 'They are busy at that time.', 'begins')
  }
  return { begins, ends }
}

export function needHands({ hands }: Treatment, chair: Chair): void {
  if (!hands.includes(chair.serial)) throw invalid('CREW_CANNOT', 'They do not do this treatment.', 'crew')
}

function handsOf(request: SignedIn, treatment: Treatment): Chair[] {
  const id = request.query.get('crew')
  if (id !== null) {
    const chair = ownChair(request, id)
    needHands(treatment, chair)
    return [chair]
  }
  const sql = `SELECT * FROM crew WHERE serial IN (${treatment.hands.join(', ')}) ORDER BY serial`
  return all(request.db, sql).map(toChair)
}

/** All openings for a treatment: earliest first, then in the order of the crew. */
export function listOpenings(request: SignedIn): { data: unknown[]; zone: string } {
  const { db, query, now } = request
  known(query, ['treatment', 'branch', 'from', 'until', 'crew'])
  const treatment = ownTreatment(request, query.get('treatment'))
  const branch = ownBranch(request, query.get('branch') ?? idOf('branches', treatment.branch))
  if (number(branch, 'serial') !== treatment.branch) {
    throw invalid('NOT_AT_BRANCH', 'This treatment is not done at that branch.', 'branch')
  }
  const { from, until } = querySpan(query, 7)
  if (until > from + 61) throw new Refusal(400, 'SPAN_TOO_LONG', 'Ask for 62 days at most.', 'until')
  const zone = text(branch, 'zone')
  const found: { begins: number; chair: Chair }[] = []
  for (const chair of handsOf(request, treatment)) {
    const busy = busyOf(db, chair.serial, (from - 1) * 86_400, (until + 2) * 86_400)
    for (let day = from; day <= until; day++) {
      for (let minute = chair.opens; minute < chair.shuts; minute += grid) {
        const begins = beginOf(chair, treatment.mins, { day, minute }, zone, now)
        if (begins === undefined) continue
        const ends = begins + treatment.mins * 60
        if (!busy.some((one) => one.begins < ends && one.ends > begins)) found.push({ begins, chair })
      }
    }
  }
  const sorted = found.toSorted((a, b) => a.begins - b.begins || a.chair.serial - b.chair.serial)
  const data = sorted.map(({ begins, chair: { serial, full } }) => ({
    type: 'openings',
    attributes: { crew: idOf('crew', serial), crew_name: full, begins: wallText(begins, zone) },
  }))
  return { data, zone }
}
