import type { Service } from '../../local-services/service.ts'
import { Keeper } from './keeper.ts'

export interface Plan<T> {
  /** Folder of the pid files. */
  run: string
  /** Started in parallel; stopped after `programs`, in reverse order. */
  foundation: Service[]
  /** Runs once the foundation serves, before `programs` start. */
  seed(): Promise<T>
  /** Started in parallel; stopped first. */
  programs: Service[]
  log: (line: string) => void
  signal: AbortSignal
}

export interface Supervision<T> {
  seeded: T
  stop: () => Promise<void>
}

/** Starts everything in order, then keeps it alive. On failure or abort, stops what has started. */
export async function supervise<T>(plan: Plan<T>): Promise<Supervision<T>> {
  const { run, log, signal } = plan
  const foundation = plan.foundation.map((service) => new Keeper(service, run, log))
  const programs = plan.programs.map((service) => new Keeper(service, run, log))
  const stop = async () => {
    await Promise.all(programs.map((keeper) => keeper.stop()))
    for (const keeper of foundation.toReversed()) await keeper.stop()
  }
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  aborted.catch(() => undefined)
  const unlessAborted = <R>(work: Promise<R>) => Promise.race([work, aborted])
  try {
    signal.throwIfAborted()
    await unlessAborted(startAll(foundation, log))
    const seeded = await unlessAborted(plan.seed())
    await unlessAborted(startAll(programs, log))
    return { seeded, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAll(keepers: Keeper[], log: (line: string) => void): Promise<void> {
  await Promise.all(
    keepers.map(async (keeper) => {
      const started = Date.now()
      await keeper.start()
      log(`${keeper.service.name.padEnd(8)} ready after ${((Date.now() - started) / 1000).toFixed(1)} s`)
    }),
  )
}
