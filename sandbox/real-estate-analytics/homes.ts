import type { DatabaseSync } from 'node:sqlite'
import { all, number, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import type { Area } from './areas.ts'
import { idOf, ownRow } from './tables.ts'
import { usd } from './formats.ts'

/** For sale, let by the night, let by the year, sold; `private`: off the market, brought in by the investor. */
export const lanes = ['sale', 'nightly', 'yearly', 'sold', 'private'] as const
export type Lane = (typeof lanes)[number]
export const kinds = ['SFR', 'CND', 'TWN', 'MFR', 'MOB'] as const
export type Kind = (typeof kinds)[number]
/** Ways of letting it. */
export const plans = ['nightly', 'yearly'] as const
export type Plan = (typeof plans)[number]

export interface Home {
  serial: number
  lane: Lane
  street: string
  area: number
  city: number
  kind: Kind
  br: number
  ba: number
  price: number
  /** A night's price. */
  rate: number
  occBp: number
  /** A month's rent. */
  rent: number
  x: number
  y: number
  /** Listed, let or sold. */
  since: number
}

function toHome(row: Row): Home {
  const lane = text(row, 'lane')
  const kind = text(row, 'kind')
  return {
    serial: number(row, 'serial'),
    lane: lanes.find((one) => one === lane) ?? 'sale',
    street: text(row, 'street'),
    area: number(row, 'area'),
    city: number(row, 'city'),
    kind: kinds.find((one) => one === kind) ?? 'SFR',
    br: number(row, 'br'),
    ba: number(row, 'ba'),
    price: number(row, 'price'),
    rate: number(row, 'rate'),
    occBp: number(row, 'occ_bp'),
    rent: number(row, 'rent'),
    x: number(row, 'x'),
    y: number(row, 'y'),
    since: number(row, 'since'),
  }
}

export const ownHome = (request: SignedIn): Home => toHome(ownRow(request, 'homes', request.params['home']))

export const homesIn = (db: DatabaseSync, account: string, lane: Lane): Home[] =>
  all(db, 'SELECT * FROM homes WHERE account = ? AND lane = ? ORDER BY serial', account, lane).map(toHome)

export const isIn = ({ area, city }: Home, { serial }: Area): boolean => area === serial || city === serial

/** Up to the ZIP code, upper and lower case alike: what makes two addresses the same. */
export const foldStreet = (street: string): string =>
  street
    .replace(/\s+\d{5}$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** The columns of table homes. */
export const homeRow = (account: string, { occBp, ...home }: Home) => ({
  ...home,
  account,
  occ_bp: occBp,
  folded: foldStreet(home.street),
})

export interface Figures {
  rev: number
  opex: number
  loan: number
  flow: number
  capBp: number
  cocBp: number
}

/** A fifth of the price down, and 4 % to close the deal. */
export const cashIn = ({ price }: Home): number => Math.round(price * 0.24)

/** The rest is a loan over 30 years at 6.5 %. */
const loanFactor = 0.8 * 0.006_320_68

export function figures(home: Home, plan: Plan): Figures {
  const { price, rate, occBp, rent } = home
  const rev = plan === 'nightly' ? Math.round((rate * occBp * 30.4) / 10_000) : rent
  const opex = Math.round(rev * (plan === 'nightly' ? 0.38 : 0.2) + (price * 0.011) / 12)
  const loan = Math.round(price * loanFactor)
  const flow = rev - opex - loan
  const yearly = (dollars: number, of: number): number => Math.round((dollars * 120_000) / of)
  return { rev, opex, loan, flow, capBp: yearly(rev - opex, price), cocBp: yearly(flow, cashIn(home)) }
}

export const betterPlan = (home: Home): Plan =>
  figures(home, 'nightly').cocBp >= figures(home, 'yearly').cocBp ? 'nightly' : 'yearly'

export const rowNames = ['home', 'street', 'ask', 'br', 'ba', 'coc_bp', 'cap_bp', 'plan'] as const

export function homeOut(home: Home, plan: Plan) {
  const { serial, street, price, br, ba } = home
  const { capBp, cocBp } = figures(home, plan)
  return { home: idOf('homes', serial), street, ask: usd(price), br, ba, coc_bp: cocBp, cap_bp: capBp, plan }
}
