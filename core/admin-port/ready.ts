import type { Context } from '../context.ts'
import { engineIsUp } from '../temporal/health.ts'

/** Body of /readyz. */
export interface Readiness {
  readonly database: boolean
  readonly engine: boolean
  readonly draining: boolean
}

/**
 * Readiness of a process: the database answers and it is not draining. Temporal does not count:
 * without it an API process still serves reads, pages and decisions and refuses new calls with 503,
 * and no other process could do more.
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
