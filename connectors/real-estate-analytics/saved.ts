import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, described, id, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, text, word } from '../kit/wire.ts'
import { listQuery, pageOf } from './lists.ts'
import { home, savedHome } from './previews.ts'
import { Address, Day, HomeId, PropertyId, dollars, dollarsOf, formKey, fromSlashes, types } from './shared.ts'

const lanes = {
  sale: 'for_sale',
  nightly: 'vacation_rental',
  yearly: 'long_term_rental',
  sold: 'sold',
  private: 'off_market',
} as const

export const list_saved_homes = endpoint({
  summary: 'List the saved homes with their type, sale price and your rating, the last one saved first.',
  aliases: ['my favorite homes', 'houses that I saved', 'shortlist', 'bookmarked properties', 'watchlist'],
  label: 'List saved homes',
  brief: [],
  access: 'read',
  request: 'GET /api/saved',
  input: { limit: limit(25), cursor },
  output: {
    saved_homes: Type.Array(
      closed({
        property_id: described(HomeId, 'Pass it to remove_saved_home, get_property_analysis or get_property_comps.'),
        address: Address,
        type: oneOf(types.words, 'What kind of home it is.'),
        status: Type.Enum(Object.values(lanes), {
          type: 'string',
          description: 'Whether it is for sale, let, sold, or off the market, brought in by you.',
        }),
        sale_price: labelled('Price', dollarsOf('What it costs; for homes that are not for sale, their value.')),
        rating: labelled(
          'Your stars',
          Type.Union([Type.Integer(), Type.Null()], { description: 'Your 1 to 5 stars; null without.' }),
        ),
        note: labelled('Your note', Type.String({ description: 'Your own note; empty without.' })),
        saved_on: labelled('Saved on', described(Day, 'The day when you saved it, in UTC.')),
      }),
      { description: 'Your saved homes, the last one saved first.' },
    ),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({ query: listQuery({ limit: input.limit, anchor }) }),
  decode: (answer, { input, anchor, cursor: make }) => {
    const { items, next } = pageOf(answer, { limit: input.limit, anchor })
    const saved_homes = items.map(({ home, street, kind, lane, ask, stars, memo, kept }) => ({
      property_id: home,
      address: street,
      type: types.decode(kind),
      status: word(lanes, lane),
      sale_price: dollars(ask),
      rating: stars,
      note: memo,
      saved_on: fromSlashes(kept),
    }))
    return { saved_homes, next_cursor: make(next) }
  },
})

export const save_home = endpoint({
  summary: 'Add a home to the saved homes, with a rating and a note of your own if you like.',
  aliases: [
    'bookmark a house',
    'add to favorites',
    'remember a property',
    'rate a home',
    'add to shortlist',
    'keep this one for later',
    'I like that house',
  ],
  label: 'Save a home',
  brief: ['property_id', 'rating', 'note'],
  approval: {
    headline: 'Save {property_id}[, rated {rating|star|stars}][, with the note {note}]',
    button: 'Save home',
    consequences: [{ kind: 'other', text: 'Only you see it; nobody is told' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_saved_homes' }],
  preview: [home],
  verify: {
    read: 'list_saved_homes',
    set: { limit: 100 },
    at: 'saved_homes',
    same: { property_id: 'property_id', rating: 'rating', note: 'note' },
  },
  access: 'write',
  request: 'POST /homes/{property_id}/keep',
  input: {
    property_id: PropertyId,
    rating: Type.Optional(
      labelled('Stars', Type.Integer({ minimum: 1, maximum: 5, description: 'Your rating, 1 to 5 stars.' })),
    ),
    note: Type.Optional(labelled('Note', Type.String({ maxLength: 1000, description: 'A note that only you read.' }))),
  },
  output: {
    property_id: refTo('property', 'The home that was saved; pass it to remove_saved_home.'),
    saved: Type.Literal(true, { description: 'Always true: it is in list_saved_homes now.' }),
  },
  encode: ({ rating, note }) => ({ form: { stars: rating, memo: note } }),
  csrf: formKey,
  answer: 'redirect',
  decode: (_answer, { location }) => ({
    property_id: ledTo(location, 'saved', { done: 'kept', home: true }).query.get('home'),
    saved: true,
  }),
})

export const remove_saved_home = endpoint({
  summary: 'Take a home off the saved homes; its rating and note are lost.',
  aliases: [
    'unsave a house',
    'delete from my favorites',
    'take off the shortlist',
    'no longer interested in a home',
    'forget that house',
  ],
  label: 'Remove a saved home',
  brief: ['property_id'],
  approval: {
    headline: 'Remove {property_id} from your saved homes',
    button: 'Remove home',
    consequences: [
      { kind: 'irreversible', text: 'A rating or note that you gave it is lost' },
      { kind: 'other', text: 'Nobody is told; you can save the home again' },
    ],
  },
  effect: 'removes',
  shownBy: [{ read: 'list_saved_homes' }],
  preview: [home, savedHome],
  access: 'write',
  request: 'DELETE /api/saved/{property_id}',
  input: {
    property_id: labelled(
      'Home',
      id('property', 'A saved home: property_id from list_saved_homes, save_home or analyze_unlisted_property.'),
    ),
  },
  output: {
    property_id: refTo('property', 'The home that was taken off; pass it to save_home to save it again.'),
    saved: Type.Literal(false, { description: 'Always false: it is no longer in list_saved_homes.' }),
    saved_homes_left: Type.Integer({ description: 'How many homes are still saved.' }),
  },
  encode: () => ({}),
  decode: ({ home, saved, left }) => ({ property_id: home, saved, saved_homes_left: left }),
})

export const download_property_report = endpoint({
  summary: "Make a PDF report of a home's rental analysis; uses one of the plan's monthly downloads.",
  aliases: [
    'pdf of an analysis',
    'printable report of a house',
    'report for the bank',
    'download report',
    'something on paper for my bank',
  ],
  label: 'Make a property report',
  brief: ['property_id', 'company_name'],
  approval: {
    headline: 'Make a PDF report of {property_id}[ with the company name {company_name}]',
    button: 'Make report',
    consequences: [{ kind: 'other', text: 'Uses one of your plan’s monthly downloads; nobody is told' }],
  },
  effect: 'adds',
  shownBy: [],
  preview: [home],
  access: 'write',
  request: 'POST /api/homes/{property_id}/pdf',
  input: {
    property_id: PropertyId,
    company_name: Type.Optional(
      labelled(
        'Company',
        Type.String({
          minLength: 1,
          maxLength: 80,
          description: 'Your company, to stand on the report. Not in every plan.',
        }),
      ),
    ),
    logo_url: Type.Optional(
      labelled(
        'Logo',
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Your logo: the https address of a png, jpg or svg image. Not in every plan.',
        }),
      ),
    ),
  },
  output: {
    property_id: refTo('property', 'The home that the report is about.'),
    report_id: refTo('report', 'The id of the file in the app; no endpoint takes it.'),
    address: Address,
    created_on: described(Day, 'The day when the report was made, in UTC.'),
    download_url: Type.String({
      description: 'The PDF file; opens in the browser of whoever is signed in to the app.',
    }),
    downloads_used: Type.Integer({ description: "How many of the plan's monthly downloads are used, with this one." }),
    downloads_per_month: Type.Integer({ description: 'How many downloads the plan has for a month in all.' }),
  },
  encode: ({ company_name, logo_url }) => ({ json: { firm: company_name, logo: logo_url } }),
  decode: ({ file, title, about, href, made, pdfs }, { origin }) => ({
    property_id: about,
    report_id: file,
    address: title,
    created_on: fromSlashes(made),
    download_url: new URL(text(href), origin).href,
    downloads_used: fields(pdfs)['used'],
    downloads_per_month: fields(pdfs)['of'],
  }),
})
