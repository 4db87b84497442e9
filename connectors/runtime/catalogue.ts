import type { App, Apps } from './app.ts'
import type { BrokenApp } from './load.ts'

/** The apps of a process: built-in ones, and those that operators add and remove at run time. */
export class Catalogue implements Apps {
  readonly #builtIn: ReadonlySet<string>
  readonly #bySlug: Map<string, App>
  readonly #broken: Map<string, BrokenApp>
  #all: readonly App[]

  constructor(builtIn: ReadonlyMap<string, App>, broken: ReadonlyMap<string, BrokenApp>) {
    this.#builtIn = new Set([...builtIn.keys(), ...broken.keys()])
    this.#bySlug = new Map(builtIn)
    this.#broken = new Map(broken)
    this.#all = [...builtIn.values()]
  }

  get all(): readonly App[] {
    return this.#all
  }

  get broken(): ReadonlyMap<string, BrokenApp> {
    return this.#broken
  }

  get(slug: string): App | undefined {
    return this.#bySlug.get(slug)
  }

  /** Whether the name belongs to a built-in app, which cannot be replaced. */
  isBuiltIn(slug: string): boolean {
    return this.#builtIn.has(slug)
  }

  /** Replaces what is registered under this slug. */
  put(one: App | BrokenApp): void {
    if (this.isBuiltIn(one.slug)) throw new Error(`${one.slug} is built in`)
    this.#forget(one.slug)
    if ('problem' in one) this.#broken.set(one.slug, one)
    else this.#bySlug.set(one.slug, one)
    this.#all = [...this.#bySlug.values()]
  }

  remove(slug: string): void {
    if (this.isBuiltIn(slug)) throw new Error(`${slug} is built in`)
    this.#forget(slug)
    this.#all = [...this.#bySlug.values()]
  }

  #forget(slug: string): void {
    this.#bySlug.delete(slug)
    this.#broken.delete(slug)
  }
}
