import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, described, oneOf, refTo } from '../kit/inputs.ts'
import { word } from '../kit/wire.ts'
import { table } from './lists.ts'
import { CashOnCash, dollars, dollarsInput, dollarsOf, percent, toDollars, toPoints, types } from './shared.ts'

const grades: ['A', 'B', 'C', 'D'] = ['A', 'B', 'C', 'D']

export const search_markets = endpoint({
  summary: 'Rank neighborhoods and cities by how well short-term rentals do there, the best first.',
  aliases: [
    'best cities for short-term rentals',
    'where should I invest',
    'top neighborhoods for airbnb',
    'compare markets',
    'hottest areas',
    'where is it worth buying',
    'which towns do well',
  ],
  label: 'Rank rental markets',
  brief: ['state', 'rating_meter', 'min_monthly_revenue'],
  access: 'read',
  request: 'GET /api/markets',
  input: {
    state: Type.Optional(
      labelled(
        'State',
        Type.String({
          pattern: '^[A-Za-z]{2}$',
          description: 'Only places in this state, by its two-letter code such as TX; nationwide when left out.',
        }),
      ),
    ),
    rating_meter: Type.Optional(
      labelled(
        'Grades',
        Type.Array(oneOf(grades, 'A grade, A is the best.'), {
          minItems: 1,
          maxItems: 20,
          description: 'Only places with one of these grades, A (best) to D; all when left out.',
        }),
      ),
    ),
    min_monthly_revenue: Type.Optional(
      dollarsInput('Lowest monthly revenue', 'The lowest average revenue of a rental in a month.'),
    ),
    min_occupancy: Type.Optional(
      labelled(
        'Lowest occupancy',
        Type.Integer({ minimum: 0, maximum: 100, description: 'The lowest average occupancy, in percent.' }),
      ),
    ),
    property_types: Type.Optional(
      labelled(
        'Home types',
        Type.Array(oneOf(types.words, 'A type of home.'), {
          minItems: 1,
          maxItems: 20,
          description: `Average only rentals of these types: ${types.words.join(', ')}. All when left out.`,
        }),
      ),
    ),
  },
  output: {
    markets: Type.Array(
      closed({
        market_id: refTo('market', 'The id of the place in the app; no endpoint takes it.'),
        name: Type.String({ description: 'Its name alone; to pass it as location, add city and state.' }),
        type: Type.Enum(['city', 'neighborhood'], {
          type: 'string',
          description: 'Whether the figures are of a whole city or of one neighborhood.',
        }),
        city: described(NullableText, "A neighborhood's city; null for a city."),
        state: Type.String({ description: 'The two-letter code of its state, such as TX.' }),
        rating_meter: Type.Enum(grades, { type: 'string', description: 'The grade of its score, from A (best) to D.' }),
        score: Type.Integer({ description: '0 to 100; the ranking goes by it.' }),
        monthly_revenue: dollarsOf('What a rental by the night takes in a month on average, in whole US dollars.'),
        occupancy: Type.Number({ description: 'The share of nights that are let, in percent, on average.' }),
        cash_on_cash: described(
          CashOnCash,
          'Average yearly cash flow in percent of the cash invested; can be negative.',
        ),
        rentals: Type.Integer({ description: 'How many rentals the averages are of.' }),
      }),
      { description: 'Places that match, the highest score first; empty when none does.' },
    ),
  },
  encode: (input) => ({
    query: {
      st: input.state?.toUpperCase(),
      meter: input.rating_meter,
      rev_from: toDollars(input.min_monthly_revenue),
      occ_from: toPoints(input.min_occupancy),
      kind: input.property_types?.map((type) => types.encode(type)),
    },
  }),
  decode: (answer) => ({
    markets: table(answer).map(({ area, name, tier, in_city, st, meter, score, rev, occ_bp, coc_bp, rentals }) => ({
      market_id: area,
      name,
      type: word({ city: 'city', hood: 'neighborhood' }, tier),
      city: in_city,
      state: st,
      rating_meter: meter,
      score,
      monthly_revenue: dollars(rev),
      occupancy: percent(occ_bp),
      cash_on_cash: percent(coc_bp),
      rentals,
    })),
  }),
})
