import type { Context } from '../../core/context.ts'
import { callsByApp, callsByDay, decisionsByDay } from '../../core/credits/usage-days.ts'
import type { DecidedDay } from '../../core/credits/usage-days.ts'
import { callStatuses } from '../../schemas/call.ts'
import { statusWords } from '../parts/dashboard.tsx'
import type { Bar } from '../parts/bars.tsx'
import type { Series } from '../parts/plot.tsx'
import { UsagePage } from './plots-page.tsx'
import { replyPage } from '../reply.ts'
import type { Visit } from '../visit.ts'

const dayMs = 86_400_000
const shownDays = 30
const shownApps = 8

/** Charts of the last 30 days. */
export async function showUsage({ ctx, koa, person }: Visit): Promise<void> {
  const today = Math.floor(Date.now() / dayMs)
  const days = Array.from({ length: shownDays }, (_, at) => new Date((today - shownDays + 1 + at) * dayMs))
  const span = { owner: person.owner, from: days[0] ?? new Date(0) }
  const [calls, apps, decided] = await Promise.all([
    callsByDay(ctx.db, span),
    callsByApp(ctx.db, span),
    decisionsByDay(ctx.db, span),
  ])
  replyPage(
    koa,
    200,
    UsagePage({
      viewer: person,
      days,
      statuses: callStatuses
        .map((status) => ({
          id: status,
          label: statusWords[status],
          values: perDay(days, (day) => calls.find((one) => one.day === day && one.status === status)?.count),
        }))
        .filter(({ values }) => values.some((count) => count > 0)),
      apps: busiest(ctx, apps),
      decisions: decisionSeries(days, decided),
      waits: waitSeries(days, decided),
    }),
  )
}

function perDay(days: readonly Date[], value: (day: string) => number | null | undefined): readonly number[] {
  return days.map((day) => value(day.toISOString().slice(0, 10)) ?? 0)
}

function busiest(ctx: Context, apps: readonly { readonly app: string; readonly count: number }[]): readonly Bar[] {
  const rest = apps.slice(shownApps).reduce((sum, { count }) => sum + count, 0)
  const bars = apps.slice(0, shownApps).map(({ app, count }) => ({ label: ctx.apps.get(app)?.name ?? app, count }))
  return rest === 0 ? bars : [...bars, { label: `${apps.length - shownApps} others`, count: rest, rest: true }]
}

const decisions = [
  ['approved', 'approved by you'],
  ['approved_ahead', 'approved in advance'],
  ['rejected', 'rejected'],
  ['expired', 'expired'],
  ['cancelled', 'taken back'],
] as const

function decisionSeries(days: readonly Date[], decided: readonly DecidedDay[]): readonly Series[] {
  return decisions
    .map(([id, label]) => ({
      id: id.replace('_', '-'),
      label,
      values: perDay(days, (day) => decided.find((one) => one.day === day)?.[id]),
    }))
    .filter(({ values }) => values.some((count) => count > 0))
}

function waitSeries(days: readonly Date[], decided: readonly DecidedDay[]): readonly Series[] {
  const of = (id: 'median' | 'p90') => perDay(days, (day) => decided.find((one) => one.day === day)?.[id])
  return [
    { id: 'p90', label: '9 of 10 within', values: of('p90') },
    { id: 'median', label: 'half within', values: of('median') },
  ]
}
