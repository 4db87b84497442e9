import { UnknownShape, text } from './wire.ts'

/** How a locale writes numbers. */
interface Numbers {
  readonly group: string
  readonly decimal: string
  readonly digits: readonly string[]
}

/**
 * Parses a number as a locale (`'de'`, `'en-US'`) writes it: `1.234,50 €` in German is 1234.5.
 * Words, currency signs and per cent may surround it; brackets mean minus. Another notation, such
 * as `1.5` in German, or a second number throws `UnknownShape`.
 */
export function localNumber(value: unknown, locale: string): number {
  const wrong = (): never => {
    throw new UnknownShape(`not a number as ${locale} has it`, value)
  }
  const said = plain(value, locale).replace(/[.,] ?-+$/, '')
  const [written = '', ...others] = said.match(/[.,٫]?\d(?:[\d.,'٬٫ ]*\d)?/g) ?? []
  const around = said.replace(written, '')
  const signs = around.match(/[-+]/g) ?? []
  const isNegative = /^\(.*\)$/.test(said)
  if (written === '' || others.length > 0 || signs.length > (isNegative ? 0 : 1)) wrong()
  if (!/^[-+\p{Sc}\p{L}\p{M}%‰. ]*$/u.test(isNegative ? around.slice(1, -1) : around)) wrong()
  const { group, decimal } = numbersOf(locale)
  const [whole = '', fraction, ...more] = written.split(decimal)
  const groups = whole.split(group)
  const isGrouped = groups.length === 1 || ((groups[0] ?? '').length <= 3 && groups.slice(1).every(isGroup))
  const isWhole = groups.every((one) => /^\d+$/.test(one)) || (whole === '' && fraction !== undefined)
  if (!isGrouped || !isWhole || more.length > 0 || !/^\d+$/.test(fraction ?? '0')) wrong()
  const amount = Number(`${groups.join('') || '0'}.${fraction ?? '0'}`)
  return amount !== 0 && (isNegative || signs[0] === '-') ? -amount : amount
}

/** Normalises to Latin digits and to one kind of space, dash and apostrophe. */
function plain(value: unknown, locale: string): string {
  const { digits } = numbersOf(locale)
  const latin = Array.from(text(value), (sign) => (digits.includes(sign) ? String(digits.indexOf(sign)) : sign))
  return simple(latin.join(''))
}

function simple(written: string): string {
  return written
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[−–—‑]/g, '-')
    .replaceAll('’', "'")
    .trim()
}

/** Indian grouping: all groups before the last have two digits. */
function isGroup(digits: string, at: number, all: readonly string[]): boolean {
  return digits.length === 3 || (digits.length === 2 && at < all.length - 1)
}

const known = new Map<string, Numbers>()

function numbersOf(locale: string): Numbers {
  const found = known.get(locale) ?? askedNumbers(locale)
  known.set(locale, found)
  return found
}

function askedNumbers(locale: string): Numbers {
  const parts = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).formatToParts(12_345_678.5)
  const sign = (type: string): string | undefined => parts.find((part) => part.type === type)?.value
  const format = new Intl.NumberFormat(locale, { useGrouping: false })
  const digits = Array.from({ length: 10 }, (_, digit) => format.format(digit))
  return { group: simple(sign('group') ?? ',') || ' ', decimal: sign('decimal') ?? '.', digits }
}

/**
 * Parses a date as a locale writes it into YYYY-MM-DD: `31.12.2026`, `31. Dezember 2026` or (en-US)
 * `12/31/2026`. With a time, `2:05 pm` or `14:05`, it returns a timestamp, in UTC unless `offset`
 * is given (`+02:00`, or '' to pass the result to `inZone`). Years need four digits. Anything else
 * throws `UnknownShape`.
 */
export function localDate(value: unknown, locale: string, offset = 'Z'): string {
  const said = plain(value, locale).replace(/^(\d{4})年 ?(\d{1,2})月 ?(\d{1,2})日/, '$1-$2-$3')
  const { order, months } = datesOf(locale)
  const found = inNumbers(said, order) ?? inWords(said, months)
  if (found === undefined) throw new UnknownShape(`not a date as ${locale} has it`, value)
  const [year, month, day, rest] = found
  const date = dayOf(year, month, day)
  if (date === undefined) throw new UnknownShape('a day that is not', value)
  return rest === '' ? date : `${date}T${localTime(rest)}${offset}`
}

/** Parses a time of day into `14:05:00`: `2:05 pm`, `14.05 Uhr`. Throws `UnknownShape`. */
export function localTime(value: unknown): string {
  const found = /^(\d{1,2})(?:[:.h](\d\d))?(?:[:.](\d\d))? ?(am|pm|a\. ?m\.|p\. ?m\.|uhr|h)?$/i.exec(
    text(value).replaceAll(/\s+/g, ' ').trim(),
  )
  const [, hours = '', minutes, seconds = '00', mark = ''] = found ?? []
  const half = /^[ap]/i.exec(mark)?.[0].toLowerCase()
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  const isHalf = half === undefined ? hour <= 23 : Number(hours) >= 1 && Number(hours) <= 12
  if (!found || !isHalf || (minutes === undefined && mark === '') || Number(minutes ?? 0) > 59 || Number(seconds) > 59)
    throw new UnknownShape('not a time of day', value)
  return `${String(hour).padStart(2, '0')}:${minutes ?? '00'}:${seconds}`
}

type Found = readonly [year: number, month: number, day: number, rest: string]
type Order = readonly ('year' | 'month' | 'day')[]

/** A date that begins with the year is always year, month, day. */
function inNumbers(said: string, order: Order): Found | undefined {
  const found = /^(?:\p{L}[\p{L}.]*,? )?(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})\.?(?:,? (?:\p{L}+ )?(\d.*))?$/u.exec(
    said,
  )
  if (!found) return undefined
  const [, first = '', , second = '', third = '', rest = ''] = found
  const numbers = [first, second, third]
  const known: Order = first.length === 4 ? ['year', 'month', 'day'] : order
  const part = (name: Order[number]): string => numbers[known.indexOf(name)] ?? ''
  if (part('year').length !== 4 || part('month').length > 2 || part('day').length > 2) return undefined
  return [Number(part('year')), Number(part('month')), Number(part('day')), rest]
}

