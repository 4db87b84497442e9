import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, defaulted, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { fields, nullableText, rows } from '../kit/wire.ts'
import {
  Currency,
  ListingId,
  ListingStatus,
  ListingUrl,
  Operation,
  OperationFilter,
  Price,
  QualityScore,
  ThisListing,
  amount,
  currency,
  dealsAsked,
  listingStatus,
  operations,
} from './shared.ts'

const phases = { active: 'online', inactive: 'offline,lapsed', all: 'any' } as const
const periods = codec({ '7d': 'week', '30d': 'month', '90d': 'quarter' })

export const list_listings = endpoint({
  summary: 'List your listings with their price and quality score, newest first.',
  aliases: ['my ads', 'homes that I advertise', 'flats for sale and rent', 'which properties are online'],
  label: 'List your listings',
  brief: ['status', 'operation'],
  access: 'read',
  request: 'GET /api/ads',
  input: {
    status: defaulted(
      labelled(
        'Status',
        oneOf(['active', 'inactive', 'all'], 'Only listings that are online, or not online; all for both.'),
      ),
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
    query: { phase: phases[input.status], deal: dealsAsked[input.operation], per_page: input.limit, before: anchor },
  }),
  decode: ({ ads, next_before }, { cursor }) => ({
    listings: rows(ads).map((ad) => ({
      listing_id: ad['ref'],
      title: ad['headline'],
      operation: operations.decode(ad['deal']),
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
  aliases: ['details of a home that I advertise', 'open a listing', 'facts of a flat', 'price of my listing'],
  label: 'Show a listing',
  brief: ['listing_id'],
  access: 'read',
  request: 'GET /api/ads/{listing_id}',
  input: { listing_id: ListingId },
  output: {
    listing_id: ThisListing,
    operation: Operation,
    status: ListingStatus,
    price: Price,
    currency: Currency,
    size_m2: labelled('Size in m²', Type.Number({ description: 'The built floor area in square metres.' })),
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
    operation: operations.decode(ad['deal']),
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
  aliases: [
    'how many people saw my ad',
    'visits and favorites of a listing',
    'performance of a listing',
    'how popular is the flat',
    'how many looked at the flat',
    'is anybody interested in the house',
  ],
  label: 'Count visits to a listing',
  brief: ['listing_id', 'period'],
  access: 'read',
  request: 'GET /api/ads/{listing_id}/figures',
  input: {
    listing_id: ListingId,
    period: defaulted(labelled('Period', oneOf(periods.words, 'The last 7, 30 or 90 days.')), '30d'),
  },
  output: {
    listing_id: ThisListing,
    period: oneOf(periods.words, 'What was counted: the last 7, 30 or 90 days.'),
    visits: Type.Integer({ description: 'How often the listing was viewed in the period.' }),
    contacts: Type.Integer({ description: 'How many conversations about it began in the period.' }),
    favorites: Type.Integer({ description: 'How often people saved it as a favorite in the period.' }),
  },
  encode: ({ period }) => ({ query: { span: periods.encode(period) } }),
  decode: ({ ref, span, seen, leads, saves }) => ({
    listing_id: ref,
    period: periods.decode(span),
    visits: seen,
    contacts: leads,
    favorites: saves,
  }),
})
