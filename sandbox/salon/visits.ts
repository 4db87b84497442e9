import { number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { ownChair, ownTreatment, toTreatment } from './catalogue.ts'
import { dayAt, parseWall, wallText } from './clock.ts'
import { invalid, needText, needWallIn, queryChoice, querySpan, readAttributes, readForm, readText } from './input.ts'
import { readYes } from './input.ts'
import { costText } from './money.ts'
import { tell, type Told } from './notices.ts'
import { needHands, needOpening } from './openings.ts'
import { listed, type Page } from './paging.ts'
import { idOf, insertAll, linkTo, needBusiness, nextSerial, ownBranch, ownRow, ownSerial, present } from './things.ts'
import { resource, type Resource } from './things.ts'

/** Codes of stages, and how the app shows them. */
export const stages = {
  bk: 'Booked',
  ar: 'Arrived',
  ch: 'In the chair',
  dn: 'Completed',
  ns: 'No-show',
  cx: 'Cancelled',
} as const
type Stage = keyof typeof stages
const stageCodes: readonly Stage[] = ['bk', 'ar', 'ch', 'dn', 'ns', 'cx']

const joined = `SELECT v.*, g.full AS guest_name, t.label AS treatment_label, c.full AS crew_name, b.zone, b.currency
  FROM visits v JOIN guests g ON g.serial = v.guest JOIN treatments t ON t.serial = v.treatment
  JOIN crew c ON c.serial = v.crew JOIN branches b ON b.serial = v.branch`

export function visitShown(row: Row): Resource {
  const zone = text(row, 'zone')
  const code = stageCodes.find((one) => one === row['stage']) ?? 'bk'
  const attributes = {
    guest: text(row, 'guest_name'),
    treatment: text(row, 'treatment_label'),
    crew: text(row, 'crew_name'),
    begins: wallText(number(row, 'begins'), zone),
    ends: wallText(number(row, 'ends'), zone),
    zone,
    stage: { code, shown: stages[code] },
    cost: costText(number(row, 'cost'), text(row, 'currency')),
    remark: text(row, 'remark'),
  }
  return resource('visits', number(row, 'serial'), attributes, {
    guest: linkTo('guests', number(row, 'guest')),
    treatment: linkTo('treatments', number(row, 'treatment')),
    crew: linkTo('crew', number(row, 'crew')),
    branch: linkTo('branches', number(row, 'branch')),
  })
}

/** A visit as it is now. */
export function ownVisit(request: SignedIn, id: unknown): Row {
  const serial = ownSerial(request, 'visits', id)
  return one(request.db, `${joined} WHERE v.serial = ? AND v.until = ?`, serial, present) ?? {}
}

/** By begin; of one branch, on its own days. */
export function listVisits(request: SignedIn): Page {
  return listed(request, 'visits', ['branch', 'from', 'until', 'crew', 'stage'], () => {
    const { query } = request
    const branch = number(ownBranch(request, query.get('branch')), 'serial')
    const { from, until } = querySpan(query, 0)
    const crew = query.has('crew') ? ownChair(request, query.get('crew')).serial : null
    const stage = queryChoice(query, 'stage', stageCodes) ?? null
    return {
      sql: `${joined} WHERE v.branch = :branch AND v.day BETWEEN :from AND :until AND v.since <= :mark AND v.until > :mark
        AND (:crew IS NULL OR v.crew = :crew) AND (:stage IS NULL OR v.stage = :stage)`,
      order: 'v.begins, v.serial',
      values: { branch, from, until, crew, stage },
      show: visitShown,
      most: 1000,
    }
  })
}

/** Ends the present state of a visit and begins the next one. */
function change({ db }: SignedIn, visit: Row, since: number, changes: Record<string, string | number>): void {
  const columns = 'serial, account, branch, guest, treatment, crew, day, begins, ends, stage, cost, remark'
  const own = Object.fromEntries(columns.split(', ').map((name) => [name, visit[name] ?? null]))
  run(db, 'UPDATE visits SET until = ? WHERE serial = ? AND until = ?', since, number(visit, 'serial'), present)
  insertAll(db, 'visits', [{ ...own, ...changes, since, until: present }])
}

export function bookVisit(request: SignedIn): { visit: Resource; told: Told } {
  needBusiness(request)
  const fields = readAttributes(request.json, 'visits', ['guest', 'treatment', 'crew', 'begins', 'remark'])
  const guest = number(ownRow(request, 'guests', needText(fields, 'guest', 40), 'guest'), 'serial')
  const treatment = ownTreatment(request, needText(fields, 'treatment', 40))
  const chair = ownChair(request, needText(fields, 'crew', 40))
  const zone = text(ownBranch(request, idOf('branches', treatment.branch)), 'zone')
  const wall = needWallIn(fields, 'begins', zone)
  const remark = readText(fields, 'remark', 500)
  needHands(treatment, chair)
  const { begins, ends } = needOpening(request, chair, treatment.mins, { wall, zone })
  const serial = nextSerial(request)
  insertAll(request.db, 'visits', [
    {
      ...{ serial, since: serial, until: present, account: request.viewer.account.account, branch: treatment.branch },
      ...{ guest, treatment: treatment.serial, crew: chair.serial, day: wall.day, begins, ends },
      ...{ stage: 'bk', cost: treatment.cost, remark },
    },
  ])
  const id = idOf('visits', serial)
  const told = tell(request, guest, `Booked: ${treatment.label}, ${wallText(begins, zone)}, with ${chair.full}.`)
  request.effect('visit.booked', { id, ...fields, told })
  return { visit: visitShown(ownVisit(request, id)), told }
}

function needBooked(visit: Row): void {
  if (visit['stage'] !== 'bk') throw new Refusal(409, 'NOT_BOOKED', 'Only a visit that is Booked can be changed.')
}

/** To a new time, to somebody else, or both. */
export function moveVisit(request: SignedIn): { visit: Row; told: Told } {
  needBusiness(request)
  const visit = ownVisit(request, request.params['id'])
  const fields = readForm(request.form, ['begins', 'crew', 'tell'])
  const guest = number(visit, 'guest')
  const zone = text(visit, 'zone')
  const before = parseWall(wallText(number(visit, 'begins'), zone))
  const wall = fields['begins'] === undefined ? before : needWallIn(fields, 'begins', zone)
  const chair = ownChair(request, fields['crew'] ?? idOf('crew', number(visit, 'crew')))
  const wanted = readYes(fields, 'tell')
  if ((fields['begins'] ?? fields['crew']) === undefined || !wall) {
    throw invalid('FIELD_REQUIRED', 'Give a new time, somebody else, or both.', 'begins')
  }
  needBooked(visit)
  const treatment = one(request.db, 'SELECT * FROM treatments WHERE serial = ?', number(visit, 'treatment')) ?? {}
  needHands(toTreatment(treatment), chair)
  const same = wall.day === before?.day && wall.minute === before.minute && chair.serial === visit['crew']
  if (same) throw new Refusal(409, 'NOTHING_MOVED', 'It is there already.', 'begins')
  const mins = (number(visit, 'ends') - number(visit, 'begins')) / 60
  const { begins, ends } = needOpening(request, chair, mins, { wall, zone }, number(visit, 'serial'))
  change(request, visit, nextSerial(request), {
    ...{ crew: chair.serial, begins, ends, day: dayAt(begins, zone) },
  })
  const words = `Moved: ${text(visit, 'treatment_label')}, ${wallText(begins, zone)}, with ${chair.full}.`
  const told = wanted ? tell(request, guest, words) : 'nobody'
  request.effect('visit.moved', { id: idOf('visits', number(visit, 'serial')), ...fields, told })
  return { visit: ownVisit(request, request.params['id']), told }
}

export function cancelVisit(request: SignedIn): { visit: Row; told: Told } {
  needBusiness(request)
  const visit = ownVisit(request, request.params['id'])
  const wanted = readYes(readForm(request.form, ['tell']), 'tell')
  needBooked(visit)
  change(request, visit, nextSerial(request), { stage: 'cx' })
  const at = wallText(number(visit, 'begins'), text(visit, 'zone'))
  const words = `Cancelled: ${text(visit, 'treatment_label')}, ${at}.`
  const told = wanted ? tell(request, number(visit, 'guest'), words) : 'nobody'
  request.effect('visit.cancelled', { id: idOf('visits', number(visit, 'serial')), told })
  return { visit: ownVisit(request, request.params['id']), told }
}
