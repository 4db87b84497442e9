import { randomFillSync } from 'node:crypto'
import { monotonicFactory, ulid } from 'ulid'

/** Random bytes that wait to be used, each once. */
const waiting = new Uint8Array(4_096)
let used = waiting.length

/** Less than 1, of one random byte. The package asks for each of the 16 characters of an id by itself, and each time the system. */
function random(): number {
  if (used === waiting.length) {
    randomFillSync(waiting)
    used = 0
  }
  return (waiting[used++] ?? 0) / 256
}

export const newUlid = (): string => ulid(undefined, random)

/** ULIDs in their order, also those of one millisecond and after the clock was set back. */
export const ulidsInOrder = (): (() => string) => monotonicFactory(random)
