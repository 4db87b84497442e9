import type { CountedCalls } from '../../core/credits/usage-days.ts'
import { callStatuses } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'
import { statusWords } from '../parts/dashboard.tsx'
import type { Series } from '../parts/plot.tsx'

const dayMs = 86_400_000
/** Days in the chart; the totals cover the last seven. */
export const shownDays = 14
const summed = 7
const shownApps = 6

/** An app's calls on those days. */
export interface AppDays {
  readonly app: string
  readonly calls: number
  readonly credits: number
  readonly series: readonly Series[]
}

/** Outcomes of the owner's recent calls, by UTC day. */
export interface LatelyDays {
  readonly days: readonly Date[]
  readonly series: readonly Series[]
  /** The busiest apps, and the number of others. */
  readonly apps: readonly AppDays[]
  readonly otherApps: number
  /** The last seven days. */
  readonly week: Readonly<Record<'all' | CallStatus, number>> & { readonly uncertain: number; readonly credits: number }
}

/** Start of the first UTC day shown; `now` is in the last. */
export function firstDay(now: number): Date {
  return new Date((Math.floor(now / dayMs) - shownDays + 1) * dayMs)
}

export function latelyOf(counted: readonly CountedCalls[], first: Date): LatelyDays {
  const days = Array.from({ length: shownDays }, (_, at) => new Date(first.getTime() + at * dayMs))
  const names = days.map((day) => day.toISOString().slice(0, 10))
  const seriesOf = (rows: readonly CountedCalls[]): readonly Series[] =>
    callStatuses
      .map((status) => {
        const own = rows.filter((row) => row.status === status)
        const values = names.map((day) =>
          sumOf(
            own.filter((row) => row.day === day),
            'count',
          ),
        )
        return { id: status, label: statusWords[status], values }
      })
      .filter(({ values }) => values.some((count) => count > 0))
  const apps = [...Map.groupBy(counted, ({ app }) => app)]
    .map(([app, rows]) => ({ app, calls: sumOf(rows, 'count'), credits: sumOf(rows, 'credits'), rows }))
    .toSorted((a, b) => b.calls - a.calls || (a.app < b.app ? -1 : 1))
  const week = counted.filter(({ day }) => names.indexOf(day) >= shownDays - summed)
  const ended = callStatuses.map((status) => [
    status,
    sumOf(
      week.filter((row) => row.status === status),
      'count',
    ),
  ])
  return {
    days,
    series: seriesOf(counted),
    apps: apps.slice(0, shownApps).map(({ rows, ...app }) => ({ ...app, series: seriesOf(rows) })),
    otherApps: Math.max(0, apps.length - shownApps),
    week: {
      ...(Object.fromEntries(ended) as Record<CallStatus, number>),
      all: sumOf(week, 'count'),
      uncertain: sumOf(week, 'unresolved'),
      credits: sumOf(week, 'credits'),
    },
  }
}

function sumOf(rows: readonly CountedCalls[], what: 'count' | 'credits' | 'unresolved'): number {
  return rows.reduce((sum, row) => sum + row[what], 0)
}
