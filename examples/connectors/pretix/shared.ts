import { InputRejected, Type, UnknownShape, id, labelled, ledTo, money, refTo } from '@callgate/kit'
import type { Led, Node } from '@callgate/kit'

export const EventId = labelled(
  'Event',
  id('event', 'event_id from list_events: the organizer and the event, kultur/sommer.'),
)
export const OrderId = labelled('Order', id('order', 'order_id from list_orders, the order code: A1B2C.'))
export const EventRef = refTo('event', 'The event.')
export const OrderRef = refTo('order', 'The order code.')

/** Output: a time of the event's own zone, without an offset, as pretix shows it. */
export const LocalTime = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d$',
  description: 'On the clocks of the event: 2026-12-31T18:30.',
})

/** Output: an amount in the currency of the event, which get_event tells. */
export const Amount = money(
  { unit: 'major', currency: null },
  Type.String({ pattern: '^-?\\d{1,12}(?:\\.\\d{1,3})?$', description: 'In the currency of the event: 24.50.' }),
)

/** An event is two segments of each address: its organizer's, and its own. */
export const segments = {
  event_id(value: string): readonly string[] {
    const parts = value.split('/')
    if (parts.length === 2 && parts.every((part) => /^[a-z0-9](?:[\w.-]*)$/i.test(part))) return parts
    throw new InputRejected(
      'event_id',
      'An event_id is the organizer and the event with a slash between: kultur/sommer.',
    )
  },
}

/** The id of the event that an address of pretix leads to. */
export function eventOf(href: string): string {
  const [, organizer, event] = /\/control\/event\/([^/]+)\/([^/]+)\//.exec(href) ?? []
  if (organizer === undefined || event === undefined) throw new UnknownShape('no address of an event')
  return `${organizer}/${event}`
}

/** The last part of an address: `/control/…/quotas/12/` → `12`. */
export function lastOf(href: string): string {
  const [, last] = /\/([^/?#]+)\/?(?:[?#].*)?$/.exec(href) ?? []
  if (last === undefined) throw new UnknownShape('no address')
  return last
}

/** `2026-12-31 18:30` as pretix writes it in English. */
export function localTime(written: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/.exec(written) ?? []
  if (day === undefined || time === undefined) throw new UnknownShape('no time as 2026-12-31 18:30')
  return `${day}T${time}`
}

/** `€1,024.50` as a decimal text. */
export function amount(written: string): string {
  const [, minus, digits] = /^(-?)[^\d-]*(\d[\d,]*(?:\.\d+)?)\D*$/.exec(written.trim()) ?? []
  if (digits === undefined) throw new UnknownShape('no amount')
  return `${minus ?? ''}${digits.replaceAll(',', '')}`
}

/** A whole number as it is written, `1,024`. */
export function count(written: string): number {
  if (!/^\d[\d,]*$/.test(written)) throw new UnknownShape('no number')
  return Number(written.replaceAll(',', ''))
}

/**
 * The rows of the page's one table. Where there are none, the page has a word for it in place of the table; where it has none when something was
 * searched for, `saysNone` tells whether that is so.
 */
export function tableRows(page: Node, saysNone?: () => boolean): readonly Node[] {
  const body = '#page-wrapper table.table > tbody'
  const searched = saysNone?.() === true ? `, ${body}:not(:has(*))` : ''
  return page.all(`${body} > tr`, { emptyWhen: `#page-wrapper .empty-collection${searched}` })
}

/** A cell, counted from the end where the place is negative: the first column is there only for those who may change something. */
export function cell(row: Node, at: number): Node {
  const found = row.all('td').at(at)
  if (found === undefined) throw new UnknownShape('no such cell')
  return found
}

/** The number of the next page; null on the last. pretix says where one is as soon as there is more than one row. */
export function nextPage(page: Node, rows: readonly unknown[]): number | null {
  const shown = page.optional('.pagination .page-current')?.text()
  if (shown === undefined && rows.length < 2) return null
  const [, at, of] = /^Page ([\d,]+) of ([\d,]+) \(/.exec(shown ?? '') ?? []
  if (at !== undefined && of !== undefined) return count(at) < count(of) ? count(at) + 1 : null
  if (/^[\d,]+ elements$/.test(shown ?? '')) return null
  throw new UnknownShape('no number of the page')
}

/** What a list of terms says, by term. */
export function terms(at: Node, list: string): ReadonlyMap<string, Node> {
  const [names, values] = [at.any(`${list} > dt`), at.any(`${list} > dd`)]
  if (names.length !== values.length) throw new UnknownShape('terms and descriptions do not match')
  return new Map(
    names.flatMap((name, place) => {
      const value = values[place]
      return value === undefined ? [] : [[name.text(), value]]
    }),
  )
}

/** What pretix fills anew for each page: the form is sent with the token of its own page. */
export const token = { csrf: null, volatile: ['csrfmiddlewaretoken'] } as const

/** Takes it that pretix did as told and led to this page of the event. */
export function done(location: string, event: string, page: string | RegExp): Led {
  const under = `control/event/${event}/`
  if (!location.startsWith(under)) throw new UnknownShape('led elsewhere')
  return ledTo(location.slice(under.length), page)
}
