import type { DatabaseSync } from 'node:sqlite'
import { Random } from '../platform/random.ts'
import type { Account } from '../platform/types.ts'
import { rhythms } from './alerts.ts'
import { placeOf, type Area } from './areas.ts'
import type { Criteria } from './criteria.ts'
import { reportLines } from './files.ts'
import { dayLength, usd } from './formats.ts'
import { homeRow, type Home, type Lane } from './homes.ts'
import { makeHome } from './make-home.ts'
import { pdfOf } from './pdf.ts'
import { cities, longMemo, longStreet, memos, presetTitles } from './seed-words.ts'
import { idOf, insertAll } from './tables.ts'

interface Ground {
  db: DatabaseSync
  random: Random
  day: number
  account: Account
  next: () => number
}

const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('Nothing to pick from.')
  return item
}

function seedAreas({ db, account, next }: Ground): Area[] {
  const areas = cities.flatMap(([cityName, st, east, north, hoods], index): Area[] => {
    const city = next()
    const inside = hoods.map((name, turn): Area => {
      const [x, y] = [east * 5280 + (turn - 1) * 9000, north * 5280 + (turn % 2) * 7000]
      const score = (index * 37 + turn * 23 + 58) % 101
      return { serial: next(), tier: 'hood', name, cityName, city, st, x, y, score }
    })
    const score = Math.round(inside.reduce((sum, hood) => sum + hood.score, 0) / inside.length)
    const whole = { serial: city, name: cityName, cityName, city, st, x: east * 5280, y: north * 5280, score }
    return [{ tier: 'city', ...whole }, ...inside]
  })
  insertAll(
    db,
    'areas',
    areas.map(({ cityName, ...area }) => ({ ...area, account: account.account, city_name: cityName })),
  )
  return areas
}

const sizes: readonly (readonly [Lane, number, number])[] = [
  ['sale', 40, 4],
  ['nightly', 20, 2],
  ['yearly', 19, 2],
  ['sold', 19, 2],
]

/** Most of them in the first city. */
function seedHomes({ db, random, day, account, next }: Ground, areas: readonly Area[]): Home[] {
  const [first] = areas
  const homes = areas
    .filter(({ tier }) => tier === 'hood')
    .flatMap((hood) =>
      sizes.flatMap(([lane, many, few]) =>
        Array.from({ length: hood.city === first?.serial ? many : few }, () =>
          makeHome(random, hood, lane, next(), day - random.between(1, 400) * dayLength),
        ),
      ),
    )
  const long = homes.find(({ lane }) => lane === 'sale')
  if (long) long.street = `${longStreet}, ${first?.name}, ${first?.st} 78701`
  insertAll(
    db,
    'homes',
    homes.map((home) => homeRow(account.account, home)),
  )
  return homes
}

const criteria: readonly Criteria[] = [
  {},
  { pxTo: 300_000 },
  { brFrom: 3 },
  { kind: 'CND' },
  { brFrom: 4, baFrom: 2, pxFrom: 350_000 },
  { pxTo: 450_000, kind: 'SFR' },
  { cocFrom: 400 },
  { kind: 'TWN' },
  { kind: 'MFR', baFrom: 2 },
  { kind: 'MOB', pxTo: 400_000 },
  { cocFrom: 0 },
  { pxTo: 1000 },
  { pxFrom: 200_000, pxTo: 500_000, brFrom: 2, baFrom: 1, cocFrom: -300 },
  { brFrom: 5, baFrom: 5 },
]

function seedPresets({ db, account, next }: Ground): number[] {
  const rows = presetTitles.map((title, index) => {
    const crit = JSON.stringify(at(criteria, index))
    return { serial: next(), account: account.account, title, crit }
  })
  insertAll(db, 'presets', rows)
  return rows.map(({ serial }) => serial)
}

