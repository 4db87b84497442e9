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

/** A moment: in UTC as it stands, in the reader's own zone where scripts run. */
export function Time({ at, seconds }: { at: Date; seconds?: boolean }): JSX.Element {
  return (
    <time datetime={at.toISOString()} data-zoned={seconds === true ? 'seconds' : true}>
      {`${(seconds === true ? utcSeconds : utc).format(at)} UTC`}
    </time>
  )
}

/** A length of time in words: `3 days`, `5 hours`, `40 seconds`. Rounded down. */
export function inWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [size, unit] =
    seconds >= 259_200
      ? [86_400, 'day']
      : seconds >= 7_200
        ? [3_600, 'hour']
        : seconds >= 120
          ? [60, 'minute']
          : [1, 'second']
  return counted(Math.floor(seconds / size), unit)
}

/** `1 entry`, `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
}
