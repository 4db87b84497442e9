import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after so many ms, or as soon as `stop` is aborted. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
}