function inWords(said: string, months: ReadonlyMap<string, number>): Found | undefined {
  const dayFirst =
    /^(?:\p{L}[\p{L}.]*,? )?(\d{1,2})(?:\.|st|nd|rd|th|er|º|ª)?,?[ -](?:de |of )?([\p{L}\p{M}.]+),?[ -](?:de |of )?(\d{4})\.?,?(?: (?:\p{L}+ )?(\d.*))?$/u
  const monthFirst =
    /^(?:\p{L}[\p{L}.]*,? )?([\p{L}\p{M}.]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),?(?: (?:\p{L}+ )?(\d.*))?$/u
  const one = dayFirst.exec(said)
  const other = monthFirst.exec(said)
  const [, day, word, year, rest = ''] = one ?? [other?.[0], other?.[2], other?.[1], other?.[3], other?.[4]]
  const month = months.get(bare(word ?? ''))
  return month === undefined ? undefined : [Number(year), month, Number(day), rest]
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll('.', '')
}

function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isThere = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere ? date.toISOString().slice(0, 10) : undefined
}

interface Dates {
  readonly order: Order
  readonly months: ReadonlyMap<string, number>
}

const knownDates = new Map<string, Dates>()

function datesOf(locale: string): Dates {
  const found = knownDates.get(locale) ?? askedDates(locale)
  knownDates.set(locale, found)
  return found
}

function askedDates(locale: string): Dates {
  const calendar = { calendar: 'gregory', timeZone: 'UTC' } as const
  const sample = Date.UTC(2026, 11, 31)
  const numbers = new Intl.DateTimeFormat(locale, { ...calendar, year: 'numeric', month: '2-digit', day: '2-digit' })
  const parts = numbers.formatToParts(sample).map(({ type }) => type)
  const order = parts.filter((type) => type === 'year' || type === 'month' || type === 'day')
  const months = new Map<string, number>()
  for (const month of ['long', 'short'] as const) {
    // Month names can differ beside a day: "1 mai", "1 мая".
    for (const more of [{}, { day: 'numeric' } as const]) {
      const names = new Intl.DateTimeFormat(locale, { ...calendar, month, ...more })
      for (let at = 0; at < 12; at++) {
        const name = names.formatToParts(Date.UTC(2026, at, 1)).find(({ type }) => type === 'month')?.value
        if (name !== undefined) months.set(bare(name), at + 1)
      }
    }
  }
  return { order, months }
}
