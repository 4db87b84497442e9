import { createHash } from 'node:crypto'

/** A number from 0 to 2³²-1 that depends on the text alone. */
export function hash32(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

/** Deterministic randomness for seeds (mulberry32). */
export class Random {
  #state: number

  constructor(seed: string) {
    this.#state = hash32(seed)
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)]
    if (item === undefined) throw new RangeError('Nothing to pick from.')
    return item
  }

  /** `size` different items, in random order. */
  some<T>(items: readonly T[], size: number): T[] {
    const rest = [...items]
    const chosen: T[] = []
    while (chosen.length < size && rest.length > 0) chosen.push(...rest.splice(this.between(0, rest.length - 1), 1))
    return chosen
  }
}
