import type Koa from 'koa'
import type { Context } from '../core/context.ts'
import { sleep } from '../core/sleep.ts'
import { unavailable } from '../api/http/unavailable.ts'

/** A page that takes no longer than this, in ms, is made without asking whether the database is there. */
const patience = 1_500
/** And so long the database may take to say that it is. */
const mostForAnswer = 2_500

/**
 * Makes a page. A database that says nothing at all is given up after 25 s only; nobody looks at an empty window for as long: while it does not
 * even answer that it is there, they are told so at once. Only for what is looked at: of a form nobody would know whether it was taken.
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
