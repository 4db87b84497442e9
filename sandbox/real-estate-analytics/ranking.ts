import type { SignedIn } from '../platform/types.ts'
import { gradeOf, grades, listAreas, tiers, type Area } from './areas.ts'
import { usd } from './formats.ts'
import { figures, homesIn, isIn, kinds, type Home } from './homes.ts'
import { choice, choices, invalid, money, readParams, whole } from './input.ts'
import { grid } from './paging.ts'
import { idOf } from './tables.ts'

const mean = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((sum, each) => sum + each, 0) / numbers.length)

const marketNames = [
  'area',
  'tier',
  'name',
  'in_city',
  'st',
  'meter',
  'score',
  'rev',
  'occ_bp',
  'coc_bp',
  'rentals',
] as const

/** What rentals by the night take in, in an area where there are some. */
function takings(area: Area, rentals: readonly Home[]) {
  const made = rentals.map((home) => figures(home, 'nightly'))
  return {
    area,
    rev: mean(made.map(({ rev }) => rev)),
    occ: mean(rentals.map(({ occBp }) => occBp)),
    coc: mean(made.map(({ cocBp }) => cocBp)),
    rentals: rentals.length,
  }
}

/** Cities and neighborhoods, the highest score first. */
export function markets({ db, viewer, query }: SignedIn) {
  const fields = readParams(query, {
    texts: ['st', 'rev_from', 'tier'],
    wholes: ['occ_from'],
    lists: ['meter', 'kind'],
  })
  const st = fields['st']
  if (typeof st === 'string' && !/^[A-Z]{2}$/.test(st)) {
    throw invalid('FIELD_INVALID', 'st must be two capital letters.', 'st')
  }
  const tier = choice(fields, 'tier', tiers)
  const meter = choices(fields, 'meter', grades)
  const wanted = choices(fields, 'kind', kinds)
  const revFrom = money(fields, 'rev_from') ?? 0
  const occFrom = whole(fields, 'occ_from', 0, 10_000) ?? 0
  const { account } = viewer.account
  const rentals = homesIn(db, account, 'nightly').filter(({ kind }) => wanted.length === 0 || wanted.includes(kind))
  const found = listAreas(db, account)
    .filter((area) => (st === undefined || area.st === st) && (tier === undefined || area.tier === tier))
    .filter((area) => meter.length === 0 || meter.includes(gradeOf(area)))
    .map((area) => ({ area, inside: rentals.filter((home) => isIn(home, area)) }))
    .filter(({ inside }) => inside.length > 0)
    .map(({ area, inside }) => takings(area, inside))
    .filter(({ rev, occ }) => rev >= revFrom && occ >= occFrom)
    .sort((one, two) => two.area.score - one.area.score || two.rev - one.rev || one.area.serial - two.area.serial)
    .map(({ area, rev, occ, coc, rentals }) => ({
      area: idOf('areas', area.serial),
      tier: area.tier,
      name: area.name,
      in_city: area.tier === 'city' ? null : area.cityName,
      st: area.st,
      meter: gradeOf(area),
      score: area.score,
      rev: usd(rev),
      occ_bp: occ,
      coc_bp: coc,
      rentals,
    }))
  return grid(marketNames, found)
}
