/**
 * A fair queue: one step per lane at a time, lanes in turns. A lane is an added connector, or an
 * account of a built-in app, so many calls of one lane delay only each other.
 */
export class Lanes<S> {
  readonly #lanes = new Map<string, Lane<S>>()

  /** Number of its queued steps. */
  waiting(key: string): number {
    return this.#lanes.get(key)?.steps.length ?? 0
  }

  add(key: string, step: S): void {
    const lane = this.#lanes.get(key) ?? { steps: [], isBusy: false, restsUntil: 0 }
    lane.steps.push(step)
    this.#lanes.set(key, lane)
  }

  /** The next step that `fits`; its lane is busy until `done`. */
  next(fits: (step: S) => boolean): S | undefined {
    for (const [key, lane] of this.#lanes) {
      if (lane.isBusy) continue
      const at = lane.steps.findIndex(fits)
      const [step] = at < 0 ? [] : lane.steps.splice(at, 1)
      if (step === undefined) continue
      lane.isBusy = true
      // To the back: it had its turn.
      this.#lanes.delete(key)
      this.#lanes.set(key, lane)
      return step
    }
    return undefined
  }

  done(key: string): void {
    const lane = this.#lanes.get(key)
    if (lane === undefined) return
    lane.isBusy = false
    this.#forget(key, lane)
  }

  /** Removes and returns the matching steps. */
  drop(key: string, isOne: (step: S) => boolean): readonly S[] {
    const lane = this.#lanes.get(key)
    if (lane === undefined) return []
    const dropped = lane.steps.filter(isOne)
    lane.steps = lane.steps.filter((step) => !isOne(step))
    return dropped
  }

  has(fits: (step: S) => boolean): boolean {
    return [...this.#lanes.values()].some(({ steps, isBusy }) => !isBusy && steps.some(fits))
  }

  /** Removes and returns all queued steps. */
  clear(): readonly S[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.steps.splice(0))
  }

  rest(key: string, ms: number): void {
    const lane = this.#lanes.get(key) ?? { steps: [], isBusy: false, restsUntil: 0 }
    lane.restsUntil = performance.now() + ms
    this.#lanes.set(key, lane)
    setTimeout(() => this.#forget(key, lane), ms + 1).unref()
  }

  rests(key: string): boolean {
    return (this.#lanes.get(key)?.restsUntil ?? 0) > performance.now()
  }

  /** Deletes a lane without any state left. */
  #forget(key: string, { steps, isBusy, restsUntil }: Lane<S>): void {
    if (!isBusy && steps.length === 0 && restsUntil < performance.now()) this.#lanes.delete(key)
  }
}

interface Lane<S> {
  steps: S[]
  isBusy: boolean
  /** By `performance.now`. */
  restsUntil: number
}
