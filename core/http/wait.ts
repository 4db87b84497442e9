import type { Context } from '../context.ts'
import type { ExpectedEnding } from '../calls/endings.ts'
import { runOver } from '../temporal/call-runs.ts'
import { sleep } from '../sleep.ts'
import { isFinal } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'
import type { Api } from './api.ts'

const longest = 50
const usual = 25

/** `Prefer: wait=N` in ms: at most 50 s; 25 s if missing or invalid. Source: RFC 7240. */
export function preferredWaitMs(prefer: string): number {
  const found = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(prefer)?.[1]
  return (found === undefined ? usual : Math.min(Number(found), longest)) * 1000
}

/** `?wait=N` in ms, at most 50 s; undefined if N is not a whole number of seconds. */
export function queriedWaitMs(wait: string): number | undefined {
  return /^\d{1,9}$/.test(wait) ? Math.min(Number(wait), longest) * 1000 : undefined
}

/** Wait (ms) for the database's notification before also asking Temporal; usually enough. */
const alone = 1_000
/** Polling interval of the row, without a notification from the database or Temporal, in ms. */
const lookAgain = 250

/**
 * The call's row once final, timed out or draining. Create `ending` before the start or first read.
 */
export async function waitForCall<Row extends { readonly status: CallStatus }>(
  api: Api,
  ending: ExpectedEnding,
  ms: number,
  read: () => Promise<Row>,
): Promise<Row> {
  if (ms === 0 || api.draining.aborted) return read()
  const patience = new AbortController()
  const stop = (): void => patience.abort()
  const timer = setTimeout(stop, ms)
  api.draining.addEventListener('abort', stop)
  api.metrics.waiting.inc()
  try {
    return await whenFinal(api.ctx, ending, ms, read, patience.signal)
  } finally {
    api.metrics.waiting.dec()
    api.draining.removeEventListener('abort', stop)
    clearTimeout(timer)
    stop()
  }
}

/** Longest wait for a preview, in ms. Source: contract, "Preview". */
const longestPreview = 3_000

/** The row of a call awaiting approval, once its preview is done or ended the call. */
export async function waitForPreview<
  Row extends { readonly status: CallStatus; readonly prepare_at: Date | null; readonly previewed_at: Date | null },
>(api: Api, ending: ExpectedEnding, ms: number, read: () => Promise<Row>): Promise<Row> {
  const until = Date.now() + Math.min(ms, longestPreview)
  let told: Promise<void> | undefined = ending.told
  for (;;) {
    const row = await read()
    const open = row.status === 'awaiting_confirmation' && row.prepare_at !== null && row.previewed_at === null
    const left = until - Date.now()
    if (!open || left <= 0 || api.draining.aborted) return row
    const pause = sleep(Math.min(left, lookAgain), api.draining)
    await Promise.race(told === undefined ? [pause] : [pause, told.then(() => (told = undefined))])
  }
}

async function whenFinal<Row extends { readonly status: CallStatus }>(
  ctx: Context,
  ending: ExpectedEnding,
  ms: number,
  read: () => Promise<Row>,
  patience: AbortSignal,
): Promise<Row> {
  const told = ending.told.then(() => true)
  if (!(await Promise.race([told, sleep(ending.heard ? alone : 0, patience)])))
    await Promise.race([told, runOver(ctx, ending.callId, ms), sleep(ms, patience)])
  for (;;) {
    const row = await read()
    if (isFinal(row.status) || patience.aborted) return row
    await sleep(lookAgain, patience)
  }
}
