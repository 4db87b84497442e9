import type { Context } from '../../core/context.ts'
import type { ExpectedEnding } from '../../core/calls/endings.ts'
import { runOver } from '../../core/temporal/call-runs.ts'
import { sleep } from '../../core/sleep.ts'
import { isFinal } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'
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

/** How long the database's word is waited for alone, in ms: most calls end within it, and the engine need not be asked at all. */
const alone = 1_000
/** When neither database nor engine has a word, the row is read every so many ms. */
const lookAgain = 250

/**
 * The call's row, as `read` gives it, when the call is final, the time is over, or the API shuts down. `ending` was expected before the
 * call was started, or before its row was read.
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

/** How long an answer waits at most for what is looked up for the person, in ms. Source: contract, "Preview". */
const longestPreview = 3_000

/** The row of a call that waits for its person, once what they are to be shown has been looked up, or the call ended over it. */
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
