import { createContext } from 'preact'

/** What the app last said about an entity, such as a client. */
export interface KnownThing {
  /** Undefined if the app gave none. */
  readonly name: string | undefined
  /** Distinguishing facts, each with its label. */
  readonly facts: readonly string[]
  readonly at: Date
}

/** Keyed by `placeIn(kind, id)`. */
export type KnownThings = ReadonlyMap<string, KnownThing>

export const nothingKnown: KnownThings = new Map()

/** Known entities, for the fields of a page. */
export const Known = createContext(nothingKnown)

export function placeIn(kind: string, id: string): string {
  return `${kind} ${id}`
}

export function thingOf(things: KnownThings, kinds: readonly string[], id: string): KnownThing | undefined {
  return kinds.map((kind) => things.get(placeIn(kind, id))).find((thing) => thing !== undefined)
}
