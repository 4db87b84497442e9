const formats = new Map<string, Intl.DateTimeFormat>()
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const two = (value: number): string => String(value).padStart(2, '0')

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-US', { ...parts, hourCycle: 'h23', timeZone: zone })
    formats.set(zone, format)
  }
  return format
}

/** Seconds east of UTC. */
function offsetAt(seconds: number, zone: string): number {
  const found: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(seconds * 1000)) found[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = found
  return Date.UTC(year, month - 1, day, hour, minute) / 1000 - (seconds - (((seconds % 60) + 60) % 60))
}

/** What a clock on the wall shows: the day since 1970, and minutes since midnight. */
export interface Wall {
  day: number
  minute: number
}

export function wallAt(seconds: number, zone: string): Wall {
  const naive = seconds + offsetAt(seconds, zone)
  const day = Math.floor(naive / 86_400)
  return { day, minute: Math.floor((naive - day * 86_400) / 60) }
}

export const dayAt = (seconds: number, zone: string): number => wallAt(seconds, zone).day

/** The first moment at which the clock shows this; undefined where it skips it in spring. */
export function momentOf({ day, minute }: Wall, zone: string): number | undefined {
  const naive = day * 86_400 + minute * 60
  const guesses = [naive - offsetAt(naive - 86_400, zone), naive - offsetAt(naive + 86_400, zone)]
  return guesses.toSorted((a, b) => a - b).find((guess) => guess + offsetAt(guess, zone) === naive)
}

/** `31 Dec 2026` */
export function dayText(day: number): string {
  const date = new Date(day * 86_400_000)
  return `${two(date.getUTCDate())} ${months[date.getUTCMonth()]} ${String(date.getUTCFullYear()).padStart(4, '0')}`
}

/** `31 Dec 2026 09:30` */
export function wallText(seconds: number, zone: string): string {
  const { day, minute } = wallAt(seconds, zone)
  return `${dayText(day)} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

/** Undefined for any other text, and for days that no calendar has. */
export function parseDay(text: string): number | undefined {
  const [, date, name, year] = /^(\d{2}) ([A-Z][a-z]{2}) (\d{4})$/.exec(text) ?? []
  const month = months.findIndex((one) => one === name) + 1
  const day = Date.parse(`${year}-${two(month)}-${date}T00:00:00Z`) / 86_400_000
  return !Number.isNaN(day) && dayText(day) === text ? day : undefined
}

export function parseWall(text: string): Wall | undefined {
  const [, date = '', hour, minute] = /^(.{11}) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  const day = parseDay(date)
  return day === undefined ? undefined : { day, minute: Number(hour) * 60 + Number(minute) }
}
