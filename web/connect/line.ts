/** Places for a few at once; who finds none waits in line, in the order of coming, and hears of the place there whenever it changes. */
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

  /** Resolves once there is a place for them, or they have left the line. */
  async enter(who: Who, tell: (place: number) => void): Promise<void> {
    if (this.#waiting.size === 0 && this.#inside.size < this.#places) return void this.#inside.add(who)
    return new Promise((enter) => {
      this.#waiting.set(who, { enter, tell })
      tell(this.#waiting.size)
    })
  }

  /** Gives the place back, or the one in line. Once more does nothing. */
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

  /** Says it again to all: a connection on which nothing goes for a minute is closed by many a proxy. */
  tellAll(): void {
    let place = 0
    for (const { tell } of this.#waiting.values()) tell(++place)
  }
}
