import type { Fields } from '../../connectors/kit/wire.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { idsIn } from '../parts/ids.ts'
import { thingOf } from '../parts/things.ts'
import type { KnownThings } from '../parts/things.ts'

const most = 2

/** Reads that show whether a write happened, most reliable first. */
export function readsThatShow(app: App, write: Endpoint): readonly Endpoint[] {
  return readsNamed(
    app,
    write.shownBy.map(({ read }) => read),
  )
}

/** Reads that identify a call's unknown ids; undefined if all are known. */
export function readsThatTell(
  app: App,
  { inputSchema }: Endpoint,
  input: Fields,
  things: KnownThings,
): readonly Endpoint[] | undefined {
  const riddles = idsIn(input, inputSchema).filter(({ kinds, id }) => thingOf(things, kinds, id) === undefined)
  if (riddles.length === 0) return undefined
  const kinds = new Set(riddles.flatMap((one) => one.kinds))
  return readsNamed(
    app,
    [...kinds].flatMap((kind) => (app.things[kind]?.toldBy ?? []).map(({ read }) => read)),
  )
}

/** Input for one of those reads, taken from the call. */
export function inputFor(app: App, write: Endpoint, input: Fields, read: Endpoint): Fields {
  const shown = write.shownBy.find((one) => one.read === read.name)
  if (shown !== undefined) {
    const { from = {}, set = {} } = shown
    const given = Object.entries(from).filter(([, name]) => Object.hasOwn(input, name))
    return { ...Object.fromEntries(given.map(([one, name]) => [one, input[name]])), ...set }
  }
  const ids = idsIn(input, write.inputSchema)
  for (const [kind, { toldBy }] of Object.entries(app.things)) {
    const by = toldBy.find((told) => told.read === read.name)?.by
    const found = ids.find(({ kinds }) => kinds.includes(kind))
    if (by !== undefined && found !== undefined) return { [by]: found.id }
  }
  return {}
}

function readsNamed({ endpoints }: App, names: readonly string[]): readonly Endpoint[] {
  return [...new Set(names)].flatMap((name) => endpoints.get(name) ?? []).slice(0, most)
}
