import type { CallRow } from '../activities/db/calls.ts'
import { waitUntilFinal } from '../activities/engine.ts'
import type { Api } from './api.ts'

const longest = 50
const usual = 25

/** `Prefer: wait=N`, at most 50 s; 25 s without one, or when it makes no sense. Source: RFC 7240. */
export function preferredWaitMs(prefer: string): number {
  const found = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(prefer)?.[1]
  return (found === undefined ? usual : Math.min(Number(found), longest)) * 1000
}

/** `?wait=N`; undefined when it is not a whole number of seconds. */
export function queriedWaitMs(wait: string): number | undefined {
  return /^\d{1,9}$/.test(wait) ? Math.min(Number(wait), longest) * 1000 : undefined
}

/** The call's row, as `read` gives it, when the call is final, the time is over, or the API shuts down. */
export async function waitForCall(
  api: Api,
  callId: string,
  ms: number,
  read: () => Promise<CallRow>,
): Promise<CallRow> {
  if (ms === 0 || api.draining.aborted) return read()
  api.metrics.waiting.inc()
  const { promise: drained, resolve } = Promise.withResolvers<void>()
  const stop = (): void => resolve()
  api.draining.addEventListener('abort', stop)
  try {
    return await Promise.race([waitUntilFinal(api.ctx, callId, ms, read), drained.then(read)])
  } finally {
    api.draining.removeEventListener('abort', stop)
    api.metrics.waiting.dec()
  }
}
