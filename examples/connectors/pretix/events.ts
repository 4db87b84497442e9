import {
  Type,
  UnknownShape,
  closed,
  cursor,
  endpoint,
  fields,
  labelled,
  money,
  nextCursor,
  oneOf,
  refTo,
  rows,
  select,
  text,
} from '@callgate/kit'
import {
  EventId,
  EventRef,
  LocalTime,
  cell,
  count,
  eventOf,
  localTime,
  nextPage,
  segments,
  tableRows,
} from './shared.ts'

const statuses = {
  'Shop disabled': 'disabled',
  'Presale over': 'over',
  'Presale not started': 'not_started',
  'On sale': 'on_sale',
} as const
const filters = {
  live: 'live',
  not_live: 'notlive',
  running: 'running',
  future: 'date_future',
  past: 'date_past',
} as const
const Name = labelled('Name', Type.String({ description: 'As visitors see it.' }))

export const list_events = endpoint({
  summary: 'List the events that you may work on, as on the page of all events.',
  label: 'List events',
  brief: ['search', 'status'],
  access: 'read',
  request: 'GET /control/events/',
  answer: 'page',
  input: {
    search: labelled(
      'Search',
      Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Only events with this in their name or address.' }),
      ),
    ),
    status: labelled(
      'Status',
      Type.Optional(
        oneOf(
          ['live', 'not_live', 'running', 'future', 'past'],
          'live: its shop is; running: and it sells; future and past go by the date of the event. All when left out.',
        ),
      ),
    ),
    cursor,
  },
  output: {
    events: Type.Array(
      closed({
        event_id: EventRef,
        name: Name,
        starts: Type.Union([LocalTime, Type.Null()], { description: 'On the clocks of the event; null for a series.' }),
        status: labelled('Shop', oneOf(['disabled', 'over', 'not_started', 'on_sale'], 'Whether its shop sells now.')),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: ({ search, status }, { anchor }) => ({
    query: { query: search, status: status && filters[status], page: anchor },
  }),
  decode: (_fields, { page, input, cursor: next }) => {
    const at = select(page)
    const found = tableRows(at, () => input.search !== undefined || input.status !== undefined)
    return {
      events: found.map((row) => {
        const name = row.select('.event-name-col a')
        return {
          event_id: eventOf(name.attribute('href')),
          name: name.text(),
          starts: startOf(row.select('.event-date-col').text()),
          status: statusOf(cell(row, -2).select('.label').text()),
        }
      }),
      next_cursor: next(nextPage(at, found)),
    }
  },
})

/** `2026-12-31 18:30` and more; a series has no date of its own. */
function startOf(written: string): string | null {
  if (written.startsWith('Event series')) return null
  const [day = '', time] = written.split(/\s+/)
  return localTime(`${day} ${time !== undefined && /^\d\d:\d\d$/.test(time) ? time : '00:00'}`)
}

function statusOf(written: string): string {
  const known: Readonly<Record<string, string>> = statuses
  const status = known[written]
  if (status === undefined) throw new UnknownShape('no known status of a shop')
  return status
}

export const get_event = endpoint({
  summary: 'Read an event: its name, its dates, and the figures of its dashboard.',
  label: 'Read an event',
  brief: ['event_id'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/',
  answer: 'page',
  before: { figures: { request: 'GET /control/event/{event_id}/{event_id}/widgets.json' } },
  segments,
  input: { event_id: EventId },
  output: {
    event_id: EventRef,
    name: Name,
    when: labelled(
      'When',
      Type.String({ description: 'The dates as the dashboard writes them, or that it is a series.' }),
    ),
    shop: Type.String({ description: 'The address of its shop.' }),
    attendees_ordered: Type.Integer({ description: 'Tickets in orders that are paid or may yet be.' }),
    attendees_paid: Type.Integer({ description: 'Tickets in paid orders.' }),
    revenue: money(
      { unit: 'major', currency: { field: 'currency' } },
      Type.String({ pattern: '^-?\\d{1,12}(?:\\.\\d{1,3})?$', description: 'Of paid orders: 672.50.' }),
    ),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'Of every amount of this event.' }),
  },
  decode: (_fields, { page, input, before }) => {
    const at = select(page)
    const dates = at.select('#page-wrapper h1 small').text()
    const heading = at.select('#page-wrapper h1').text()
    const widgets = rows(fields(before['figures'])['widgets'])
    const figure = (lazy: string) => {
      const widget = widgets.find((one) => one['lazy'] === lazy)
      if (widget === undefined) throw new UnknownShape(`no figure ${lazy}`)
      const shown = select(text(widget['content']))
      return { num: shown.select('.num').text(), of: shown.select('.text').text() }
    }
    const revenue = figure('total-revenue')
    return {
      event_id: input.event_id,
      name: heading.slice(0, heading.length - dates.length).trim(),
      when: dates,
      shop: at.select('#shop_url').text(),
      attendees_ordered: count(figure('attendees-ordered').num),
      attendees_paid: count(figure('attendees-paid').num),
      revenue: revenue.num.replaceAll(',', ''),
      currency: /\(([A-Z]{3})\)$/.exec(revenue.of)?.[1],
    }
  },
})

export const list_products = endpoint({
  summary: 'List the products of an event, as where one is chosen for a voucher.',
  label: 'List products',
  brief: ['event_id', 'search'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/vouchers/item_select',
  segments,
  input: {
    event_id: EventId,
    search: labelled(
      'Search',
      Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Only products with this in their name.' }),
      ),
    ),
    cursor,
  },
  output: {
    products: Type.Array(
      closed({
        product_id: refTo('product', 'Taken by create_voucher.'),
        name: labelled(
          'Name',
          Type.String({ description: 'A product, a variation of one, or any product in a quota.' }),
        ),
        active: Type.Boolean({ description: 'Whether it is sold at all.' }),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: ({ search }, { anchor }) => ({ query: { query: search, page: anchor ?? 1 } }),
  decode: ({ results, pagination }, { anchor, cursor: next }) => {
    const { more } = fields(pagination)
    if (typeof more !== 'boolean') throw new UnknownShape('not said whether there is more')
    return {
      products: rows(results).map(({ id, text: name, inactive }) => ({
        product_id: id,
        name,
        active: typeof inactive === 'boolean' ? !inactive : null,
      })),
      next_cursor: next(more ? Number(anchor ?? 1) + 1 : null),
    }
  },
})
