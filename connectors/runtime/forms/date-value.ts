const dayMs = 86_400_000
/** The latest time of a JavaScript `Date`. */
const lastMs = 8.64e15

/** The unit of a date or time type, its default step, and the origin of its steps. */
interface DateScale {
  /** In ms; in months for `month`. */
  readonly unit: number
  readonly units: number
  readonly base: number
  /** The unit's name in messages. */
  readonly word: string
}

export const dateScales: Readonly<Record<string, DateScale>> = {
  date: { unit: dayMs, units: 1, base: 0, word: 'day' },
  month: { unit: 1, units: 1, base: 0, word: 'month' },
  // Weeks begin on Mondays.
  week: { unit: 7 * dayMs, units: 1, base: -3 * dayMs, word: 'week' },
  time: { unit: 1000, units: 60, base: 0, word: 'second' },
  'datetime-local': { unit: 1000, units: 60, base: 0, word: 'second' },
}

/**
 * Value of such an `<input>`, in ms or months since 1970, or ms since midnight; undefined: none.
 * Source: https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#dates-and-times
 */
export function dateValue(type: string, text: string): number | undefined {
  switch (type) {
    case 'date':
      return day(text)
    case 'month': {
      const first = day(`${text}-01`)
      return first === undefined ? undefined : months(new Date(first))
    }
    case 'week':
      return week(text)
    case 'time':
      return time(text)
    case 'datetime-local': {
      const [, date = '', clock = ''] = /^(.*?)[T ](.*)$/.exec(text) ?? []
      const [at, within] = [day(date), time(clock)]
      return at === undefined || within === undefined ? undefined : at + within
    }
    default:
      return undefined
  }
}

const months = (date: Date): number => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()

function day(text: string): number | undefined {
  const [, years = '', month = '', date = ''] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const at = new Date(0)
  const ms = at.setUTCFullYear(Number(years), Number(month) - 1, Number(date))
  const isReal = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(date)
  return isReal && Number(years) > 0 && ms <= lastMs ? ms : undefined
}

function week(text: string): number | undefined {
  const [, years = '', weeks = ''] = /^(\d{4,})-W(\d\d)$/.exec(text) ?? []
  const fourth = day(`${years}-01-04`)
  if (fourth === undefined || Number(weeks) < 1) return undefined
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs + (Number(weeks) - 1) * 7 * dayMs
  // A week belongs to the year of its Thursday.
  return new Date(monday + 3 * dayMs).getUTCFullYear() === Number(years) && monday <= lastMs ? monday : undefined
}

function time(text: string): number | undefined {
  const [, hours, minutes, seconds = '0', part = ''] = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)]
  if (h > 23 || m > 59 || s > 59) return undefined
  return ((h * 60 + m) * 60 + s) * 1000 + Number(part.padEnd(3, '0'))
}
