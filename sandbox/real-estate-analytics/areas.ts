import type { DatabaseSync } from 'node:sqlite'
import { all, number, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { invalid } from './input.ts'

export const tiers = ['city', 'hood'] as const
export const grades = ['A', 'B', 'C', 'D'] as const

export interface Area {
  serial: number
  tier: (typeof tiers)[number]
  name: string
  cityName: string
  city: number
  st: string
  x: number
  y: number
  /** 0 to 100: how well rentals do there. */
  score: number
}

const toArea = (row: Row): Area => ({
  serial: number(row, 'serial'),
  tier: text(row, 'tier') === 'city' ? 'city' : 'hood',
  name: text(row, 'name'),
  cityName: text(row, 'city_name'),
  city: number(row, 'city'),
  st: text(row, 'st'),
  x: number(row, 'x'),
  y: number(row, 'y'),
  score: number(row, 'score'),
})

export const listAreas = (db: DatabaseSync, account: string): Area[] =>
  all(db, 'SELECT * FROM areas WHERE account = ? ORDER BY serial', account).map(toArea)

/** `Austin, TX` or `Hyde Park, Austin, TX` */
export const placeOf = ({ tier, name, cityName, st }: Pick<Area, 'tier' | 'name' | 'cityName' | 'st'>): string =>
  tier === 'city' ? `${name}, ${st}` : `${name}, ${cityName}, ${st}`

export const gradeOf = ({ score }: Pick<Area, 'score'>): (typeof grades)[number] =>
  score >= 75 ? 'A' : score >= 50 ? 'B' : score >= 25 ? 'C' : 'D'

/** Capitals, accents and blanks do not count: people write San Jose, CA. */
const fold = (words: string): string =>
  words
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(',')
    .map((part) => part.trim().replaceAll(/\s+/g, ' ').toLowerCase())
    .join(', ')

/** The city with this name and state. */
export function needCity(areas: readonly Area[], words: string, at: string): Area {
  const found = areas.find((area) => area.tier === 'city' && fold(placeOf(area)) === fold(words))
  if (!found) throw invalid('PLACE_UNKNOWN', `We do not cover a city ${words}; write it like Austin, TX.`, at)
  return found
}

/** The city or neighborhood with this name; its city and state may be left out where there is no other of the name. */
export function needArea({ db, viewer }: SignedIn, words: string, at: string): Area {
  const areas = listAreas(db, viewer.account.account)
  const wanted = fold(words)
  const exact = areas.find((area) => fold(placeOf(area)) === wanted)
  if (exact) return exact
  const [found, ...more] = areas.filter(
    ({ name, cityName, tier }) => fold(name) === wanted || (tier === 'hood' && fold(`${name}, ${cityName}`) === wanted),
  )
  if (!found) throw invalid('PLACE_UNKNOWN', `We do not cover a place ${words}.`, at)
  if (more.length > 0) {
    throw invalid('PLACE_AMBIGUOUS', `Which one? ${[found, ...more].map(placeOf).join('; ')}`, at)
  }
  return found
}
