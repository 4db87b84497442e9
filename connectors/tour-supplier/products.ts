import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromCompact, toCompact } from '../kit/dates.ts'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import { closed, day, defaulted, described, NullableText, oneOf } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, number, rows, text, textOrNull } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { pricedOption } from './previews.ts'
import { Currency, Day, Money, OptionId, Prices, Which, amountOf, formToken } from './shared.ts'
import { ownCurrency, prices, productId } from './shared.ts'

const statuses = codec({ active: 'ONLINE', inactive: 'OFFLINE' })

export const list_products = endpoint({
  summary: 'List the products with their options and what departures cost today.',
  aliases: ['my tours', 'options and prices today', 'which products do we offer', 'tour catalogue'],
  label: 'List products',
  brief: ['status'],
  access: 'read',
  request: 'GET /extranet/rest/activities',
  input: {
    status: defaulted(
      labelled(
        'Status',
        oneOf([...statuses.words, 'all'], 'active for products on sale, inactive for those that are not.'),
      ),
      'active',
    ),
  },
  output: {
    products: Type.Array(
      closed({
        product_id: Which.product_id,
        title: Which.title,
        status: labelled(
          'Status',
          Type.Enum(statuses.words, {
            type: 'string',
            description: 'active: on sale to travelers. inactive: taken off sale.',
          }),
        ),
        options: Type.Array(
          closed({
            option_id: Which.option_id,
            name: described(
              NullableText,
              'What travelers choose it by; null when the product has one option without a name.',
            ),
            price_categories: described(
              Prices,
              "What departures cost today, in the product's time zone; later prices can differ.",
            ),
            currency: Currency,
          }),
          { description: 'What travelers book of it, each with its own departures and prices.' },
        ),
      }),
      { description: 'All with that status, in the order in which they were made.' },
    ),
  },
  encode: ({ status }) => ({ query: { stage: status === 'all' ? 'ANY' : statuses.encode(status) } }),
  decode: ({ items }) => ({
    products: rows(items).map(({ activityId, headline, stage, variants }) => ({
      product_id: activityId,
      title: headline,
      status: statuses.decode(stage),
      options: rows(variants).map(({ variantId, label, tariff }) => ({
        option_id: variantId,
        name: textOrNull(label),
        price_categories: prices(tariff),
        currency: fields(tariff)['cur'],
      })),
    })),
  }),
})

export const get_performance = endpoint({
  summary: 'Show what each product sold for departures between two days, and how often its page was seen.',
  aliases: [
    'how do my tours sell',
    'page views and bookings of products',
    'best selling tour',
    'sales performance',
    'conversion of a product',
    'which tour does best',
    'did people look at our page',
  ],
  label: 'Show sales and views',
  brief: ['from', 'to', 'product_id'],
  access: 'read',
  request: 'GET /extranet/rest/insights',
  input: {
    from: labelled('First day', day("The first day, in each product's time zone.")),
    to: labelled('Last day', day('The last day, included.')),
    product_id: productId('Only this product; all, those off sale too, when left out.'),
  },
  output: {
    from: described(Day, "The first day of departure that is counted, in each product's time zone."),
    to: described(Day, "The last day of departure that is counted, included, in each product's time zone."),
    products: Type.Array(
      closed({
        product_id: Which.product_id,
        title: Which.title,
        figures: described(
          closed({
            bookings: Type.Integer({ description: 'Confirmed ones that depart on these days.' }),
            cancellations: Type.Integer({ description: 'Bookings that travelers cancelled.' }),
            travelers: Type.Integer({ description: 'People in the confirmed bookings.' }),
            page_views: Type.Integer({ description: 'How often its page was seen on these days.' }),
            revenue: described(Money, 'What the confirmed bookings cost together.'),
          }),
          'Of departures between both days, whenever they were booked; page views of these days.',
        ),
      }),
      { description: 'One for each product, those off sale and those without bookings too.' },
    ),
  },
  encode: ({ from, to, product_id }) => ({
    query: { first: toCompact(from), last: toCompact(to), activity: product_id },
  }),
  decode: ({ first, last, items }) => ({
    from: fromCompact(first),
    to: fromCompact(last),
    products: rows(items).map(({ activityId, headline, metrics }) => {
      const { orders, cancelled, guests, views, gross } = fields(metrics)
      const figures = { bookings: orders, cancellations: cancelled, travelers: guests, page_views: views }
      return { product_id: activityId, title: headline, figures: { ...figures, revenue: amountOf(gross) } }
    }),
  }),
})

