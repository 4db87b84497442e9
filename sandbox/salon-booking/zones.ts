const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-US', { ...parts, second: 'numeric', hourCycle: 'h23', timeZone: zone })
    formats.set(zone, format)
  }
  return format
}

/** An IANA zone such as `Europe/Lisbon` or `Etc/UTC`; offsets such as `+01:00` are none. */
export function isZone(zone: string): boolean {
  if (!/^[A-Z][A-Za-z0-9_+/-]*$/i.test(zone)) return false
  try {
    return formatOf(zone) !== undefined
  } catch {
    return false
  }
}

/** Seconds east of UTC. */
function offsetAt(seconds: number, zone: string): number {
  const found: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(seconds * 1000)) found[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds
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

/** The first moment at which the clock shows this; undefined where it skips it in spring. */
export function momentOf({ day, minute }: Wall, zone: string): number | undefined {
  const naive = day * 86_400 + minute * 60
  const guesses = [naive - offsetAt(naive - 86_400, zone), naive - offsetAt(naive + 86_400, zone)]
  return guesses.toSorted((a, b) => a - b).find((guess) => guess + offsetAt(guess, zone) === naive)
}

/** `2026/12/31` */
export const dayText = (day: number): string =>
  new Date(day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/')

/** `2026/12/31 09:30` */
export function wallText(seconds: number, zone: string): string {
  const { day, minute } = wallAt(seconds, zone)
  return `${dayText(day)} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** The day that `2026/12/31` names; undefined for any other text, and for days that no calendar has. */
export function parseDay(text: string): number | undefined {
  if (!/^\d{4}\/\d\d\/\d\d$/.test(text)) return undefined
  const day = Date.parse(`${text.replaceAll('/', '-')}T00:00:00Z`) / 86_400_000
  return Number.isInteger(day) && dayText(day) === text ? day : undefined
}

export function parseWall(text: string): Wall | undefined {
  const [, date = '', hour, minute] = /^(\S+) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  const day = parseDay(date)
  return day === undefined ? undefined : { day, minute: Number(hour) * 60 + Number(minute) }
}
