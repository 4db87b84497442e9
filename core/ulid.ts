import { randomFillSync } from 'node:crypto'
import { monotonicFactory, ulid } from 'ulid'

/** Buffer of random bytes, each used once. */
const waiting = new Uint8Array(4_096)
let used = waiting.length

/**
 * In [0, 1), from one byte. Buffered: `ulid` wants 16 per id, each with a system call otherwise.
 */
function random(): number {
  if (used === waiting.length) {
    randomFillSync(waiting)
    used = 0
  }
  return (waiting[used++] ?? 0) / 256
}

export const newUlid = (): string => ulid(undefined, random)

/** Monotonic ULIDs, also within one millisecond and after the clock was set back. */
export const ulidsInOrder = (): (() => string) => monotonicFactory(random)
