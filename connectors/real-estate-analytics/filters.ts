import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { oneOf } from '../kit/inputs.ts'
import { fields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { atLeast, dollars, dollarsInput, percent, toDollars, toPoints, types } from './shared.ts'

/** Search criteria of a preset or an alert; omitted ones do not filter. */
const filters = {
  price_min: Type.Optional(dollarsInput('Lowest price', 'The lowest price.')),
  price_max: Type.Optional(dollarsInput('Highest price', 'The highest price.')),
  bedrooms_min: atLeast('bedrooms'),
  bathrooms_min: atLeast('bathrooms'),
  property_type: Type.Optional(labelled('Home type', oneOf(types.words, 'Only homes of this type.'))),
  cash_on_cash_min: Type.Optional(
    labelled(
      'Lowest cash-on-cash',
      Type.Number({
        minimum: -100,
        maximum: 100,
        description:
          'The lowest cash-on-cash return of the better rental strategy, in percent with at most two decimals.',
      }),
    ),
  ),
}

export const Filters = labelled(
  'Filters',
  Type.Object(filters, {
    additionalProperties: false,
    description: 'What homes must be like; what is left out does not matter.',
  }),
)

export function fromCriteria(criteria: unknown): Fields {
  const { px_from, px_to, br_from, ba_from, kind, coc_from } = fields(criteria)
  const found = {
    price_min: px_from === undefined ? undefined : dollars(px_from),
    price_max: px_to === undefined ? undefined : dollars(px_to),
    bedrooms_min: br_from,
    bathrooms_min: ba_from,
    property_type: kind === undefined ? undefined : types.decode(kind),
    cash_on_cash_min: coc_from === undefined ? undefined : percent(coc_from),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

export function toCriteria(asked: Type.Static<typeof Filters> = {}): Fields {
  return {
    px_from: toDollars(asked.price_min),
    px_to: toDollars(asked.price_max),
    br_from: asked.bedrooms_min,
    ba_from: asked.bathrooms_min,
    kind: asked.property_type === undefined ? undefined : types.encode(asked.property_type),
    coc_from: toPoints(asked.cash_on_cash_min),
  }
}
