import { setTimeout } from 'node:timers/promises'

/** Resolves after `ms`, or as soon as `stop` is aborted. */
export async function sleep(ms: number, stop?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal: stop }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
}
