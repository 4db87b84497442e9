import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import type { Money, ShownBy } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, refTo } from '../kit/inputs.ts'
import { same } from '../kit/same-thing.ts'
import { rows, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { listing, site } from './previews.ts'
import {
  Count,
  Currency,
  Day,
  FirstNight,
  InCurrency,
  LastNight,
  ListingId,
  ListingOf,
  OneSite,
  fromDay,
  fromUnits,
  toDay,
  toUnits,
} from './shared.ts'

const SiteId = refTo('site', 'Pass it to get_calendar, block_dates, unblock_dates and update_pricing.')
const SiteIds = Type.Array(refTo('site'), {
  description: 'site_id of the site that you named, or of all sites of the listing.',
})

const Span = { listing_id: ListingId, site_id: OneSite, from: FirstNight, to: LastNight }
/** An amount in the listing's currency; no field beside it names the currency. */
const OfTheListing: Money = { unit: 'major', currency: null }

export const list_listings = endpoint({
  summary: 'List your listings with their sites and what a night there costs without a special price.',
  aliases: ['my campsites', 'pitches and sites that I rent out', 'which places do I host', 'base price of a site'],
  label: 'List listings',
  brief: [],
  access: 'read',
  request: 'GET /host/data/lands',
  input: {},
  output: {
    listings: Type.Array(
      closed({
        listing_id: refTo(
          'listing',
          'Pass it to get_calendar, block_dates, unblock_dates, update_pricing and the lists.',
        ),
        name: Type.String({ description: 'What the listing is called in the app.' }),
        status: labelled(
          'Status',
          Type.Enum(['live', 'paused', 'draft'], {
            type: 'string',
            description: 'How far it is published; paused and draft listings have a calendar too.',
          }),
        ),
        sites: labelled(
          'Sites',
          Type.Array(
            closed({
              site_id: SiteId,
              name: labelled('Site', Type.String({ description: 'What the site is called; bookings name it so.' })),
              base_price: labelled(
                'Price per night',
                money(
                  InCurrency,
                  Type.Number({
                    description: 'What a night costs without a special price, in currency, such as 24.5.',
                  }),
                ),
              ),
              currency: Currency,
            }),
            { description: 'The sites of the listing, each with nights and prices of its own.' },
          ),
        ),
      }),
      { description: 'All your listings, paused ones and drafts too.' },
    ),
  },
  decode: ({ rows: lands }) => ({
    listings: rows(lands).map(({ land, title, st, pitches }) => ({
      listing_id: land,
      name: title,
      status: word({ LIVE: 'live', PAUSED: 'paused', DRAFT: 'draft' }, st),
      sites: rows(pitches).map(({ pitch, label, base, cur, exp }) => ({
        site_id: pitch,
        name: label,
        base_price: fromUnits(base, exp),
        currency: cur,
      })),
    })),
  }),
})

export const get_calendar = endpoint({
  summary: 'Show night by night whether the sites of a listing are available, booked or blocked, and what they cost.',
  aliases: [
    'availability of a campsite',
    'which nights are free',
    'is the pitch taken that weekend',
    'nightly prices',
    'what is open in July',
    'vacancy',
    'do we still have room on those nights',
    'is anything booked in August',
    'which dates are taken',
  ],
  label: 'Show a calendar',
  brief: ['listing_id', 'site_id', 'from', 'to'],
  access: 'read',
  request: 'GET /host/data/lands/{listing_id}/nights',
  input: Span,
  output: {
    sites: Type.Array(
      closed({
        site_id: SiteId,
        days: Type.Array(
          closed({
            date: described(Day, 'The day on whose evening the night begins, in your own time zone.'),
            state: Type.Enum(['available', 'booked', 'blocked'], {
              type: 'string',
              description:
                'booked: a camper has it; blocked: you closed it. Requests without an answer hold no nights.',
            }),
            nightly_price: money(
              OfTheListing,
              Type.Number({ description: 'In the currency of the site in list_listings.' }),
            ),
            special_price: Type.Boolean({ description: 'false: nightly_price is the base price.' }),
          }),
          { description: 'One entry for each night from the first to the last, in order.' },
        ),
      }),
      { description: 'The site that you named, or all sites of the listing.' },
    ),
  },
  encode: ({ site_id, from, to }) => ({ query: { pitch: site_id, first: toDay(from), last: toDay(to) } }),
  decode: ({ land, rows: pitches }, { input }) => {
    same(input.listing_id, land)
    const sites = rows(pitches).map(({ pitch, exp, nights }) => ({
      site_id: pitch,
      days: rows(nights).map(({ d, st, price, own }) => ({
        date: fromDay(d),
        state: word({ FREE: 'available', STAY: 'booked', SHUT: 'blocked' }, st),
        nightly_price: fromUnits(price, exp),
        special_price: own,
      })),
    }))
    return { sites }
  },
})

const shownBy: ShownBy[] = [
  { read: 'get_calendar', from: { listing_id: 'listing_id', site_id: 'site_id', from: 'from', to: 'to' } },
]

const Changed = {
  listing_id: ListingOf,
  site_ids: SiteIds,
  from: described(Day, 'The first night that you gave, by its evening.'),
  to: described(Day, 'The last night that you gave, included.'),
}

function changed({ land, pitches, first, last }: Fields) {
  return { listing_id: land, site_ids: pitches, from: fromDay(first), to: fromDay(last) }
}

export const block_dates = endpoint({
  summary: 'Block nights of one site or a whole listing, so that nobody can book them; none if one is booked.',
  aliases: [
    'close the campsite',
    'nobody may book those nights',
    'take nights off the calendar',
    'keep the pitch for ourselves',
    'make unavailable',
    'we are away so close the place',
    'keep the field for our family',
    'do not let anybody reserve',
  ],
  label: 'Block nights',
  brief: ['listing_id', 'site_id', 'from', 'to'],
  approval: {
    headline: 'Block {from} to {to}[ on {site_id}][ at {listing_id}]',
    button: 'Block nights',
    consequences: [
      { kind: 'public', text: 'Nobody can book[ {site_id|site|sites} of] {listing_id} on these nights' },
      { kind: 'other', text: 'If one of them is booked, none is blocked' },
      { kind: 'other', text: 'Nobody is told' },
    ],
  },
  effect: 'changes',
  shownBy,
  preview: [listing, site],
  access: 'write',
  request: 'PUT /host/data/lands/{listing_id}/shut',
  input: Span,
  output: { ...Changed, nights_blocked: Type.Integer({ description: 'Over all sites; those blocked before not.' }) },
  encode: ({ site_id, from, to }) => ({ json: { pitch: site_id, first: toDay(from), last: toDay(to) } }),
  decode: (answer) => ({ ...changed(answer), nights_blocked: answer['nights'] }),
})

export const unblock_dates = endpoint({
  summary: 'Make blocked nights of one site or a whole listing available again; other nights stay as they are.',
  aliases: [
    'reopen nights',
    'open the calendar again',
    'let people book those dates again',
    'make available',
    'plans changed so people may reserve again',
  ],
  label: 'Unblock nights',
  brief: ['listing_id', 'site_id', 'from', 'to'],
  approval: {
    headline: 'Unblock {from} to {to}[ on {site_id}][ at {listing_id}]',
    button: 'Unblock nights',
    consequences: [
      { kind: 'public', text: 'Blocked nights[ of {site_id|site|sites}] at {listing_id} become available again' },
      { kind: 'other', text: 'Nobody is told' },
    ],
  },
  effect: 'changes',
  shownBy,
  preview: [listing, site],
  access: 'write',
  request: 'PUT /host/data/lands/{listing_id}/open',
  input: Span,
  output: { ...Changed, nights_unblocked: Type.Integer({ description: 'Over all sites.' }) },
  encode: ({ site_id, from, to }) => ({ json: { pitch: site_id, first: toDay(from), last: toDay(to) } }),
  decode: (answer) => ({ ...changed(answer), nights_unblocked: answer['nights'] }),
})

export const update_pricing = endpoint({
  summary:
    'Give chosen nights of one site or a whole listing a special price, or the base price again; not booked ones.',
  aliases: [
    'raise the price for a weekend',
    'change the nightly rate',
    'set a special price',
    'make it cheaper',
    'seasonal pricing',
    'charge more per night',
    'make the long weekend dearer',
    'lower the price midweek',
  ],
  label: 'Change prices of nights',
  brief: ['listing_id', 'site_id', 'nightly_price', 'dates'],
  approval: {
    headline:
      'Charge[ {nightly_price|a night|a night} in the listing’s currency instead of] the base price for {dates|night|nights}[ on {site_id}][ at {listing_id}]',
    button: 'Change price',
    consequences: [
      {
        kind: 'money',
        text: 'Campers pay[ {nightly_price|a night|a night} in the listing’s currency instead of] the base price[ of {site_id.base_price}]',
      },
      { kind: 'public', text: 'Campers see it at once for[ {site_id|site|sites} of] {listing_id}' },
      { kind: 'other', text: 'Applies to {dates}' },
    ],
  },
  effect: 'changes',
  shownBy: [],
  preview: [listing, site],
  access: 'write',
  confirm: true,
  request: 'PUT /host/data/lands/{listing_id}/prices',
  before: '/host/data/coins',
  input: {
    listing_id: ListingId,
    site_id: OneSite,
    dates: labelled(
      'Nights',
      Type.Array(day('A night, by its evening; not a booked one.'), {
        minItems: 1,
        maxItems: 366,
        uniqueItems: true,
        description: '1 to 366 nights, today to 730 days ahead; if one of them is booked, none is changed.',
      }),
    ),
    nightly_price: labelled(
      'Price per night',
      Type.Union(
        [
          money(
            OfTheListing,
            Type.Number({
              exclusiveMinimum: 0,
              maximum: 10_000_000,
              description: "In the listing's currency, at most 10000000 of its smallest units.",
            }),
          ),
          Type.Null({ description: 'The base price again.' }),
        ],
        { description: "What a night costs, in the listing's currency; null: the base price again." },
      ),
    ),
  },
  output: {
    listing_id: ListingOf,
    site_ids: SiteIds,
    dates: Type.Array(Day, { description: 'The nights that have the price now, by their evenings, in order.' }),
    nightly_price: Type.Union([money(InCurrency, Type.Number()), Type.Null()], {
      description: 'null: the base price of each site.',
    }),
    currency: Currency,
    nights_priced: described(Count, 'How many nights have the price now, counted over all sites.'),
  },
  encode: ({ listing_id, site_id, dates, nightly_price }, { before }) => ({
    json: {
      pitch: site_id,
      days: dates.map((date) => toDay(date)),
      price: nightly_price === null ? null : toUnits(nightly_price, listing_id, before),
    },
  }),
  decode: ({ land, pitches, days, price, cur, exp, nights }) => ({
    listing_id: land,
    site_ids: pitches,
    dates: Array.isArray(days) ? days.map(fromDay) : days,
    nightly_price: price === null ? null : fromUnits(price, exp),
    currency: cur,
    nights_priced: nights,
  }),
})
