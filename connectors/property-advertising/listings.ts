import { Type } from 'typebox'
import { formToken } from '../csrf.ts'
import { fromDayFirst } from '../dates.ts'
import { endpoint } from '../define.ts'
import { closed, cursor, defaulted, limit, moment, nextCursor, oneOf } from '../inputs.ts'
import { UnknownShape, fields, nullableText, rows, word } from '../wire.ts'
import {
  ListingId,
  ListingStatus,
  Operation,
  OperationFilter,
  amount,
  cents,
  currency,
  deals,
  listingStatus,
  operation,
} from './words.ts'

const phases = { active: 'online', inactive: 'offline,lapsed', all: 'any' } as const
const spans = { '7d': 'week', '30d': 'month', '90d': 'quarter' } as const
const adPage = formToken({ page: '/my/ads/{listing_id}', field: 'authenticity' })

export const list_listings = endpoint({
  summary: 'List your listings with their price and quality score, newest first.',
  access: 'read',
  request: 'GET /api/ads',
  input: {
    status: defaulted(
      oneOf(['active', 'inactive', 'all'], 'Only listings that are online, or not online; all for both.'),
      'active',
    ),
    operation: defaulted(OperationFilter, 'all'),
    limit: limit(50),
    cursor,
  },
  output: {
    listings: Type.Array(
      closed({
        listing_id: Type.String(),
        title: Type.String(),
        operation: Operation,
        status: ListingStatus,
        price: Type.Number(),
        currency: Type.String(),
        quality_score: Type.Number(),
        url: Type.String(),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({
    query: { phase: phases[input.status], deal: deals[input.operation], per_page: input.limit, before: anchor },
  }),
  decode: ({ ads, next_before }, { cursor }) => ({
    listings: rows(ads).map((ad) => ({
      listing_id: ad['ref'],
      title: ad['headline'],
      operation: operation(ad['deal']),
      status: listingStatus(ad['phase']),
      price: amount(ad['asking']),
      currency: currency(ad['asking']),
      quality_score: ad['score'],
      url: ad['permalink'],
    })),
    next_cursor: cursor(nullableText(next_before)),
  }),
})

export const get_listing = endpoint({
  summary: 'Read one of your listings in full.',
  access: 'read',
  request: 'GET /api/ads/{listing_id}',
  input: { listing_id: ListingId },
  output: {
    listing_id: Type.String(),
    operation: Operation,
    status: ListingStatus,
    price: Type.Number(),
    currency: Type.String(),
    size_m2: Type.Number(),
    rooms: Type.Number(),
    bathrooms: Type.Number(),
    features: Type.Array(Type.String()),
    description: Type.String(),
    photos: Type.Integer(),
    quality_score: Type.Number(),
    url: Type.String(),
  },
  decode: (ad) => ({
    listing_id: ad['ref'],
    operation: operation(ad['deal']),
    status: listingStatus(ad['phase']),
    price: amount(ad['asking']),
    currency: currency(ad['asking']),
    size_m2: fields(ad['facts'])['built_m2'],
    rooms: fields(ad['facts'])['bedrooms'],
    bathrooms: fields(ad['facts'])['baths'],
    features: ad['perks'],
    description: ad['blurb'],
    photos: ad['pictures'],
    quality_score: ad['score'],
    url: ad['permalink'],
  }),
})

export const get_listing_stats = endpoint({
  summary: 'Count visits, contacts and favorites of a listing over the last days.',
  access: 'read',
  request: 'GET /api/ads/{listing_id}/figures',
  input: {
    listing_id: ListingId,
    period: defaulted(oneOf(['7d', '30d', '90d'], 'The last 7, 30 or 90 days.'), '30d'),
  },
  output: {
    listing_id: Type.String(),
    period: Type.Enum(['7d', '30d', '90d'], { type: 'string' }),
    visits: Type.Integer(),
    contacts: Type.Integer(),
    favorites: Type.Integer(),
  },
  encode: ({ period }) => ({ query: { span: spans[period] } }),
  decode: ({ ref, span, seen, leads, saves }) => ({
    listing_id: ref,
    period: word({ week: '7d', month: '30d', quarter: '90d' }, span),
    visits: seen,
    contacts: leads,
    favorites: saves,
  }),
})

export const update_listing = endpoint({
  summary: 'Change price, description or facts of a listing; the changes are public.',
  access: 'write',
  confirm: true,
  request: 'PATCH /api/ads/{listing_id}',
  input: {
    listing_id: ListingId,
    fields: Type.Object(
      {
        price: Type.Optional(
          Type.Number({
            minimum: 0,
            description: "The new price in the listing's currency, with at most two decimals.",
          }),
        ),
        description: Type.Optional(Type.String({ maxLength: 5000, description: 'The new text, in place of the old.' })),
        size_m2: Type.Optional(Type.Number({ description: 'The new floor area in square metres.' })),
        rooms: Type.Optional(Type.Number({ description: 'The new number of rooms.' })),
        bathrooms: Type.Optional(Type.Number({ description: 'The new number of bathrooms.' })),
        features: Type.Optional(
          Type.Array(Type.String({ maxLength: 200 }), {
            maxItems: 100,
            description: 'All features from now on: the list takes the place of the old one.',
          }),
        ),
      },
      {
        additionalProperties: false,
        minProperties: 1,
        description: 'What to change. Fields that are left out stay as they are; get_listing shows them.',
      },
    ),
  },
  output: {
    listing_id: Type.String(),
    status: ListingStatus,
    price: Type.Number(),
    currency: Type.String(),
    updated_at: moment,
  },
  encode: ({ fields: { price, description, size_m2, rooms, bathrooms, features } }) => {
    const facts = { built_m2: size_m2, bedrooms: rooms, baths: bathrooms }
    return {
      json: {
        asking: price === undefined ? undefined : { cents: cents(price) },
        blurb: description,
        facts: Object.values(facts).some((fact) => fact !== undefined) ? facts : undefined,
        perks: features,
      },
    }
  },
  decode: ({ ref, phase, asking, changed }) => ({
    listing_id: ref,
    status: listingStatus(phase),
    price: amount(asking),
    currency: currency(asking),
    updated_at: fromDayFirst(changed),
  }),
})

export const deactivate_listing = endpoint({
  summary: 'Take a listing off the search results; it stays in your account.',
  access: 'write',
  request: 'POST /my/ads/{listing_id}/offline',
  input: { listing_id: ListingId },
  output: { listing_id: Type.String(), status: Type.Literal('inactive') },
  csrf: adPage,
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_fields, { input, location }) => done(input.listing_id, location, 'offline', 'inactive'),
})

export const reactivate_listing = endpoint({
  summary: 'Put an inactive or expired listing back on the search results.',
  access: 'write',
  confirm: true,
  request: 'POST /my/ads/{listing_id}/online',
  input: { listing_id: ListingId },
  output: { listing_id: Type.String(), status: Type.Literal('active') },
  csrf: adPage,
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_fields, { input, location }) => done(input.listing_id, location, 'online', 'active'),
})

/** The app leads back to the ad and says what it did. */
function done(listing_id: string, location: string, word: string, status: string) {
  if (location !== `my/ads/${encodeURIComponent(listing_id)}?done=${word}`) throw new UnknownShape('led elsewhere')
  return { listing_id, status }
}
