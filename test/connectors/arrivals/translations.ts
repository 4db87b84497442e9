const dayMs = 86_400_000
const at = (value: unknown): number => Date.parse(String(value))
const digits = (value: unknown): string => new Date(at(value)).toISOString().replaceAll(/[-:]|\.\d+/g, '')
const parts = (value: unknown): string[] => String(value).slice(0, 10).split('-')
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const spoken = (value: unknown): string => {
  const [year, month, day] = parts(value)
  return `${day} ${months[Number(month) - 1]} ${year}`
}
const utc = (value: unknown): string => new Date(at(value)).toISOString()
const isPercent = (value: unknown): boolean => String(value).endsWith('%')
const hundredths = (value: unknown): number => Math.round(Number.parseFloat(String(value)) * 100)

/** How an app writes what the input says: by the name that the tables of places have after a colon. */
export const translations: Readonly<Record<string, (value: unknown) => unknown>> = {
  same: (value) => value,
  /** `event_100182` as 100182. */
  number: (value) => Number(/\d+$/.exec(String(value))?.[0]),
  /** Hundredths of a unit, of a percentage too. */
  cents: hundredths,
  /** Of a discount that is a percentage, or one that is a sum; undefined of the other. */
  tenthsOff: (value) => (isPercent(value) ? Math.round(Number.parseFloat(String(value)) * 10) : undefined),
  centsOfPercent: (value) => (isPercent(value) ? hundredths(value) : undefined),
  wholePercent: (value) => (isPercent(value) ? Number.parseInt(String(value), 10) : undefined),
  centsOff: (value) => (isPercent(value) ? undefined : hundredths(value)),
  /** Of `plan:160002`. */
  plan: (value) => (String(value).startsWith('plan:') ? Number(String(value).slice(5)) : undefined),
  dollars: (value) => `$${(Number(value) / 100).toFixed(2)}`,
  usd: (value) => `USD ${String(value)}`,
  dayNumber: (value) => at(value) / dayMs,
  seconds: (value) => at(value) / 1000,
  milliseconds: at,
  daysInMs: (value) => Number(value) * dayMs,
  compactDay: (value) => parts(value).join(''),
  compactDayNumber: (value) => Number(parts(value).join('')),
  compactTime: digits,
  dayMonthYear: (value) => parts(value).toReversed().join('/'),
  dayMonthYearDashed: (value) => parts(value).toReversed().join('-'),
  monthDayYear: (value) => `${parts(value)[1]}/${parts(value)[2]}/${parts(value)[0]}`,
  monthYear: (value) => String(value).split('-').toReversed().join('-'),
  spokenDay: spoken,
  spokenTime: (value) => `${spoken(utc(value))} ${utc(value).slice(11, 16)} UTC`,
  utcMinutes: (value) => utc(value).slice(0, 16).replace('T', ' '),
  offset: (value) => /[+-]\d\d:\d\d$/.exec(String(value))?.[0],
  lastSegment: (value) => String(value).split('/').at(-1),
  /** The parts of a fare's id. */
  fareTrip: (value) => String(value).split('.')[0],
  fareTariff: (value) => String(value).split('.').at(-2),
  fareFlex: (value) => String(value).endsWith('.flex'),
  /** `21.0278,105.8342`, in millionths of a degree. */
  geo: (value) => {
    const [lat, lng] = String(value)
      .split(',')
      .map((degrees) => Math.round(Number(degrees) * 1e6))
    return { lat6: lat, lng6: lng }
  },
}

/** The same moment, however each writes its zone; a day is the one that the app's moment begins. */
export function isMomentOf(value: unknown, found: unknown): boolean {
  if (typeof value !== 'string' || typeof found !== 'string') return false
  if (!/^\d{4}-\d\d-\d\d(T|$)/.test(value) || !/^\d{4}-\d\d-\d\dT/.test(found)) return false
  return value.length === 10 ? found.startsWith(`${value}T00:00:00`) : at(value) === at(found)
}
