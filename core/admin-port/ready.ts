import type { Context } from '../context.ts'
import { engineIsUp } from '../temporal/health.ts'

/** What /readyz says. */
export interface Readiness {
  readonly database: boolean
  readonly engine: boolean
  readonly draining: boolean
}

/**
 * What a process has, and whether it is of use. Without the engine an API process still reads, shows, takes decisions, and refuses new calls
 * with 503, and no other process could do more: its database decides, and whether it was told to stop.
 */
export async function readiness(
  ctx: Pick<Context, 'db' | 'engine'>,
  leaving: AbortSignal,
): Promise<{ readonly status: 200 | 503; readonly checks: Readiness }> {
  const checks = { database: await databaseAnswers(ctx), engine: engineIsUp(ctx), draining: leaving.aborted }
  return { status: checks.database && !checks.draining ? 200 : 503, checks }
}

async function databaseAnswers({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const asked = db.query('SELECT 1').then(
    () => true,
    () => false,
  )
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), 1_000).unref())
  return Promise.race([asked, late])
}
