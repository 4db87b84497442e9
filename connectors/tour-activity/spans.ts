import { daysFrom } from '../kit/dates.ts'

/** Today's date in a zone. */
export function todayIn(zone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now)
}

/** Fills in omitted days: from today, to `days` after today or after `from` if later. */
export function spanOf(
  given: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
  days: number,
): { readonly from: string; readonly to: string } {
  const from = given.from ?? today
  const usual = daysFrom(today, days)
  return { from, to: given.to ?? (usual < from ? daysAfter(from, days) : usual) }
}

/** Capped at the end of the year 9999. */
function daysAfter(from: string, days: number): string {
  const day = daysFrom(from, days)
  return day.startsWith('+') ? '9999-12-31' : day
}
