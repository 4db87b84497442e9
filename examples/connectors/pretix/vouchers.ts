import {
  NullableDay,
  NullableText,
  Type,
  UnknownShape,
  closed,
  cursor,
  defaulted,
  endpoint,
  id,
  labelled,
  nextCursor,
  oneOf,
  refTo,
  refusedRedirect,
  select,
} from '@callgate/kit'
import { shownEvent, shownProduct } from './previews.ts'
import { invalidForm } from './refusals.ts'
import { EventId, EventRef, cell, count, done, nextPage, segments, tableRows, token } from './shared.ts'

const MaxUsages = labelled('Most uses', Type.Integer({ description: 'How often it can be used.' }))
const Redeemed = labelled('Used', Type.Integer({ description: 'How often it was used.' }))

export const list_vouchers = endpoint({
  summary: 'List the vouchers of an event.',
  label: 'List vouchers',
  brief: ['event_id', 'tag'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/vouchers/',
  answer: 'page',
  segments,
  input: {
    event_id: EventId,
    tag: labelled(
      'Tag',
      Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Only those with this in their tag.' })),
    ),
    cursor,
  },
  output: {
    vouchers: Type.Array(
      closed({
        voucher_id: refTo('voucher', 'Its code.'),
        redeemed: Redeemed,
        max_usages: MaxUsages,
        tag: NullableText,
        product: Type.Union([Type.String(), Type.Null()], { description: 'What it is for; null: any product.' }),
        active: Type.Boolean({ description: 'Whether it can be used now.' }),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: ({ tag }, { anchor }) => ({ query: { 'filter-tag': tag, page: anchor } }),
  decode: (_fields, { page, cursor: next }) => {
    const at = select(page)
    const found = tableRows(at)
    return {
      vouchers: found.map((row) => {
        const code = row.select('strong a')
        const uses =
          row
            .all('td')
            .find((one) => /^[\d,]+ \/ [\d,]+/.test(one.text()))
            ?.text() ?? ''
        const [, redeemed = '', most = ''] = /^([\d,]+) \/ ([\d,]+)/.exec(uses) ?? []
        return {
          voucher_id: code.text(),
          redeemed: count(redeemed),
          max_usages: count(most),
          tag: cell(row, -3).text() || null,
          product: cell(row, -2).text() || null,
          active: row.optional('del') === null,
        }
      }),
      next_cursor: next(nextPage(at, found)),
    }
  },
})

const effects = ['none', 'set', 'subtract', 'percent'] as const
const PriceEffect = labelled(
  'Price effect',
  oneOf(
    [...effects],
    'set: the price is the value; subtract: less by the value; percent: less by so many per cent; none: as it is.',
  ),
)

export const get_voucher = endpoint({
  summary: 'Read a voucher: what it does to the price, how often and until when it can be used.',
  label: 'Read a voucher',
  brief: ['voucher_id', 'event_id'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/vouchers/go',
  answer: 'page',
  segments,
  input: {
    event_id: EventId,
    voucher_id: labelled('Voucher', id('voucher', 'voucher_id from list_vouchers: its code.')),
  },
  output: {
    event_id: EventRef,
    voucher_id: refTo('voucher', 'Its code.'),
    max_usages: MaxUsages,
    price_effect: PriceEffect,
    value: labelled(
      'Value',
      Type.Union([Type.String({ pattern: '^\\d{1,12}(?:\\.\\d{1,3})?$' }), Type.Null()], {
        description: 'Of the price effect, an amount or a percentage.',
      }),
    ),
    valid_until: labelled('Valid until', NullableDay),
    tag: labelled('Tag', Type.String({ description: 'By which the team groups vouchers.' })),
    comment: labelled('Comment', Type.String({ description: 'For the team.' })),
  },
  failure: refusedRedirect(
    /^control\/event\/[^/]+\/[^/]+\/vouchers\/$/,
    'not_found',
    'There is no voucher with this code.',
  ),
  encode: ({ voucher_id }) => ({ query: { code: voucher_id } }),
  decode: (_fields, { page, input }) => {
    const form = select(page, 'form:has([name="price_mode"])')
    const has = (name: string): string => form.select(`[name="${name}"]`).attributeOrNull('value') ?? ''
    // pretix finds a code in any case.
    if (has('code').toLowerCase() !== input.voucher_id.toLowerCase()) throw new UnknownShape('about another voucher')
    return {
      event_id: input.event_id,
      voucher_id: input.voucher_id,
      max_usages: count(has('max_usages')),
      price_effect: form.select('[name="price_mode"] option[selected]').attribute('value'),
      value: has('value') || null,
      valid_until: has('valid_until_0') || null,
      tag: has('tag'),
      comment: form.select('textarea[name="comment"]').content().trim(),
    }
  },
})

export const create_voucher = endpoint({
  summary: 'Create a voucher for an event. Nobody is told of it.',
  label: 'Create a voucher',
  brief: ['code', 'price_effect', 'value', 'event_id'],
  effect: 'adds',
  shownBy: [{ read: 'get_voucher', from: { event_id: 'event_id', voucher_id: 'code' } }],
  preview: [shownEvent, shownProduct],
  verify: {
    read: 'get_voucher',
    from: { event_id: 'event_id', voucher_id: 'code' },
    same: {
      voucher_id: 'code',
      max_usages: 'max_usages',
      price_effect: 'price_effect',
      tag: 'tag',
      comment: 'comment',
    },
  },
  access: 'write',
  request: 'POST /control/event/{event_id}/{event_id}/vouchers/add',
  segments,
  input: {
    event_id: EventId,
    code: labelled(
      'Code',
      Type.String({
        pattern: '^[A-Za-z0-9_-]{5,255}$',
        description:
          'What visitors type, at least five letters, digits, - or _. No two vouchers of an event have the same.',
      }),
    ),
    max_usages: labelled(
      'Most uses',
      defaulted(Type.Integer({ minimum: 1, maximum: 100_000, description: 'How often it can be used.' }), 1),
    ),
    price_effect: labelled(
      'Price effect',
      defaulted(
        oneOf(
          [...effects],
          'set: the price is the value; subtract: less by the value; percent: less by so many per cent; none: as it is.',
        ),
        'none',
      ),
    ),
    value: labelled(
      'Value',
      Type.Optional(Type.String({ pattern: '^\\d{1,8}(?:\\.\\d{1,2})?$', description: 'Of the price effect: 10.00.' })),
    ),
    product_id: labelled(
      'Product',
      Type.Optional(id('product', 'product_id from list_products; any product when left out.')),
    ),
    valid_until: labelled(
      'Valid until',
      Type.Optional(
        Type.String({ format: 'date', description: 'The last day on which it can be used. Written YYYY-MM-DD.' }),
      ),
    ),
    tag: labelled(
      'Tag',
      defaulted(Type.String({ maxLength: 255, description: 'By which the team groups vouchers.' }), ''),
    ),
    comment: labelled('Comment', defaulted(Type.String({ maxLength: 1000, description: 'For the team.' }), '')),
  },
  output: { event_id: EventRef, voucher_id: refTo('voucher', 'Its code.') },
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/vouchers/add',
    selector: 'form:has([name="price_mode"])',
    fields: ['block_quota', 'allow_ignore_quota', 'min_usages', 'budget', 'show_hidden_items', 'valid_until_1'],
    volatile: token.volatile,
    suggested: ['code'],
    // The page loads its products by a script.
    scripted: ['itemvar'],
    labels: { price_mode: 'price_effect', itemvar: 'product_id', valid_until_0: 'valid_until' },
    set: ({ code, max_usages, price_effect, value, product_id, valid_until, tag, comment }) => ({
      code,
      max_usages,
      price_mode: price_effect,
      value,
      itemvar: product_id,
      valid_until_0: valid_until,
      valid_until_1: valid_until === undefined ? undefined : '23:59:59',
      tag,
      comment,
    }),
  },
  answer: 'redirect',
  failure: invalidForm,
  decode: (_fields, { input, location }) => {
    // A form that is not good is shown again; only a new voucher leads to the list.
    done(location, input.event_id, 'vouchers/')
    return { event_id: input.event_id, voucher_id: input.code }
  },
})
