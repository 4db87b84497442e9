import type { Logger } from 'pino'
import { sleep } from './sleep.ts'

export interface RetryPolicy {
  /** Whether another try may cure this error; one that it may not is thrown. */
  readonly while: (error: unknown) => boolean
  /** Before the second try, in ms; doubled for each further one, up to `maxDelay`. Without that it stays. */
  readonly delay: number
  readonly maxDelay?: number
  /** What fails after this moment (ms since the epoch) is thrown. */
  readonly until?: number
  readonly onRetry?: (error: unknown) => void
}

/** Repeats until it works. */
export async function retry<T>(work: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  const { delay: first, maxDelay = first, until = Infinity } = policy
  for (let delay = first; ; delay = Math.min(delay * 2, maxDelay)) {
    try {
      return await work()
    } catch (error) {
      if (!policy.while(error) || Date.now() > until) throw error
      policy.onRetry?.(error)
      await sleep(delay)
    }
  }
}

/** For what may come up later than this process. */
export function waitingFor(what: string, log: Logger, curable: RetryPolicy['while'] = () => true): RetryPolicy {
  const onRetry = (error: unknown): void => log.warn({ err: error }, `waiting for the ${what}`)
  return { while: curable, delay: 100, maxDelay: 1_000, onRetry }
}

/** Does it again and again until `stop` is aborted, whether it works or fails. */
export async function repeat(
  work: () => Promise<void>,
  {
    every,
    stop,
    onError,
  }: { readonly every: number; readonly stop: AbortSignal; readonly onError: (error: unknown) => void },
): Promise<void> {
  while (!stop.aborted) {
    await work().catch((error: unknown) => {
      if (!stop.aborted) onError(error)
    })
    await sleep(every, stop)
  }
}
