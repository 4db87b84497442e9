/** Limited places with a first-come, first-served queue that reports changes of position. */
export class Line<Who extends object> {
  readonly #places: number
  readonly #inside = new Set<Who>()
  readonly #waiting = new Map<Who, { readonly enter: () => void; readonly tell: (place: number) => void }>()

  constructor(places: number) {
    this.#places = places
  }

  get inside(): number {
    return this.#inside.size
  }

  get waiting(): number {
    return this.#waiting.size
  }

  waits(who: Who): boolean {
    return this.#waiting.has(who)
  }

  /** Resolves once there is a place, or after leave(). */
  async enter(who: Who, tell: (place: number) => void): Promise<void> {
    if (this.#waiting.size === 0 && this.#inside.size < this.#places) return void this.#inside.add(who)
    return new Promise((enter) => {
      this.#waiting.set(who, { enter, tell })
      tell(this.#waiting.size)
    })
  }

  /** Releases a place, or a position in the queue. Idempotent. */
  leave(who: Who): void {
    const left = this.#waiting.get(who)
    this.#waiting.delete(who)
    this.#inside.delete(who)
    left?.enter()
    for (const [next, { enter }] of this.#waiting) {
      if (this.#inside.size >= this.#places) break
      this.#waiting.delete(next)
      this.#inside.add(next)
      enter()
    }
    this.tellAll()
  }

  /** Repeats each position: many proxies close a connection that is silent for a minute. */
  tellAll(): void {
    let place = 0
    for (const { tell } of this.#waiting.values()) tell(++place)
  }
}
