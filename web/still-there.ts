import type Koa from 'koa'
import type { Context } from '../core/context.ts'
import { sleep } from '../core/sleep.ts'
import { unavailable } from '../core/http/unavailable.ts'

/** Pages that render within this time, in ms, need no database check. */
const patience = 1_500
/** How long the database may take to answer the check, in ms. */
const mostForAnswer = 2_500

/**
 * Renders a page. A hanging database times out only after 25 s, too long for a user to wait: if it
 * fails a quick check, throw `unavailable` now. GET only: a form's effect would be unknown.
 */
export async function whileThere({ db, log }: Context, koa: Koa.Context, make: () => Promise<void>): Promise<void> {
  if (koa.method !== 'GET') return make()
  const made = make()
  const stop = new AbortController()
  const answered = async (): Promise<boolean> => {
    await sleep(patience, stop.signal)
    if (stop.signal.aborted) return true
    const there = db.query('SELECT 1').then(
      () => true,
      () => false,
    )
    return Promise.race([there, sleep(mostForAnswer).then(() => false)])
  }
  const isThere = await Promise.race([made.then(() => true), answered()]).finally(() => stop.abort())
  if (isThere) return made
  made.catch((error: unknown) => log.warn({ err: error }, 'a page was not made, and its reader was told so before'))
  throw unavailable()
}
