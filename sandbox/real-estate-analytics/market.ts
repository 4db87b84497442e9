import { number, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { listAreas, needArea, needCity, placeOf } from './areas.ts'
import { matches, readCriteria, storedCriteria } from './criteria.ts'
import { slashDay, usd } from './formats.ts'
import { betterPlan, cashIn, figures, homeOut, homesIn, isIn, ownHome, plans, rowNames } from './homes.ts'
import type { Figures, Home, Plan } from './homes.ts'
import { choice, invalid, needChoice, needLine, readParams, texts, whole } from './input.ts'
import { grid } from './paging.ts'
import { idOf, ownRow } from './tables.ts'

const mile = 5280

const feetBetween = (one: { x: number; y: number }, two: { x: number; y: number }): number =>
  Math.round(Math.hypot(one.x - two.x, one.y - two.y))

/** Homes for sale in these cities, or around the only one; the best cash-on-cash return first. */
export function finder(request: SignedIn) {
  const { db, viewer, query } = request
  const fields = readParams(query, {
    texts: ['plan', 'px_from', 'px_to'],
    wholes: ['within', 'br_from', 'ba_from'],
    lists: ['city'],
  })
  const areas = listAreas(db, viewer.account.account)
  const cities = texts(fields, 'city').map((words) => needCity(areas, words, 'city'))
  const [first, ...more] = cities
  if (!first) throw invalid('FIELD_MISSING', 'city is needed.', 'city')
  const miles = whole(fields, 'within', 1, 500)
  if (miles !== undefined && more.length > 0) {
    throw invalid('RADIUS_NEEDS_ONE_CITY', 'within goes with a single city.', 'within')
  }
  const asked = choice(fields, 'plan', plans)
  const criteria = readCriteria(fields)
  const found = homesIn(db, viewer.account.account, 'sale')
    .filter((home) =>
      miles === undefined ? cities.some((city) => isIn(home, city)) : feetBetween(home, first) <= miles * mile,
    )
    .filter((home) => matches(home, criteria))
    .map((home) => homeOut(home, asked ?? betterPlan(home)))
    .sort((one, two) => two.coc_bp - one.coc_bp)
  return grid(rowNames, found)
}

export const sheets = ['buy', 'nightly', 'yearly'] as const

/** The three sheets of a search: homes for sale, the newest first, or rentals, those that take in most first. */
export function runPreset(request: SignedIn) {
  const { db, viewer, query } = request
  const row = ownRow(request, 'presets', request.params['preset'])
  const fields = readParams(query, { texts: ['where', 'sheet'], wholes: ['rows'] })
  const area = needArea(request, needLine(fields, 'where', 200), 'where')
  const sheet = choice(fields, 'sheet', sheets) ?? 'buy'
  const rows = whole(fields, 'rows', 1, 100) ?? 25
  const criteria = storedCriteria(text(row, 'crit'))
  const planOf = (home: Home): Plan => (sheet === 'buy' ? betterPlan(home) : sheet)
  const rank = (home: Home): number => (sheet === 'buy' ? home.since : figures(home, sheet).rev)
  const found = homesIn(db, viewer.account.account, sheet === 'buy' ? 'sale' : sheet)
    .filter((home) => isIn(home, area) && matches(home, criteria))
    .sort((one, two) => rank(two) - rank(one) || two.serial - one.serial)
  const preset = { preset: idOf('presets', number(row, 'serial')), title: text(row, 'title') }
  const shown = found.slice(0, rows).map((home) => homeOut(home, planOf(home)))
  return { ...preset, place: placeOf(area), sheet, found: found.length, ...grid(rowNames, shown) }
}

const figuresOut = ({ rev, opex, loan, flow, capBp, cocBp }: Figures) => ({
  rev: usd(rev),
  opex: usd(opex),
  loan: usd(loan),
  flow: usd(flow),
  cap_bp: capBp,
  coc_bp: cocBp,
})

export function workupOf(home: Home, wanted: readonly Plan[]) {
  const made = wanted.map((plan) => [plan, figuresOut(figures(home, plan))] as const)
  return {
    home: idOf('homes', home.serial),
    street: home.street,
    ask: usd(home.price),
    cash_in: usd(cashIn(home)),
    plans: Object.fromEntries(made),
  }
}

export function workup(request: SignedIn) {
  const home = ownHome(request)
  const plan = choice(readParams(request.query, { texts: ['plan'] }), 'plan', [...plans, 'both']) ?? 'both'
  return workupOf(home, plan === 'both' ? plans : [plan])
}

export const nearLanes = ['nightly', 'yearly', 'sold'] as const
type NearLane = (typeof nearLanes)[number]

const nearNames = {
  nightly: ['home', 'street', 'br', 'ba', 'rate', 'occ_bp', 'away_ft'],
  yearly: ['home', 'street', 'br', 'ba', 'rent', 'leased', 'away_ft'],
  sold: ['home', 'street', 'br', 'ba', 'sold_for', 'closed', 'away_ft'],
} as const

function nearOut(home: Home, lane: NearLane, feet: number): Record<string, unknown> {
  const { serial, street, br, ba, price, rate, occBp, rent, since } = home
  const own = {
    nightly: { rate: usd(rate), occ_bp: occBp },
    yearly: { rent: usd(rent), leased: slashDay(since) },
    sold: { sold_for: usd(price), closed: slashDay(since) },
  }[lane]
  return { home: idOf('homes', serial), street, br, ba, ...own, away_ft: feet }
}

/** Others within 30 miles, the nearest first. */
export function near(request: SignedIn) {
  const { db, viewer, query } = request
  const home = ownHome(request)
  const fields = readParams(query, { texts: ['lane'], wholes: ['rows'] })
  const lane = needChoice(fields, 'lane', nearLanes)
  const rows = whole(fields, 'rows', 1, 50) ?? 20
  const found = homesIn(db, viewer.account.account, lane)
    .filter(({ serial }) => serial !== home.serial)
    .map((other) => ({ other, feet: feetBetween(home, other) }))
    .filter(({ feet }) => feet <= 30 * mile)
    .sort((one, two) => one.feet - two.feet || one.other.serial - two.other.serial)
  const shown = found.slice(0, rows).map(({ other, feet }) => nearOut(other, lane, feet))
  return {
    home: idOf('homes', home.serial),
    lane,
    found: found.length,
    ...grid<Record<string, unknown>>(nearNames[lane], shown),
  }
}
