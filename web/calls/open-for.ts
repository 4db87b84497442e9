const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const shortest = 2
const longest = 30 * 86_400

/** Hint for fields that take a time to decide. */
export const openForHint = 'from 2 seconds to 30 days, such as 45 minutes, 12 hours or 3 days'

/** A time to decide, from seconds, in the largest unit that divides it: `45 minutes`. */
export function openFor(seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? units[3]
  return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`
}

/** Seconds from `3 days`, `45 min` or `90`; undefined if it is no valid time to decide. */
export function readOpenFor(text: string): number | undefined {
  const [, count, letters = ''] = /^(\d{1,7})\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const written = letters.toLowerCase().replace(/(?<=.)s$/, '')
  const unit = written === '' ? units[3] : units.find(([name]) => name.startsWith(written))
  if (count === undefined || unit === undefined) return undefined
  const seconds = Number(count) * unit[1]
  return seconds >= shortest && seconds <= longest ? seconds : undefined
}
