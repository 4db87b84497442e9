import type { Context } from '../context.ts'
import { after } from './deadline.ts'

/** Whether the last health check of the engine succeeded. */
export function engineIsUp(ctx: Pick<Context, 'engine'>): boolean {
  return ctx.engine.up
}

/** Checks the engine's health every second until stopped. */
export function watchEngine(ctx: Context): () => void {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const check = async (): Promise<void> => {
    const up = await Promise.race([
      ctx.temporal.connection
        .withDeadline(Date.now() + 2_000, () =>
          ctx.temporal.workflowService.describeNamespace({ namespace: ctx.config.temporalNamespace }),
        )
        .then(
          () => true,
          () => false,
        ),
      after(2_500).then(() => false),
    ])
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
