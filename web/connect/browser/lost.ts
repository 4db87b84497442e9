import { errorName } from '../../../core/error-labels.ts'

/** The browser is gone, in words of ours. */
export class Lost extends Error {}

/** What Playwright calls what it was asked for, and what the network came to: neither is of a page's making. */
const asked = /^((?:browser|browserType|browserContext|page|frame|screencast|apiRequestContext)\.[a-zA-Z]{1,40}): /
const network = /\bnet::(ERR_[A-Z_]{1,60})\b/

/** Why a browser was lost, for a log: `page.goto: ERR_TIMED_OUT`. What else it says of itself may quote what was typed, and is left out. */
export function reasonOf(error: unknown): string {
  if (error instanceof Lost) return error.message
  const message = error instanceof Error ? error.message : ''
  const what = asked.exec(message)?.[1]
  const how = network.exec(message)?.[1] ?? errorName(error)
  return what === undefined ? how : `${what}: ${how}`
}
