import type { Logger } from 'pino'
import { sleep } from './sleep.ts'

export interface RetryPolicy {
  /** Whether the error is retryable; others are thrown. */
  readonly while: (error: unknown) => boolean
  /** Delay before the first retry, in ms; doubles up to `maxDelay`, else stays constant. */
  readonly delay: number
  readonly maxDelay?: number
  /** Errors after this deadline (ms since the epoch) are thrown. */
  readonly until?: number
  readonly onRetry?: (error: unknown) => void
}

/** Retries `work` until it succeeds or the policy gives up. */
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

/** Retry policy for a dependency that may start later than this process. */
export function waitingFor(what: string, log: Logger, curable: RetryPolicy['while'] = () => true): RetryPolicy {
  const onRetry = (error: unknown): void => log.warn({ err: error }, `waiting for the ${what}`)
  return { while: curable, delay: 100, maxDelay: 1_000, onRetry }
}

/** Runs `work` repeatedly until `stop` is aborted, whether it succeeds or fails. */
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