/** Every fourth home for sale of the first ones, some rentals, and some that were brought in. */
function seedSaved({ db, random, day, account, next }: Ground, areas: readonly Area[], homes: readonly Home[]): void {
  const hoods = areas.filter(({ tier }) => tier === 'hood')
  const own = Array.from({ length: 5 }, (_, turn) =>
    makeHome(random, at(hoods, turn * 4), 'private', next(), day - (turn + 2) * dayLength),
  )
  insertAll(
    db,
    'homes',
    own.map((home) => homeRow(account.account, home)),
  )
  const chosen = [
    ...homes
      .filter(({ lane }) => lane === 'sale')
      .filter((_, turn) => turn % 4 === 0)
      .slice(0, 56),
    ...homes.filter(({ lane }) => lane === 'nightly').slice(0, 5),
    ...own,
  ]
  const rows = chosen.map(({ serial: home }, turn) => ({
    serial: next(),
    account: account.account,
    home,
    stars: turn % 6 === 0 ? null : turn % 6,
    memo: turn === 7 ? longMemo : at(memos, turn),
    made: day - (chosen.length - turn) * dayLength,
    gone: null,
  }))
  insertAll(db, 'saves', rows)
}

/** 64 alerts, and the mails that the first ones led to. */
function seedAlerts(
  { db, day, account: { account, email }, next }: Ground,
  areas: readonly Area[],
  homes: readonly Home[],
): void {
  const alerts = Array.from({ length: 64 }, (_, turn) => {
    const { brFrom, baFrom, kind, cocFrom } = at(criteria, turn)
    const crit: Record<keyof Criteria, unknown> = {
      pxFrom: 100_000,
      pxTo: 250_000 + turn * 5000,
      brFrom,
      baFrom,
      kind,
      cocFrom,
    }
    const row = { serial: next(), account, area: at(areas, turn * 3).serial, crit: JSON.stringify(crit) }
    return { ...row, every: at(rhythms, turn), made: day - (70 - turn) * dayLength, begun: 0, seen: 0 }
  })
  const mails = Array.from({ length: 72 }, (_, turn) => {
    const { serial: alert, area } = at(alerts, turn % 20)
    const place = areas.find(({ serial }) => serial === area)
    const fresh = homes.filter((home) => home.lane === 'sale' && (home.area === area || home.city === area))
    const { street, price } = at(fresh, turn)
    const subject = `1 new in ${place ? placeOf(place) : ''}`
    const sent = day - Math.floor((72 - turn) / 2) * dayLength
    return { serial: next(), account, alert, recipient: email, subject, words: `${street}: ${usd(price)}`, sent }
  })
  const seen = next()
  insertAll(
    db,
    'alerts',
    alerts.map((alert) => ({ ...alert, seen })),
  )
  insertAll(db, 'mails', mails)
}

/** Days ago of the newest ones: within the plan's month, which began ten days ago. */
const recent = [9, 6, 4, 3, 1]

/** 64 files: 2 sheets and 3 reports of the plan's month, the others older. */
function seedFiles({ db, day, account, next }: Ground, homes: readonly Home[], presets: readonly number[]): void {
  const rows = Array.from({ length: 64 }, (_, turn) => {
    const ago = turn < 59 ? 12 + (59 - turn) * 3 : (recent[turn - 59] ?? 1)
    const row = { serial: next(), account: account.account, made: day - ago * dayLength }
    if (turn % 2 === 1) {
      const preset = turn % presetTitles.length
      const about = idOf('presets', at(presets, preset))
      const body = `neighborhood,city,state\r\nTremé,New Orleans,LA\r\n`
      return { ...row, kind: 'sheet', title: at(presetTitles, preset), about, body }
    }
    const home = at(homes, turn)
    const body = pdfOf(`Yieldwright: ${home.street}`, reportLines(home))
    return { ...row, kind: 'pdf', title: home.street, about: idOf('homes', home.serial), body }
  })
  insertAll(db, 'files', rows)
}

/** Everything of one account, the same after every reset but for the day that its times are counted from. */
export function seed(db: DatabaseSync, day: number, account: Account): void {
  let last = account.ordinal * 100_000
  const ground = { db, random: new Random(`yieldwright ${account.ordinal}`), day, account, next: () => ++last }
  const areas = seedAreas(ground)
  const presets = seedPresets(ground)
  const homes = seedHomes(ground, areas)
  seedSaved(ground, areas, homes)
  seedAlerts(ground, areas, homes)
  seedFiles(ground, homes, presets)
  insertAll(db, 'desks', [{ account: account.account, serial: last, feed_day: 0, anchor: day - 10 * dayLength }])
}
