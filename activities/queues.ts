import type { Worker } from '@temporalio/worker'
import type { Context } from '../core/context.ts'
import { repeat } from '../core/retry.ts'
import type { Stoppable } from '../core/stoppable.ts'

/** Interval between checks of the list of apps (ms). */
const every = 500

interface Running {
  readonly worker: Worker
  /** Resolves when its running tasks have finished. */
  readonly over: Promise<void>
}

/**
 * Keeps one worker per app. That of a removed app finishes its tasks; until then no other of the
 * same name starts. One that fails by itself fails the process: the supervisor starts a new one.
 */
export async function workQueues(
  ctx: Pick<Context, 'apps' | 'log'>,
  create: (slug: string) => Promise<Worker>,
): Promise<Stoppable> {
  const running = new Map<string, Running>()
  const stopped = new AbortController()

  const start = async (slug: string): Promise<void> => {
    const worker = await create(slug)
    const over = worker.run().then(
      () => void running.delete(slug),
      (error: unknown) => {
        process.exitCode = 1
        throw error
      },
    )
    running.set(slug, { worker, over })
  }
  const follow = async (): Promise<void> => {
    const wanted = new Set(ctx.apps.all.map(({ slug }) => slug))
    for (const [slug, { worker }] of running) if (!wanted.has(slug)) shutDown(worker)
    await Promise.all([...wanted].filter((slug) => !running.has(slug)).map(start))
  }

  await follow()
  const following = repeat(follow, {
    every,
    stop: stopped.signal,
    onError: (error) => ctx.log.warn({ err: error }, 'the queue of an app has no worker yet; trying again'),
  })
  return {
    async stop() {
      stopped.abort()
      await following
      const all = [...running.values()]
      for (const { worker } of all) shutDown(worker)
      await Promise.all(all.map(({ over }) => over))
    },
  }
}

function shutDown(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown()
}
