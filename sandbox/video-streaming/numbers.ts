import { all, number, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { isoDay } from './clock.ts'
import { known, readWhole } from './paging.ts'
import { idOf, needAdmin } from './tables.ts'

const sums = `sum(p.plays) AS plays, sum(p.watchers) AS watchers, sum(p.watched_ms) AS watched, sum(p.finished) AS finished`
const within = 'p.account = ? AND p.day BETWEEN ? AND ?'

const queries = {
  clips: `SELECT t.*, ${sums} FROM plays p JOIN clips t ON t.serial = p.item WHERE ${within} GROUP BY t.serial`,
  series: `SELECT t.*, ${sums} FROM plays p JOIN entries e ON e.clip = p.item JOIN series t ON t.serial = e.series
    WHERE ${within} GROUP BY t.serial`,
  shows: `SELECT t.*, ${sums}, sum(iif(p.replay = 0, p.watchers, 0)) AS came, sum(iif(p.replay = 1, p.plays, 0)) AS replays
    FROM plays p JOIN shows t ON t.serial = p.item WHERE ${within} GROUP BY t.serial`,
}
/** A clip in several series counts in the row of each, and once in the sums. */
const sumsOf = (report: Report): string =>
  `SELECT coalesce(sum(p.plays), 0) AS plays, coalesce(sum(p.watchers), 0) AS watchers FROM plays p WHERE ${within}
    AND p.item IN (SELECT ${report === 'series' ? 'clip FROM entries' : `serial FROM ${report}`})`
const names = { clips: 'clip', series: 'series', shows: 'show' }
type Report = keyof typeof queries

export function reportOf({ params }: SignedIn): Report {
  const found = (['clips', 'series', 'shows'] as const).find((name) => name === params['report'])
  if (found === undefined) throw new Refusal(404, 'PAGE_NOT_FOUND', 'There is no such page.')
  return found
}

const rowOut = (report: Report, row: Row) => ({
  [names[report]]: idOf(report, number(row, 'serial')),
  heading: text(row, 'heading'),
  plays: number(row, 'plays'),
  watchers: number(row, 'watchers'),
  'watched-ms': number(row, 'watched'),
  'finished-share': Math.round((number(row, 'finished') / number(row, 'plays')) * 1000) / 1000,
  ...(report === 'shows'
    ? { 'signed-up': number(row, 'signed'), came: number(row, 'came'), replays: number(row, 'replays') }
    : {}),
})

function readDay(query: URLSearchParams, name: string): { given: string; day: string } {
  const given = query.get(name) ?? ''
  const day = isoDay(given)
  if (day === undefined) {
    throw new Refusal(400, 'PARAMETER_INVALID', `${name} must be a day such as 28.02.2026.`, name)
  }
  return { given, day }
}

/** Most plays first; the sums count what `top` cuts off, too. */
export function numbersOf(request: SignedIn, report: Report) {
  needAdmin(request)
  const { db, query, viewer } = request
  known(query, ['since', 'until', 'top'])
  const since = readDay(query, 'since')
  const until = readDay(query, 'until')
  const top = readWhole(query, 'top', 50, 1, 500)
  if (since.day > until.day) {
    throw new Refusal(400, 'SPAN_BACKWARDS', 'until must not be before since.', 'until')
  }
  const span = [viewer.account.account, since.day, until.day]
  const rows = all(db, `${queries[report]} ORDER BY plays DESC, t.serial`, ...span)
  const [sum] = all(db, sumsOf(report), ...span)
  return {
    report,
    since: since.given,
    until: until.given,
    sums: { plays: sum ? number(sum, 'plays') : 0, watchers: sum ? number(sum, 'watchers') : 0 },
    rows: rows.slice(0, top).map((row) => rowOut(report, row)),
  }
}
