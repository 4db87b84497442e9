import { createContext } from 'preact'

/** What the app said of a thing, such as a client, the last time it was asked about it. */
export interface KnownThing {
  /** Undefined where the app said none. */
  readonly name: string | undefined
  /** What helps to recognise it, each with its label. */
  readonly facts: readonly string[]
  readonly at: Date
}

/** By what `placeIn` makes of a kind and an id. */
export type KnownThings = ReadonlyMap<string, KnownThing>

export const nothingKnown: KnownThings = new Map()

/** For the fields of a page: what their ids stand for. */
export const Known = createContext(nothingKnown)

export function placeIn(kind: string, id: string): string {
  return `${kind} ${id}`
}

export function thingOf(things: KnownThings, kinds: readonly string[], id: string): KnownThing | undefined {
  return kinds.map((kind) => things.get(placeIn(kind, id))).find((thing) => thing !== undefined)
}
