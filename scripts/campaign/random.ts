/** Mulberry32: a small generator whose whole course follows from the seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1, without it. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** One of the names, as often as their weights say. */
  pick<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) if ((left -= weight) < 0) return name
    return this.of(entries)[0]
  }

  of<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.next() * list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list]
    return Array.from(list, () => left.splice(Math.floor(this.next() * left.length), 1)).flat()
  }
}
