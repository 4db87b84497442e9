const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(zone, format)
  }
  return format
}

/** An IANA zone such as `Europe/Berlin` or `Etc/UTC`; offsets such as `+01:00` are none. */
export function isZone(zone: string): boolean {
  if (!/^[A-Z][A-Za-z0-9_+/-]*$/i.test(zone)) return false
  try {
    return formatOf(zone) !== undefined
  } catch {
    return false
  }
}

/** What a clock in the zone shows, as if it were UTC. */
const shown = (seconds: number, zone: string): number =>
  Date.parse(
    `${formatOf(zone)
      .format(seconds * 1000)
      .replace(' ', 'T')}Z`,
  ) / 1000

export const dayIn = (seconds: number, zone: string): number => Math.floor(shown(seconds, zone) / 86_400)

/** The first moment at which clocks in the zone show that minute of that day; undefined where they skip it in spring. */
export function momentOf(day: number, minute: number, zone: string): number | undefined {
  const wanted = day * 86_400 + minute * 60
  const guesses = [wanted - 86_400, wanted + 86_400].map((near) => wanted - (shown(near, zone) - near))
  return guesses.toSorted((a, b) => a - b).find((guess) => shown(guess, zone) === wanted)
}

/** `31.12.2026` */
export function dayText(day: number): string {
  const [year, month, date] = new Date(day * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${date}.${month}.${year}`
}

/** `31.12.2026 09:30` */
export function timeText(seconds: number, zone: string): string {
  const local = shown(seconds, zone)
  return `${dayText(Math.floor(local / 86_400))} ${new Date(local * 1000).toISOString().slice(11, 16)}`
}

/** The day that `31.12.2026` names; undefined for any other text, and for days that no calendar has. */
export function parseDay(text: string): number | undefined {
  const [, date, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? []
  const day = Date.parse(`${year}-${month}-${date}T00:00:00Z`) / 86_400_000
  return Number.isInteger(day) && dayText(day) === text ? day : undefined
}

/** The day and the minute of the day in `31.12.2026 09:30`. */
export function parseTime(text: string): { day: number; minute: number } | undefined {
  const [, date = '', hour, minute] = /^(\S+) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  const day = parseDay(date)
  return day === undefined ? undefined : { day, minute: Number(hour) * 60 + Number(minute) }
}

const wordsOfDays = { Today: 0, Tomorrow: 1, Yesterday: -1 }
const turns = { This: 0, Next: 1, Last: -1 }

/** `Today`, `NextWeek`, …: the first and the last day; weeks begin on Monday. */
export function spanOf(name: string, today: number): [number, number] | undefined {
  for (const [word, days] of Object.entries(wordsOfDays)) if (word === name) return [today + days, today + days]
  const date = new Date(today * 86_400_000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const day = (y: number, m: number): number => Date.UTC(y, m, 1) / 86_400_000
  for (const [word, turn] of Object.entries(turns)) {
    const monday = today - ((date.getUTCDay() + 6) % 7) + turn * 7
    if (name === `${word}Week`) return [monday, monday + 6]
    if (name === `${word}Month`) return [day(year, month + turn), day(year, month + turn + 1) - 1]
    if (name === `${word}Year` && turn <= 0) return [day(year + turn, 0), day(year + turn + 1, 0) - 1]
  }
  return undefined
}
