import { errorName } from '../../../core/error-labels.ts'

/** The browser is gone; the message is our own, so it is safe to log. */
export class Lost extends Error {}

/** Playwright's name of the operation, and the network error: pages cannot influence either. */
const asked = /^((?:browser|browserType|browserContext|page|frame|screencast|apiRequestContext)\.[a-zA-Z]{1,40}): /
const network = /\bnet::(ERR_[A-Z_]{1,60})\b/

/**
 * Why a browser was lost, for logs: `page.goto: ERR_TIMED_OUT`. Leaves out the rest of the message,
 * which may quote what the user typed.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Lost) return error.message
  const message = error instanceof Error ? error.message : ''
  const what = asked.exec(message)?.[1]
  const how = network.exec(message)?.[1] ?? errorName(error)
  return what === undefined ? how : `${what}: ${how}`
}
