import { daysFrom } from '../kit/dates.ts'

/** The day that it is in a zone. */
export function todayIn(zone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now)
}

/** Both days, with what is left out: from today, to so many days from today; or from `from`, where that is later still. */
export function spanOf(
  given: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
  days: number,
): { readonly from: string; readonly to: string } {
  const from = given.from ?? today
  const usual = daysFrom(today, days)
  return { from, to: given.to ?? (usual < from ? daysAfter(from, days) : usual) }
}

/** The calendar ends with the year 9999. */
function daysAfter(from: string, days: number): string {
  const day = daysFrom(from, days)
  return day.startsWith('+') ? '9999-12-31' : day
}
