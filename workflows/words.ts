import type { CallEnd } from '../schemas/call.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** What the Temporal UI shows of a call: ids and codes only. Timestamps are ms since the epoch. */
export const words = {
  deciding: (until: number, { round = 1, needsSignIn = false } = {}): string =>
    [
      ...(needsSignIn ? ['waits for its owner to sign in to the app again, then'] : ['waits']),
      `for its owner's approval until ${timestamp(until)}`,
      ...(round > 1 ? [`(asked ${round} times)`] : []),
    ].join(' '),
  sending: (attempt: number): string => `attempt ${attempt + 1}: queued for the app, or being sent`,
  blocked: (until: number): string => `blocked by the app, next attempt ${timestamp(until)}`,
  rate_limited: (until: number): string => `told by the app to slow down, next attempt ${timestamp(until)}`,
  reconnect: (until: number, code: string): string =>
    `waits for its owner to sign in to the app again (${code}) until ${timestamp(until)}`,
  ended: ({ status, code }: CallEnd): string => (code === undefined ? status : `${status}: ${code}`),
}

/** `29 Nov 12:04 UTC`: the history must be the same wherever it is replayed. */
function timestamp(at: number): string {
  const date = new Date(at)
  const pad = (part: number): string => String(part).padStart(2, '0')
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())} UTC`
}
