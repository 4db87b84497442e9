import { Type } from 'typebox'
import { formToken } from '../kit/csrf.ts'
import { fromDayFirst } from '../kit/dates.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, defaulted, described, limit, moment, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, nullableText, rows, word } from '../kit/wire.ts'
import {
  Currency,
  ListingId,
  ListingStatus,
  ListingUrl,
  Operation,
  OperationFilter,
  Price,
  QualityScore,
  amount,
  cents,
  currency,
  deals,
  listingStatus,
  operation,
} from './words.ts'

const phases = { active: 'online', inactive: 'offline,lapsed', all: 'any' } as const
const spans = { '7d': 'week', '30d': 'month', '90d': 'quarter' } as const
const ThisListing = refTo('listing', 'The listing that the call named.')
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
        listing_id: refTo(
          'listing',
          'Pass it to get_listing, get_listing_stats, update_listing and whatever else takes a listing.',
        ),
        title: Type.String({ description: 'The headline of the listing, as its readers see it.' }),
        operation: Operation,
        status: ListingStatus,
        price: Price,
        currency: Currency,
        quality_score: QualityScore,
        url: ListingUrl,
      }),
      { description: 'Your listings that match, newest first; empty when none does.' },
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
    listing_id: ThisListing,
    operation: Operation,
    status: ListingStatus,
    price: Price,
    currency: Currency,
    size_m2: Type.Number({ description: 'The built floor area in square metres.' }),
    rooms: Type.Number({ description: 'How many rooms: the bedrooms, as the app counts them.' }),
    bathrooms: Type.Number({ description: 'How many bathrooms the home has.' }),
    features: Type.Array(Type.String(), {
      description: 'The features as the advertiser wrote them, such as lift; empty without any.',
    }),
    description: Type.String({ description: 'The public text as the advertiser wrote it; empty without one.' }),
    photos: Type.Integer({ description: 'How many photos the listing shows.' }),
    quality_score: QualityScore,
    url: ListingUrl,
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
    listing_id: ThisListing,
    period: Type.Enum(['7d', '30d', '90d'], {
      type: 'string',
      description: 'What was counted: the last 7, 30 or 90 days.',
    }),
    visits: Type.Integer({ description: 'How often the listing was viewed in the period.' }),
    contacts: Type.Integer({ description: 'How many conversations about it began in the period.' }),
    favorites: Type.Integer({ description: 'How often people saved it as a favorite in the period.' }),
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
    listing_id: ThisListing,
    status: ListingStatus,
    price: described(Price, 'The price as it is now, in currency units with at most two decimals.'),
    currency: Currency,
    updated_at: described(moment, 'When the change was made, in UTC.'),
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
  output: {
    listing_id: ThisListing,
    status: Type.Literal('inactive', { description: 'Always inactive: searches no longer show it.' }),
  },
  csrf: adPage,
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_fields, { location }) => done(location, 'offline', 'inactive'),
})

export const reactivate_listing = endpoint({
  summary: 'Put an inactive or expired listing back on the search results.',
  access: 'write',
  confirm: true,
  request: 'POST /my/ads/{listing_id}/online',
  input: { listing_id: ListingId },
  output: {
    listing_id: ThisListing,
    status: Type.Literal('active', { description: 'Always active: searches show it again.' }),
  },
  csrf: adPage,
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_fields, { location }) => done(location, 'online', 'active'),
})

/** The app leads back to the ad and says what it did. */
function done(location: string, word: string, status: string) {
  const [, listing_id, did] = /^my\/ads\/(CV-\d+)\?done=(\w+)$/.exec(location) ?? []
  if (listing_id === undefined || did !== word) throw new UnknownShape('led elsewhere')
  return { listing_id, status }
}
