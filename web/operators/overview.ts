import { appStates, auditOfOperators, countStuck } from '../../core/operators/rows.ts'
import { lateChores } from '../../core/sweep/chores.ts'
import { engineIsUp } from '../../core/temporal/health.ts'
import { queueStates } from '../../core/temporal/queue-states.ts'
import { listSecurityLog, securityKinds, securityToday } from '../../core/security-log.ts'
import { replyPage } from '../reply.ts'
import { LogPage } from './log-page.tsx'
import { OverviewPage } from './overview-page.tsx'
import { SecurityPage } from './security-page.tsx'
import type { Visit } from './visit.ts'

export async function showOverview({ ctx, koa, operator }: Visit): Promise<void> {
  const slugs = ctx.apps.all.map(({ slug }) => slug)
  const [states, queues, stuck, late] = await Promise.all([
    appStates(ctx.db, slugs),
    queueStates(ctx, slugs),
    countStuck(ctx.db),
    lateChores(ctx.db),
  ])
  replyPage(
    koa,
    200,
    OverviewPage({
      operator,
      apps: ctx.apps.all,
      broken: [...ctx.apps.broken.values()],
      states,
      queues,
      stuck,
      late,
      engineUp: engineIsUp(ctx),
      temporalUiUrl: ctx.config.temporalUiUrl,
      guardsUi: ctx.config.temporalUi !== null,
    }),
  )
}

export async function showLog({ ctx, koa, operator }: Visit): Promise<void> {
  const entries = await auditOfOperators(ctx.db, 200)
  replyPage(koa, 200, LogPage({ operator, entries, temporalUiUrl: ctx.config.temporalUiUrl }))
}

export async function showSecurity({ ctx, koa, operator }: Visit): Promise<void> {
  const kind = securityKinds.find((one) => one === koa.URL.searchParams.get('kind'))
  const [entries, today] = await Promise.all([listSecurityLog(ctx.db, 200, kind), securityToday(ctx.db)])
  replyPage(koa, 200, SecurityPage({ operator, entries, today, kind, temporalUiUrl: ctx.config.temporalUiUrl }))
}
