import { Type } from 'typebox'
import { formToken } from '../kit/csrf.ts'
import { fromDayFirst } from '../kit/dates.ts'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { entityPage } from '../kit/before.ts'
import { described, moment } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { activeListing, inactiveListing, listing } from './previews.ts'
import {
  Currency,
  ListingId,
  ListingStatus,
  Price,
  ThisListing,
  amount,
  cents,
  currency,
  listingStatus,
} from './shared.ts'

const adPage = formToken({ page: '/my/ads/{listing_id}', field: 'authenticity' })

const Changes = labelled(
  'Changes',
  Type.Object(
    {
      price: Type.Optional(
        labelled(
          'Price',
          money(
            { unit: 'major', currency: null },
            Type.Number({
              minimum: 0,
              description: "The new price in the listing's currency, with at most two decimals.",
            }),
          ),
        ),
      ),
      description: Type.Optional(
        labelled('Description', Type.String({ maxLength: 5000, description: 'The new text, in place of the old.' })),
      ),
      size_m2: Type.Optional(
        labelled('Size in m²', Type.Number({ description: 'The new floor area in square metres.' })),
      ),
      rooms: Type.Optional(labelled('Rooms', Type.Number({ description: 'The new number of rooms.' }))),
      bathrooms: Type.Optional(labelled('Bathrooms', Type.Number({ description: 'The new number of bathrooms.' }))),
      features: Type.Optional(
        labelled(
          'Features',
          Type.Array(Type.String({ maxLength: 200 }), {
            maxItems: 100,
            description: 'All features from now on: the list takes the place of the old one.',
          }),
        ),
      ),
    },
    {
      additionalProperties: false,
      minProperties: 1,
      description: 'What to change. Fields that are left out stay as they are; get_listing shows them.',
    },
  ),
)

export const update_listing = endpoint({
  summary: 'Change price, description or facts of a listing; the changes are public.',
  aliases: [
    'change the asking price',
    'edit the description of a home',
    'lower the rent',
    'change facts of a listing',
    'price drop',
    'make the flat cheaper',
    'the house has a garage too',
  ],
  label: 'Change a listing',
  brief: ['listing_id', 'fields'],
  approval: {
    headline:
      'Change the listing[ {listing_id}][, its price from {listing_id.price} to {fields.price}][, its size from {listing_id.size_m2} to {fields.size_m2} m²][, its rooms from {listing_id.rooms} to {fields.rooms}][, its bathrooms from {listing_id.bathrooms} to {fields.bathrooms}][, its features to {fields.features}][, its text to {fields.description}]',
    button: 'Change listing',
    consequences: [
      { kind: 'money', text: '[The asking price becomes {fields.price}]' },
      { kind: 'public', text: 'The changes are public' },
      { kind: 'other', text: '[{fields.features|feature replaces|features replace} the old ones]' },
      { kind: 'other', text: 'Empties the description', when: { 'fields.description': [''] } },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_listing', from: { listing_id: 'listing_id' } }],
  preview: listing,
  verify: {
    read: 'get_listing',
    from: { listing_id: 'listing_id' },
    same: {
      listing_id: 'listing_id',
      price: 'fields.price',
      description: 'fields.description',
      size_m2: 'fields.size_m2',
      rooms: 'fields.rooms',
      bathrooms: 'fields.bathrooms',
      features: 'fields.features',
    },
  },
  access: 'write',
  confirm: true,
  request: 'PATCH /api/ads/{listing_id}',
  input: {
    listing_id: ListingId,
    fields: Changes,
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
  aliases: [
    'take an ad offline',
    'the flat is sold',
    'hide a listing',
    'unpublish a home',
    'pause an ad',
    'remove from the portal',
    'it is rented, take it down',
    'nobody should see the house any more',
  ],
  label: 'Take a listing offline',
  brief: ['listing_id'],
  approval: {
    headline: 'Take the listing[ {listing_id}] offline[ (for {listing_id.operation}, {listing_id.price})]',
    button: 'Take offline',
    consequences: [
      { kind: 'public', text: 'Searches no longer show it' },
      { kind: 'other', text: 'It stays in your account' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_listing', from: { listing_id: 'listing_id' } }],
  preview: activeListing,
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
  aliases: [
    'put an ad back online',
    'relist a home',
    'publish an expired listing again',
    'renew an ad',
    'the deal fell through, show it again',
  ],
  label: 'Put a listing back online',
  brief: ['listing_id'],
  approval: {
    headline: 'Put the listing[ {listing_id}] back online[, for {listing_id.operation}][ at {listing_id.price}]',
    button: 'Put back online',
    consequences: [{ kind: 'public', text: 'Everybody can find it in the searches again' }],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_listing', from: { listing_id: 'listing_id' } }],
  preview: inactiveListing,
  verify: {
    read: 'get_listing',
    from: { listing_id: 'listing_id' },
    same: { listing_id: 'listing_id' },
    is: { status: ['active'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /my/ads/{listing_id}/online',
  before: {
    ad: entityPage('GET /my/ads/{listing_id}', {
      'p.hint:contains("Closed with its account")': 'This listing was closed with its account: it cannot come back.',
    }),
  },
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

/** The outcome of a form, from its redirect to the ad. */
function done(location: string, word: string, status: string) {
  const { part } = ledTo(location, /^my\/ads\/(?<listing>CV-\d+)$/, { done: word })
  return { listing_id: part['listing'], status }
}
