import type { Context } from '../context.ts'
import { after } from './deadline.ts'
import { grpc, grpcCode } from './grpc.ts'

/** Whether Temporal answers its health checks. */
export function engineIsUp(ctx: Pick<Context, 'engine'>): boolean {
  return ctx.engine.up
}

/**
 * Checks Temporal's health every second until stopped. A refused check counts at once; a late one
 * only if the next is late too, since Temporal or this process may be busy for a moment.
 */
export function watchEngine(ctx: Context): () => void {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let wasLate = false
  const check = async (): Promise<void> => {
    const found = await Promise.race([
      ctx.temporal.connection
        .withDeadline(Date.now() + 2_000, () =>
          ctx.temporal.workflowService.describeNamespace({ namespace: ctx.config.temporalNamespace }),
        )
        .then(
          () => 'up' as const,
          (error: unknown) => (grpcCode(error) === grpc.deadlineExceeded ? 'late' : 'away'),
        ),
      after(2_500).then(() => 'late' as const),
    ])
    const up = found === 'up' || (found === 'late' && !wasLate && ctx.engine.up)
    wasLate = found === 'late'
    if (up !== ctx.engine.up) ctx.log.warn({ up }, up ? 'the engine is back' : 'the engine is away')
    if (!up && ctx.engine.up) ctx.engine.losses++
    ctx.engine.up = up
    if (!stopped) timer = setTimeout(() => void check(), 1_000)
  }
  void check()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
