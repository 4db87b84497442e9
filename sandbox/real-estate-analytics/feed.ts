import { Random } from '../platform/random.ts'
import { all, number, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { listAreas, placeOf, type Area } from './areas.ts'
import { matches, storedCriteria, type Criteria } from './criteria.ts'
import { dayLength, usd } from './formats.ts'
import { homeRow, homesIn, isIn, type Home } from './homes.ts'
import { invalid, readForm, whole } from './input.ts'
import { makeHome } from './make-home.ts'
import { insertAll, nextSerial, ownDesk } from './tables.ts'

const everyDays: Record<string, number> = { day: 1, week: 7, month: 30 }

interface Watch {
  serial: number
  area: Area
  criteria: Criteria
  period: number
  begun: number
  /** The newest listing that it has looked at. */
  seen: number
}

function watches({ db, viewer }: SignedIn, areas: readonly Area[]): Watch[] {
  const found = new Map(areas.map((area) => [area.serial, area]))
  return all(db, 'SELECT * FROM alerts WHERE account = ? ORDER BY serial', viewer.account.account).flatMap((row) => {
    const area = found.get(number(row, 'area'))
    const period = everyDays[text(row, 'every')] ?? 1
    const [serial, begun, seen] = [number(row, 'serial'), number(row, 'begun'), number(row, 'seen')]
    return area ? [{ serial, area, criteria: storedCriteria(text(row, 'crit')), period, begun, seen }] : []
  })
}

/** Three more homes for sale. */
function listMore(request: SignedIn, areas: readonly Area[], feedDay: number): void {
  const { account, ordinal } = request.viewer.account
  const random = new Random(`feed ${ordinal} ${feedDay}`)
  const hoods = areas.filter(({ tier }) => tier === 'hood')
  const since = request.day + feedDay * dayLength
  const homes = Array.from({ length: 3 }, () =>
    makeHome(random, random.pick(hoods), 'sale', nextSerial(request), since),
  )
  insertAll(
    request.db,
    'homes',
    homes.map((home) => homeRow(account, home)),
  )
}

/** One mail with what is new and matches; none where nothing does. Answers how many were sent. */
function mailAbout(request: SignedIn, watch: Watch, homes: readonly Home[], sent: number): number {
  const { db, viewer } = request
  const { serial: alert, area, criteria, seen } = watch
  const fresh = homes.filter((home) => home.serial > seen && isIn(home, area) && matches(home, criteria))
  watch.seen = homes.at(-1)?.serial ?? seen
  run(db, 'UPDATE alerts SET seen = ? WHERE serial = ?', watch.seen, alert)
  if (fresh.length === 0) return 0
  const subject = `${fresh.length} new in ${placeOf(area)}`
  const words = fresh.map(({ street, price }) => `${street}: ${usd(price)}`).join('\n')
  const { account, email: recipient } = viewer.account
  insertAll(db, 'mails', [{ serial: nextSerial(request), account, alert, recipient, subject, words, sent }])
  return 1
}

/** Lets that many days of listings come in, with the mails that they lead to. */
export function runFeed(request: SignedIn): { listings: number; mails: number } {
  const { db, viewer } = request
  const days = whole(readForm(request.form, { wholes: ['days'] }), 'days', 1, 31)
  if (days === undefined) throw invalid('FIELD_MISSING', 'days is needed.', 'days')
  const { account } = viewer.account
  const areas = listAreas(db, account)
  const watching = watches(request, areas)
  const first = ownDesk(request).feedDay + 1
  let mails = 0
  for (let feedDay = first; feedDay < first + days; feedDay++) {
    listMore(request, areas, feedDay)
    const homes = homesIn(db, account, 'sale')
    const due = watching.filter(({ begun, period }) => (feedDay - begun) % period === 0)
    for (const watch of due) mails += mailAbout(request, watch, homes, request.day + feedDay * dayLength)
  }
  run(db, 'UPDATE desks SET feed_day = ? WHERE account = ?', first + days - 1, account)
  request.effect('feed.run', { days, listings: days * 3, mails })
  return { listings: days * 3, mails }
}
