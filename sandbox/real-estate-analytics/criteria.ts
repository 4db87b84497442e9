import { usd } from './formats.ts'
import { betterPlan, figures, kinds, type Home, type Kind } from './homes.ts'
import { choice, invalid, money, whole, type Fields } from './input.ts'

/** What a search, a preset or an alert asks of a home. */
export interface Criteria {
  pxFrom?: number
  pxTo?: number
  brFrom?: number
  baFrom?: number
  kind?: Kind
  /** Cash-on-cash return of its better plan. */
  cocFrom?: number
}

export const criteriaTexts = ['px_from', 'px_to', 'kind'] as const
export const criteriaWholes = ['br_from', 'ba_from', 'coc_from'] as const

export function readCriteria(fields: Fields): Criteria {
  const pxFrom = money(fields, 'px_from')
  const pxTo = money(fields, 'px_to')
  if (pxFrom !== undefined && pxTo !== undefined && pxFrom > pxTo) {
    throw invalid('RANGE_BACKWARDS', 'px_from must not be above px_to.', 'px_from')
  }
  const brFrom = whole(fields, 'br_from', 1, 5)
  const baFrom = whole(fields, 'ba_from', 1, 5)
  const kind = choice(fields, 'kind', kinds)
  const cocFrom = whole(fields, 'coc_from', -10_000, 10_000)
  return {
    ...(pxFrom === undefined ? {} : { pxFrom }),
    ...(pxTo === undefined ? {} : { pxTo }),
    ...(brFrom === undefined ? {} : { brFrom }),
    ...(baFrom === undefined ? {} : { baFrom }),
    ...(kind === undefined ? {} : { kind }),
    ...(cocFrom === undefined ? {} : { cocFrom }),
  }
}

export const matches = (home: Home, { pxFrom, pxTo, brFrom, baFrom, kind, cocFrom }: Criteria): boolean =>
  home.price >= (pxFrom ?? 0) &&
  home.price <= (pxTo ?? Number.POSITIVE_INFINITY) &&
  home.br >= (brFrom ?? 0) &&
  home.ba >= (baFrom ?? 0) &&
  (kind === undefined || home.kind === kind) &&
  (cocFrom === undefined || figures(home, betterPlan(home)).cocBp >= cocFrom)

export const criteriaOut = ({ pxFrom, pxTo, brFrom, baFrom, kind, cocFrom }: Criteria) => ({
  ...(pxFrom === undefined ? {} : { px_from: usd(pxFrom) }),
  ...(pxTo === undefined ? {} : { px_to: usd(pxTo) }),
  ...(brFrom === undefined ? {} : { br_from: brFrom }),
  ...(baFrom === undefined ? {} : { ba_from: baFrom }),
  ...(kind === undefined ? {} : { kind }),
  ...(cocFrom === undefined ? {} : { coc_from: cocFrom }),
})

/** As it stands in a column of a table. */
export const storedCriteria = (text: string): Criteria => JSON.parse(text) as Criteria
