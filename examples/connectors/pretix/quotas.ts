import { Type, closed, cursor, endpoint, id, labelled, nextCursor, refTo, select } from '@callgate/kit'
import { shownEvent, shownQuota } from './previews.ts'
import { invalidForm } from './refusals.ts'
import { EventId, EventRef, cell, count, done, lastOf, nextPage, segments, tableRows } from './shared.ts'
import { token } from './shared.ts'

const Size = Type.Union([Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Type.Null()], {
  description: 'How many may be sold; null: as many as anybody wants.',
})

export const list_quotas = endpoint({
  summary: 'List the quotas of an event: how many of which products may be sold, and how many are left.',
  label: 'List quotas',
  brief: ['event_id'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/quotas/',
  answer: 'page',
  segments,
  input: { event_id: EventId, cursor },
  output: {
    quotas: Type.Array(
      closed({
        quota_id: refTo('quota', 'Taken by set_quota_size.'),
        name: labelled('Name', Type.String({ description: 'As the team calls it.' })),
        products: Type.Array(Type.String({ description: 'A product that counts.' })),
        size: labelled('Size', Size),
        availability: labelled(
          'Left',
          Type.String({ description: 'In the words of pretix: "83 available", "Sold out", "Unlimited".' }),
        ),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: (_input, { anchor }) => ({ query: { page: anchor } }),
  decode: (_fields, { page, cursor: next }) => {
    const at = select(page)
    const found = tableRows(at)
    return {
      quotas: found.map((row) => {
        const name = row.select('strong a')
        const size = cell(row, -3).text()
        return {
          quota_id: lastOf(name.attribute('href')),
          name: name.text(),
          products: row
            .select('ul')
            .any('li')
            .map((product) => product.text()),
          size: size === 'Unlimited' ? null : count(size),
          availability: cell(row, -2).select('.label').text(),
        }
      }),
      next_cursor: next(nextPage(at, found)),
    }
  },
})

export const set_quota_size = endpoint({
  summary: 'Change how many of the products of a quota may be sold. Nobody is told, and what was sold stays sold.',
  label: 'Change the size of a quota',
  brief: ['quota_id', 'size', 'event_id'],
  effect: 'changes',
  shownBy: [{ read: 'list_quotas', from: { event_id: 'event_id' } }],
  preview: [shownEvent, shownQuota],
  verify: {
    read: 'list_quotas',
    from: { event_id: 'event_id' },
    at: 'quotas',
    id: 'quota_id',
    same: { quota_id: 'quota_id', size: 'size' },
  },
  access: 'write',
  request: 'POST /control/event/{event_id}/{event_id}/quotas/{quota_id}/change',
  segments,
  input: {
    event_id: EventId,
    quota_id: labelled('Quota', id('quota', 'quota_id from list_quotas.')),
    size: labelled('Size', Size),
  },
  output: { event_id: EventRef, quota_id: refTo('quota', 'The quota.'), size: Size },
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/quotas/{quota_id}/change',
    selector: 'form:has([name="size"])',
    fields: ['name', 'itemvars', 'close_when_sold_out', 'release_after_exit', 'ignore_for_event_availability'],
    volatile: token.volatile,
    set: ({ size }) => ({ size }),
  },
  answer: 'redirect',
  failure: invalidForm,
  decode: (_fields, { input, location }) => {
    done(location, input.event_id, `quotas/${input.quota_id}/`)
    return { event_id: input.event_id, quota_id: input.quota_id, size: input.size }
  },
})
