import {
  NullableText,
  Type,
  UnknownShape,
  closed,
  cursor,
  endpoint,
  id,
  labelled,
  nextCursor,
  oneOf,
  refTo,
  select,
} from '@callgate/kit'
import {
  EventId,
  LocalTime,
  OrderRef,
  cell,
  count,
  lastOf,
  localTime,
  nextPage,
  segments,
  tableRows,
} from './shared.ts'

export const list_check_in_lists = endpoint({
  summary: 'List the check-in lists of an event, with how many have come.',
  label: 'List check-in lists',
  brief: ['event_id'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/checkinlists/',
  answer: 'page',
  segments,
  input: { event_id: EventId, cursor },
  output: {
    check_in_lists: Type.Array(
      closed({
        check_in_list_id: refTo('check_in_list', 'Taken by list_attendees.'),
        name: labelled('Name', Type.String({ description: 'As the team calls it.' })),
        checked_in: Type.Integer({ description: 'How many have come.' }),
        expected: Type.Integer({ description: 'How many tickets it lists.' }),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: (_input, { anchor }) => ({ query: { page: anchor } }),
  decode: (_fields, { page, cursor: next }) => {
    const at = select(page)
    const found = tableRows(at)
    return {
      check_in_lists: found.map((row) => {
        const name = row.select('strong a')
        const [checkedIn, expected] = row
          .select('.numbers')
          .text()
          .split(/\s*\/\s*/)
        return {
          check_in_list_id: lastOf(name.attribute('href')),
          name: name.text(),
          checked_in: count(checkedIn ?? ''),
          expected: count(expected ?? ''),
        }
      }),
      next_cursor: next(nextPage(at, found)),
    }
  },
})

const states = { 'Not checked in': 'not_here', 'Checked in': 'here', 'Checked in but left': 'left' } as const
const filters = { here: '2', left: '3', not_here: '0' } as const

export const list_attendees = endpoint({
  summary: 'List the attendees of a check-in list, by name, and who of them has come.',
  label: 'List attendees',
  brief: ['check_in_list_id', 'search', 'event_id'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/checkinlists/{check_in_list_id}/',
  answer: 'page',
  segments,
  input: {
    event_id: EventId,
    check_in_list_id: labelled('Check-in list', id('check_in_list', 'check_in_list_id from list_check_in_lists.')),
    search: labelled(
      'Search',
      Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Only with this in name, email, order code or ticket code.',
        }),
      ),
    ),
    status: labelled('Status', Type.Optional(oneOf(['here', 'left', 'not_here'], 'Only these; all when left out.'))),
    cursor,
  },
  output: {
    attendees: Type.Array(
      closed({
        order_id: OrderRef,
        product: Type.String({ description: 'What they have a ticket for.' }),
        name: NullableText,
        email: NullableText,
        status: oneOf(['here', 'left', 'not_here'], 'Whether they have come.'),
        unpaid: Type.Boolean({ description: 'Whether the order is not paid yet.' }),
        came: Type.Union([LocalTime, Type.Null()], {
          description: 'When they were let in last, on the clocks of the event.',
        }),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: ({ search, status }, { anchor }) => ({
    query: { user: search, status: status && filters[status], page: anchor },
  }),
  decode: (_fields, { page, cursor: next }) => {
    const at = select(page)
    const found = tableRows(at)
    return {
      attendees: found.map((row) => {
        const came = cell(row, -1).text().split('\n')[0] ?? ''
        return {
          order_id: row.select('a[href*="/orders/"]').text(),
          product: cell(row, 2).text(),
          name: cell(row, -4).text() || null,
          email: cell(row, -5).text() || null,
          status: stateOf(cell(row, -2).select('.label').text()),
          unpaid: cell(row, 1).optional('.label-warning') !== null,
          came: came === '' ? null : localTime(came),
        }
      }),
      next_cursor: next(nextPage(at, found)),
    }
  },
})

function stateOf(written: string): string {
  const known: Readonly<Record<string, string>> = states
  const state = known[written]
  if (state === undefined) throw new UnknownShape('no known state of an attendee')
  return state
}
