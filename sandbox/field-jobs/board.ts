import { all, number, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { addDays, momentOf } from './clock.ts'
import { need, ownCompany, seesOwnJobsOnly } from './company.ts'
import { knownMember, toJob } from './jobs.ts'
import { known, readDay, readSpan } from './paging.ts'

const mostDays = 31

export interface Lane {
  member: { uuid: string; full_name: string }
  visits: { job: string; kind: string; begins_at: number; ends_at: number }[]
  off: { begins_at: number; ends_at: number; why: string }[]
}

export interface Board {
  zone: string
  days: { day: string; lanes: Lane[] }[]
}

/** Everybody's day: what was not called off, and the time off that has not passed. */
export function board(request: SignedIn): Board {
  need(request, 'board')
  const { db, viewer, query, now } = request
  const { account } = viewer.account
  known(query, ['from_day', 'until_day'], ['member'])
  const given = readDay(query, 'from_day')
  if (given === undefined)
    throw new Refusal(400, 'PARAM_INVALID', 'from_day is required, such as 20260228.', 'from_day')
  const span = readSpan(request, given, readDay(query, 'until_day') ?? given)
  if (addDays(span.first, mostDays) <= span.last) {
    throw new Refusal(400, 'TOO_MANY_DAYS', `Ask for ${mostDays} days at most.`, 'until_day')
  }
  const wanted = query.getAll('member').map((uuid) => number(knownMember(request, uuid), 'serial'))
  const { zone } = ownCompany(request)
  const lanes = all(
    db,
    'SELECT * FROM crew WHERE account = ? AND me >= ? ORDER BY serial',
    account,
    seesOwnJobsOnly(request),
  )
    .map((row) => ({ serial: number(row, 'serial'), uuid: text(row, 'uuid'), full_name: text(row, 'full_name') }))
    .filter(({ serial }) => wanted.length === 0 || wanted.includes(serial))
  const jobs = all(
    db,
    `SELECT jobs.*, person FROM jobs JOIN manned ON job = serial WHERE account = ? AND begins < ? AND ends > ?
      AND state <> 'called_off' ORDER BY begins, serial`,
    account,
    span.until,
    span.from,
  ).map((row) => ({ ...toJob(row), person: number(row, 'person') }))
  const off = all(db, 'SELECT * FROM away WHERE account = ? AND ends > ? ORDER BY begins', account, now).map((row) => ({
    person: number(row, 'person'),
    begins: number(row, 'begins'),
    ends: number(row, 'ends'),
    why: text(row, 'why'),
  }))
  const days: Board['days'] = []
  for (let day = span.first; day <= span.last; day = addDays(day, 1)) {
    const [from, until] = [momentOf(day, 0, zone), momentOf(addDays(day, 1), 0, zone)]
    const here = <T extends { person: number; begins: number; ends: number }>(things: T[], serial: number): T[] =>
      things.filter(({ person, begins, ends }) => person === serial && begins < until && ends > from)
    const laneOf = ({ serial, uuid, full_name }: (typeof lanes)[number]): Lane => ({
      member: { uuid, full_name },
      visits: here(jobs, serial).map((job) => ({
        job: job.uuid,
        kind: job.kind,
        begins_at: job.begins,
        ends_at: job.ends,
      })),
      off: here(off, serial).map(({ begins, ends, why }) => ({ begins_at: begins, ends_at: ends, why })),
    })
    days.push({ day, lanes: lanes.map(laneOf) })
  }
  return { zone, days }
}
