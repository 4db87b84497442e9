import type { JSX } from 'preact'

const shape = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
} as const
const utc = new Intl.DateTimeFormat('en-GB', shape)
const utcSeconds = new Intl.DateTimeFormat('en-GB', { ...shape, second: '2-digit' })

/** A timestamp in UTC; scripts show it in the user's own time zone. */
export function Time({ at, seconds }: { at: Date; seconds?: boolean }): JSX.Element {
  return (
    <time datetime={at.toISOString()} data-zoned={seconds === true ? 'seconds' : true}>
      {`${(seconds === true ? utcSeconds : utc).format(at)} UTC`}
    </time>
  )
}

const short = new Intl.DateTimeFormat('en-GB', { ...shape, year: undefined })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Relative time, kept current by scripts, exact time as title; after a week the date. */
export function Ago({ at }: { readonly at: Date }): JSX.Element {
  const ms = Date.now() - at.getTime()
  if (ms <= aWeek)
    return (
      <time class="ago" datetime={at.toISOString()} title={`${utcSeconds.format(at)} UTC`} data-since>
        {sinceInWords(ms)}
      </time>
    )
  return (
    <time class="ago" datetime={at.toISOString()} data-zoned={ms > longAgo ? 'day' : 'short'}>
      {ms > longAgo ? day.format(at) : `${short.format(at)} UTC`}
    </time>
  )
}

const aWeek = 7 * 86_400_000
const longAgo = 300 * 86_400_000

/** `just now`, `3 hours ago`. */
function sinceInWords(ms: number): string {
  return ms < 10_000 ? 'just now' : `${inWords(ms)} ago`
}

const clock = new Intl.DateTimeFormat('en-GB', { ...shape, weekday: 'short' })
const calendar = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Local time with offset: `Tue, 1 Dec 2026, 09:30 (UTC+01:00)`. Undefined for other texts. */
export function onTheClock(text: string): { readonly words: string; readonly offset: number } | undefined {
  const [, local = '', zone = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i.exec(text) ?? []
  const at = new Date(`${local}Z`)
  if (Number.isNaN(at.getTime()) || Number.isNaN(Date.parse(text))) return undefined
  const offset = Math.round((at.getTime() - Date.parse(`${local}${zone}`)) / 60_000)
  return { words: `${clock.format(at)} (UTC${offset === 0 ? '' : zone})`, offset }
}

/** A date with weekday: `Tuesday 1 December 2026`. Undefined for other texts. */
export function onTheCalendar(text: string): string | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN)
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text) ? undefined : calendar.format(at)
}

/** Time left until a deadline, kept current by scripts. */
export function Left({ until }: { readonly until: Date }): JSX.Element {
  return <span class="hint" data-until={until.toISOString()}>{`${inWords(until.getTime() - Date.now())} left`}</span>
}

/** A duration: `3 days`, `2 days 20 hours`, `5 hours`. Rounded down, as in `page.js`. */
export function inWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const at = units.findIndex(([size]) => seconds >= size)
  const [size, unit] = units[at] ?? second
  const count = Math.floor(seconds / size)
  const [smaller, rest] = units[at + 1] ?? second
  const more = Math.floor((seconds % size) / smaller)
  // With one or two units, the rest is too large to omit.
  return count < 3 && more > 0 ? `${counted(count, unit)} ${counted(more, rest)}` : counted(count, unit)
}

const second = [1, 'second'] as const
const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  second,
]

/** `1 entry`, `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
}
