import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Repeats until it works; throws an error that waiting does not cure. For what may come up later than this process. */
export async function patiently<T>(
  log: Logger,
  what: string,
  work: () => Promise<T>,
  curable: (error: unknown) => boolean,
): Promise<T> {
  for (let pause = 100; ; pause = Math.min(pause * 2, 1_000)) {
    try {
      return await work()
    } catch (error) {
      if (!curable(error)) throw error
      log.warn({ err: error }, `waiting for the ${what}`)
      await sleep(pause)
    }
  }
}
