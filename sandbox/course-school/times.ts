const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  formats.set(zone, made)
  return made
}

/** `2026-11-21T09:30:00+05:30`: the school's own clock, with its offset. */
export function isoIn(zone: string, seconds: number): string {
  const found = new Map(
    formatOf(zone)
      .formatToParts(seconds * 1000)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): string => found.get(name) ?? ''
  const offset = part('timeZoneName').slice(3) || '+00:00'
  const time = [part('hour'), part('minute'), part('second')].join(':')
  return `${part('year')}-${part('month')}-${part('day')}T${time}${offset}`
}

/** The day that it is there, `2026-11-21`. */
export const dayIn = (zone: string, seconds: number): string => isoIn(zone, seconds).slice(0, 10)

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2026-11-05` → `05 Nov 2026`. */
export function showDay(iso: string): string {
  const [year = '', month = '', day = ''] = iso.split('-')
  return `${day} ${months[Number(month) - 1]} ${year}`
}

/** The other way round; undefined for what is no day. */
export function readDay(text: string): string | undefined {
  const [, day = '', name = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})$/.exec(text.trim()) ?? []
  const month = months.indexOf(name) + 1
  if (month === 0) return undefined
  const iso = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${iso}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? undefined : iso
}
