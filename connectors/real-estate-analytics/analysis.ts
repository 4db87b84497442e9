import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described, oneOf } from '../kit/inputs.ts'
import { fields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import {
  Address,
  Bathrooms,
  Bedrooms,
  CapRate,
  CashOnCash,
  HomeId,
  HomePrice,
  PropertyId,
  dollars,
  dollarsInput,
  dollarsOf,
  percent,
  plans,
  toDollars,
  types,
} from './shared.ts'

const Figures = closed({
  monthly_revenue: dollarsOf('What renting it out takes in, a month in whole US dollars.'),
  monthly_operating_expenses: dollarsOf('What running it costs without the mortgage, a month in whole US dollars.'),
  monthly_mortgage: dollarsOf('The loan payment of a month, in whole US dollars.'),
  monthly_cash_flow: dollarsOf('Revenue less expenses and mortgage, a month in whole US dollars; can be negative.'),
  cap_rate: CapRate,
  cash_on_cash: CashOnCash,
})

const Basics = {
  property_id: HomeId,
  address: Address,
  price: HomePrice,
  cash_invested: labelled(
    'Cash invested',
    dollarsOf('Estimated cash that buying it takes, down payment and closing costs, in whole US dollars.'),
  ),
}

function basics({ home, street, ask, cash_in }: Fields) {
  return { property_id: home, address: street, price: dollars(ask), cash_invested: dollars(cash_in) }
}

function figures(plan: unknown) {
  const { rev, opex, loan, flow, cap_bp, coc_bp } = fields(plan)
  return {
    monthly_revenue: dollars(rev),
    monthly_operating_expenses: dollars(opex),
    monthly_mortgage: dollars(loan),
    monthly_cash_flow: dollars(flow),
    cap_rate: percent(cap_bp),
    cash_on_cash: percent(coc_bp),
  }
}

const asked = (description: string) => Type.Union([Figures, Type.Null()], { description })

export const get_property_analysis = endpoint({
  summary: 'Estimate what a home would cost and earn as a vacation rental and as a traditional one.',
  aliases: [
    'would the house earn money',
    'expected return of a home',
    'airbnb income of a house',
    'cash flow',
    'cap rate',
    'is it a good investment',
    'what would this house bring in',
    'is it worth buying',
    'what does it cost me a month',
  ],
  label: 'Analyze a home',
  brief: ['property_id', 'strategy'],
  access: 'read',
  request: 'GET /api/homes/{property_id}/workup',
  input: {
    property_id: PropertyId,
    strategy: defaulted(
      labelled(
        'Strategy',
        oneOf(['vacation', 'traditional', 'both'], 'Let by the night (vacation), by the year (traditional), or both.'),
      ),
      'both',
    ),
  },
  output: {
    ...Basics,
    vacation: asked('Let by the night; null when only the other strategy was asked for.'),
    traditional: asked('Let by the year; null when only the other strategy was asked for.'),
  },
  encode: ({ strategy }) => ({
    query: { plan: strategy === 'both' ? 'both' : plans[strategy] },
  }),
  decode: (answer, { input }) => {
    const { nightly, yearly } = fields(answer['plans'])
    return {
      ...basics(answer),
      vacation: input.strategy === 'traditional' ? null : figures(nightly),
      traditional: input.strategy === 'vacation' ? null : figures(yearly),
    }
  },
})

export const analyze_unlisted_property = endpoint({
  summary: 'Analyze the rental returns of an address that is off the market, and add it to the saved homes.',
  aliases: [
    'analyze an address off the market',
    'what would my own house earn',
    'returns of an address that is not for sale',
  ],
  label: 'Analyze an unlisted home',
  brief: ['address', 'price', 'property_type'],
  approval: {
    headline: 'Analyze {address} as a rental[ at a price of {price}] and save it',
    button: 'Analyze home',
    consequences: [{ kind: 'other', text: 'Adds the home to your saved homes; nobody is told' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_saved_homes' }],
  preview: [],
  verify: {
    read: 'list_saved_homes',
    set: { limit: 100 },
    at: 'saved_homes',
    id: 'property_id',
    same: { address: 'address' },
  },
  access: 'write',
  request: 'POST /api/workups',
  input: {
    address: labelled(
      'Address',
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'One line that ends with city and state, such as "12 Elm St, Austin, TX 78701"; the ZIP is optional.',
      }),
    ),
    price: Type.Optional(dollarsInput('Price', 'What it would cost, 10000 or more; estimated when left out.', 10_000)),
    property_type: Type.Optional(labelled('Home type', oneOf(types.words, 'Its type; single_family when left out.'))),
    bedrooms: Type.Optional(
      labelled(
        'Bedrooms',
        Type.Integer({ minimum: 0, maximum: 12, description: 'Its bedrooms, 0 to 12; estimated when left out.' }),
      ),
    ),
    bathrooms: Type.Optional(
      labelled(
        'Bathrooms',
        Type.Integer({ minimum: 1, maximum: 12, description: 'Its bathrooms, 1 to 12; estimated when left out.' }),
      ),
    ),
  },
  output: {
    ...Basics,
    property_type: oneOf(types.words, 'The type that was given; single_family when none was.'),
    bedrooms: described(Bedrooms, 'How many bedrooms; estimated when they were not given.'),
    bathrooms: described(Bathrooms, 'How many bathrooms; estimated when not given, then 1.5 is possible.'),
    vacation: described(Figures, 'Estimates for letting it by the night.'),
    traditional: described(Figures, 'Estimates for letting it by the year.'),
  },
  encode: ({ address, price, property_type, bedrooms, bathrooms }) => ({
    json: {
      street: address,
      ask: toDollars(price),
      kind: property_type === undefined ? undefined : types.encode(property_type),
      br: bedrooms,
      ba: bathrooms,
    },
  }),
  decode: (answer) => {
    const { nightly, yearly } = fields(answer['plans'])
    return {
      ...basics(answer),
      property_type: types.decode(answer['kind']),
      bedrooms: answer['br'],
      bathrooms: answer['ba'],
      vacation: figures(nightly),
      traditional: figures(yearly),
    }
  },
})
