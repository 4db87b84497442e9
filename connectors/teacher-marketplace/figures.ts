import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, defaulted, described, id, nextCursor, oneOf } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { listQuery, pageOf } from './lists.ts'
import {
  Cents,
  Count,
  Day,
  Earnings,
  From,
  ProductId,
  To,
  Which,
  fromDollars,
  fromShare,
  fromUs,
  reference,
  toUs,
} from './shared.ts'

const Conversion = Type.Number({ minimum: 0, description: 'units_sold for each view: 0.07 is 7 %.' })
const buyers = codec({ all: 'everyone', first_time: 'new', repeat: 'returning' })

/** Page size of the lists without a limit. */
const pageSize = 25

function days({ from, to }: { readonly from: string; readonly to: string }) {
  return { first: toUs(from), last: toUs(to) }
}

function sold({ first, last, earned, sold: units, looks, rate }: Fields) {
  return {
    from: fromUs(first),
    to: fromUs(last),
    earnings_cents: fromDollars(earned),
    units_sold: units,
    views: looks,
    conversion: fromShare(rate),
  }
}

const Sold = {
  from: described(Day, "The first day that is counted, in the store's time zone."),
  to: described(Day, "The last day that is counted, included, in the store's time zone."),
  earnings_cents: Earnings,
  units_sold: described(Count, 'How many items were sold on these days.'),
  views: described(Count, 'How often buyers looked at a product on these days.'),
  conversion: Conversion,
}

export const get_store_stats = endpoint({
  summary: 'Sum up what the store earned and sold between two days, and how many looked and bought.',
  aliases: [
    'how is my store doing',
    'total earnings',
    'visitors and buyers of the store',
    'revenue of the store',
    'conversion rate',
    'how much did the store make',
    'how much did I earn this month',
    'how many visitors did I have',
  ],
  label: 'Sum up the store',
  brief: ['from', 'to', 'buyer_type', 'product_ids'],
  access: 'read',
  request: 'GET /dash/figures',
  input: {
    from: From,
    to: To,
    buyer_type: defaulted(
      labelled('Buyers', oneOf(buyers.words, 'first_time: up to the first item from this store. repeat: the rest.')),
      'all',
    ),
    product_ids: Type.Optional(
      labelled(
        'Products',
        // An empty list would be omitted from the request, which means the whole store.
        Type.Array(id('product', 'A product_id from list_products.'), {
          minItems: 1,
          maxItems: 500,
          description: 'Only these products, product_id from list_products. The whole store when left out.',
        }),
      ),
    ),
  },
  output: {
    ...Sold,
    buyer_type: Type.Enum(buyers.words, {
      type: 'string',
      description: 'Whose views, carts and purchases are counted, as it was asked for.',
    }),
    carts: Type.Integer({ minimum: 0, description: 'How many items were put into carts.' }),
    unique_buyers: described(Count, 'How many different people bought these items.'),
  },
  encode: ({ from, to, buyer_type, product_ids }) => ({
    query: { ...days({ from, to }), buyers: buyers.encode(buyer_type), good: product_ids },
  }),
  decode: (figures) => ({
    ...sold(figures),
    buyer_type: buyers.decode(figures['buyers']),
    carts: figures['carted'],
    unique_buyers: figures['people'],
  }),
})

export const get_product_stats = endpoint({
  summary: 'Sum up what one product earned and sold between two days, and how many looked at it or saved it.',
  aliases: [
    'how does a product sell',
    'earnings of one resource',
    'views and wishlists of a product',
    'product performance',
    'how much did the worksheet make',
    'how many looked at it',
  ],
  label: 'Sum up a product',
  brief: ['product_id', 'from', 'to'],
  access: 'read',
  request: 'GET /dash/goods/{product_id}/figures',
  input: { product_id: ProductId, from: From, to: To },
  output: {
    product_id: Which.product_id,
    ...Sold,
    wish_listed: described(Count, 'How often it was put on a wish list on these days.'),
    saved_for_later: described(Count, 'How often it was saved for later on these days.'),
  },
  encode: (span) => ({ query: days(span) }),
  decode: (figures) => ({
    product_id: reference(figures['good']),
    ...sold(figures),
    wish_listed: figures['wished'],
    saved_for_later: figures['parked'],
  }),
})

export const list_sales = endpoint({
  summary: 'List the items sold between two days with what you earned, newest first, 25 a page.',
  aliases: [
    'what did I sell',
    'recent sales',
    'items sold this month',
    'who bought',
    'sales list',
    'my earnings per item',
    'what sold this week',
    'how much did I make on sales',
  ],
  label: 'List sales',
  brief: ['from', 'to', 'product_id'],
  access: 'read',
  request: 'GET /dash/sold',
  input: {
    from: From,
    to: To,
    product_id: Type.Optional(
      labelled('Product', id('product', 'Only sales of this product: product_id from list_products.')),
    ),
    cursor,
  },
  output: {
    sales: Type.Array(
      closed({
        date: described(Day, "The day of the sale, in the store's time zone."),
        ...Which,
        earnings_cents: Earnings,
        sales_tax_cents: described(Cents, 'The sales tax on this item, in US cents; 0 when there is none.'),
      }),
      { description: 'One page, one line for each item sold, newest first.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ from, to, product_id }, { anchor }) => ({
    query: listQuery({ ...days({ from, to }), good: product_id }, { limit: pageSize, anchor }),
  }),
  decode: (list, { anchor, cursor: sealed }) => {
    const { items, next } = pageOf(list, { limit: pageSize, anchor })
    const sales = items.map(({ day, good, name, earned, tax }) => ({
      date: fromUs(day),
      product_id: reference(good),
      title: name,
      earnings_cents: fromDollars(earned),
      sales_tax_cents: fromDollars(tax),
    }))
    return { sales, next_cursor: sealed(next) }
  },
})

export const get_search_keywords = endpoint({
  summary: 'Show what buyers searched for when they came between two days, most visits first.',
  aliases: [
    'what do buyers search for',
    'search terms',
    'how do teachers find my store',
    'keywords',
    'which words bring people to me',
  ],
  label: 'Show search words',
  brief: ['from', 'to', 'product_id'],
  access: 'read',
  request: 'GET /dash/searches',
  input: {
    from: labelled(
      'First day',
      Type.String({
        format: 'date',
        pattern: '^(20(2[5-9]|[3-9])|2[1-9]|[3-9])',
        description: "The first day, in the store's time zone, 2025-01-01 or later. Written YYYY-MM-DD.",
      }),
    ),
    to: To,
    product_id: Type.Optional(
      labelled(
        'Product',
        id(
          'product',
          'Only searches that led to this product: product_id from list_products. The whole store when left out.',
        ),
      ),
    ),
  },
  output: {
    keywords: Type.Array(
      closed({
        keyword: Type.String({ description: 'The words that buyers searched for.' }),
        visits: described(Count, 'How often buyers came by this search on these days.'),
        conversions: described(Count, 'How many of these visits ended in a purchase.'),
        earnings_cents: Earnings,
      }),
      { description: 'All of them, most visits first; empty when nobody came by a search.' },
    ),
  },
  encode: ({ from, to, product_id }) => ({ query: { ...days({ from, to }), good: product_id } }),
  decode: ({ rows: searches }) => ({
    keywords: rows(searches).map(({ words, clicks, bought, earned }) => ({
      keyword: words,
      visits: clicks,
      conversions: bought,
      earnings_cents: fromDollars(earned),
    })),
  }),
})