/** Converts a price into minor units. Throws rather than rounds: it must stay as approved. */
function toMinor(price: number | undefined, { supplier }: Fields): string | undefined {
  if (price === undefined) return undefined
  const { cur, digits } = fields(supplier)
  const [, whole = '', decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(price)) ?? []
  if (whole === '' || decimals.length > number(digits))
    throw new InputRejected(
      'PRICE_INVALID',
      `${price} is no price in ${text(cur)}, which has ${number(digits)} decimals.`,
    )
  return String(Number(whole + decimals.padEnd(number(digits), '0')))
}

const price = (label: string, more: { minimum: number } | { exclusiveMinimum: number }, description: string) =>
  Type.Optional(labelled(label, money(ownCurrency, Type.Number({ ...more, description }))))

export const update_pricing = endpoint({
  summary: 'Set the retail prices of an option for departures from a day on; travelers see them at once.',
  aliases: [
    'raise the price of a tour',
    'change retail prices',
    'new adult price',
    'price increase from June',
    'cheaper for children',
    'make the tour dearer from June',
  ],
  label: 'Change prices',
  brief: ['option_id', 'prices', 'valid_from'],
  approval: {
    headline:
      'Change the prices of {option_id}, in the account’s currency[, to {prices.adult|for adults|for adults}][, to {prices.child|for children|for children}][, from {valid_from} on]',
    button: 'Change prices',
    consequences: [
      { kind: 'public', text: 'Travelers see the new prices at once' },
      { kind: 'money', text: '[Adults pay {prices.adult}, today {option_id.price_categories.adult}]' },
      { kind: 'money', text: '[Children pay {prices.child}, today {option_id.price_categories.child}]' },
      { kind: 'other', text: 'Changes of the same prices planned for later days are dropped' },
    ],
  },
  effect: 'changes',
  shownBy: [],
  preview: [pricedOption],
  access: 'write',
  confirm: true,
  request: 'POST /extranet/variants/{option_id}/tariff',
  before: '/extranet/rest/session',
  input: {
    option_id: OptionId,
    prices: labelled(
      'New prices',
      Type.Object(
        {
          adult: price('Adult', { exclusiveMinimum: 0 }, "What an adult pays, in the account's currency."),
          child: price('Child', { minimum: 0 }, "What a child pays, in the account's currency; 0 means free."),
        },
        {
          additionalProperties: false,
          minProperties: 1,
          description: 'The new prices by category; a category that is left out keeps its price.',
        },
      ),
    ),
    valid_from: Type.Optional(
      labelled(
        'Valid from',
        day(
          "The first day of departure with these prices, for good: later price changes of the same category go; today, in the product's time zone, when left out.",
        ),
      ),
    ),
  },
  output: {
    option_id: Which.option_id,
    prices: described(Prices, 'Both prices as they are from valid_from on, the unchanged one too.'),
    currency: Currency,
    valid_from: described(Day, "The first day of departure with these prices, in the product's time zone."),
  },
  encode: ({ prices: { adult, child }, valid_from }, { before }) => ({
    form: { adults: toMinor(adult, before), children: toMinor(child, before), starting: toCompact(valid_from) },
  }),
  csrf: formToken,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const page = `extranet/variants/${encodeURIComponent(input.option_id)}`
    const { query } = ledTo(location, page, { starting: true })
    return {
      option_id: input.option_id,
      prices: prices(Object.fromEntries(query)),
      currency: query.get('cur'),
      valid_from: fromCompact(query.get('starting')),
    }
  },
})
