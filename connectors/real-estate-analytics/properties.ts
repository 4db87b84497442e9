import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, described, limit, oneOf, refTo } from '../kit/inputs.ts'
import { same } from '../kit/same-thing.ts'
import { number } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { table } from './lists.ts'
import {
  Address,
  Bedrooms,
  Day,
  Properties,
  PropertyId,
  atLeast,
  dollars,
  dollarsInput,
  dollarsOf,
  fromSlashes,
  percent,
  plans,
  property,
  toDollars,
} from './shared.ts'

export const find_properties = endpoint({
  summary: 'Find homes for sale in one or more cities, the highest cash-on-cash return first.',
  aliases: [
    'homes for sale with good returns',
    'investment properties',
    'houses to buy as a rental',
    'best cash on cash',
    'find a house to invest in',
    'what can I buy with good return',
    'a house under a certain price',
  ],
  label: 'Find homes for sale',
  brief: ['cities', 'budget_max', 'bedrooms', 'rental_strategy'],
  access: 'read',
  request: 'GET /api/finder',
  input: {
    cities: labelled(
      'Cities',
      Type.Array(
        Type.String({ minLength: 1, maxLength: 100, description: 'A city with its state, such as "Austin, TX".' }),
        { minItems: 1, maxItems: 50, description: 'Where to look: cities with their state, such as "Austin, TX".' },
      ),
    ),
    miles: Type.Optional(
      labelled(
        'Miles around',
        Type.Integer({
          minimum: 1,
          maximum: 500,
          description: 'Look this many miles around the city instead, 1 to 500. Only with a single city.',
        }),
      ),
    ),
    budget_min: Type.Optional(dollarsInput('Lowest price', 'The lowest price.')),
    budget_max: Type.Optional(dollarsInput('Highest price', 'The highest price.')),
    rental_strategy: Type.Optional(
      labelled(
        'Strategy',
        oneOf(
          ['vacation', 'traditional'],
          'Whose returns to show and rank by; left out, those of the better strategy for each home.',
        ),
      ),
    ),
    bedrooms: atLeast('bedrooms'),
    bathrooms: atLeast('bathrooms'),
  },
  output: {
    properties: described(
      Properties,
      'The highest cash_on_cash first; returns are those of rental_strategy, or of the better one.',
    ),
  },
  encode: (input) => ({
    query: {
      city: input.cities,
      within: input.miles,
      px_from: toDollars(input.budget_min),
      px_to: toDollars(input.budget_max),
      plan: input.rental_strategy === undefined ? undefined : plans[input.rental_strategy],
      br_from: input.bedrooms,
      ba_from: input.bathrooms,
    },
  }),
  decode: (answer) => ({ properties: table(answer).map(property) }),
})

const Near = { address: Address, bedrooms: Bedrooms }
const distance_miles = Type.Number({ description: 'Straight to the home, in miles to the hundredth.' })
const Comp = Type.Union([
  closed({
    ...Near,
    nightly_rate: dollarsOf('What a night there costs, in whole US dollars.'),
    occupancy: Type.Number({ description: 'The share of nights that are let, in percent.' }),
    distance_miles,
  }),
  closed({
    ...Near,
    monthly_rent: dollarsOf('What a month there costs, in whole US dollars.'),
    leased_on: described(Day, 'The day when it was let, in UTC.'),
    distance_miles,
  }),
  closed({
    ...Near,
    sale_price: dollarsOf('What it was sold for, in whole US dollars.'),
    sold_on: described(Day, 'The day when the sale was closed, in UTC.'),
    distance_miles,
  }),
])

const own = {
  short_term: ({ rate, occ_bp }: Fields) => ({ nightly_rate: dollars(rate), occupancy: percent(occ_bp) }),
  long_term: ({ rent, leased }: Fields) => ({ monthly_rent: dollars(rent), leased_on: fromSlashes(leased) }),
  sales: ({ sold_for, closed: day }: Fields) => ({ sale_price: dollars(sold_for), sold_on: fromSlashes(day) }),
}

/** Converts feet into miles, to the hundredth. */
function miles(feet: unknown): number {
  return Math.round(number(feet) / 52.8) / 100
}

const lanes = codec({ short_term: 'nightly', long_term: 'yearly', sales: 'sold' })

export const get_property_comps = endpoint({
  summary:
    'List comparable homes within 30 miles of a home, the nearest first: let by the night, by the year, or sold.',
  aliases: [
    'comparable homes',
    'comps nearby',
    'similar houses',
    'what do neighbors rent for',
    'recently sold homes nearby',
    'what did similar ones sell for',
    'what do others nearby take a night',
  ],
  label: 'List comparable homes',
  brief: ['property_id', 'type'],
  access: 'read',
  request: 'GET /api/homes/{property_id}/near',
  input: {
    property_id: PropertyId,
    type: labelled(
      'Comparables',
      oneOf(
        lanes.words,
        'short_term: homes let by the night. long_term: homes let by the year. sales: homes that were sold.',
      ),
    ),
    limit: limit(20, 50),
  },
  output: {
    property_id: refTo('property', 'The home that the others are compared with.'),
    type: oneOf(lanes.words, 'The kind of comparables that the call asked for.'),
    comps: Type.Array(Comp, {
      description: 'The nearest first, with the fields of their type; empty when there are none.',
    }),
  },
  encode: ({ type, limit: rows }) => ({ query: { lane: lanes.encode(type), rows } }),
  decode: (answer, { input: { type } }) => ({
    property_id: answer['home'],
    type: same(type, lanes.decode(answer['lane'])),
    comps: table(answer).map((home) => ({
      address: home['street'],
      bedrooms: home['br'],
      ...own[type](home),
      distance_miles: miles(home['away_ft']),
    })),
  }),
})
