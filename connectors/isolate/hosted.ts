import type { ConnectorSpec } from '../kit/define.ts'
import { isFields } from '../kit/wire.ts'
import { BadBundle } from './failed.ts'
import { hostSchema } from './host-schema.ts'
import { checkPlain } from './plain.ts'

/** In characters: above what a connector with 300 endpoints declares. */
const longest = 4 * 1024 * 1024
const deepest = 64
const mostFunctions = 5000
/** Names with a special meaning in JavaScript, refused at any depth. */
const refused = ['__proto__', 'constructor', 'prototype']
/** The language itself would call a function with one of these names. */
const calledUnasked: ReadonlySet<unknown> = new Set(['then', 'toJSON', 'toString', 'valueOf', 'toLocaleString'])

/** Path of a function within the connector. */
export type Place = readonly (string | number)[]

/** Makes the host function that calls the connector's function with this number. */
export type StandIn = (index: number, place: Place) => (...args: unknown[]) => unknown

/** The connector as host-side data; its functions are replaced by proxies. Throws `BadBundle`. */
export function hosted(told: string, standIn: StandIn): ConnectorSpec {
  if (told.length > longest) throw new BadBundle('declares more than is taken')
  const { spec, places }: { spec?: unknown; places?: unknown } = JSON.parse(told) as object
  if (!isFields(spec) || !Array.isArray(places)) throw new BadBundle('has no connector as its default export')
  const problem = checkPlain(spec, { deepest, refused })
  if (problem !== undefined) throw new BadBundle(problem)
  if (places.length > mostFunctions) throw new BadBundle('has too many functions')
  const made = withSchemas(spec)
  for (const [index, place] of places.entries()) put(made, place as Place, standIn(index, place as Place))
  return made as unknown as ConnectorSpec
}

function put(spec: Record<string, unknown>, place: Place, value: unknown): void {
  const holder = place.slice(0, -1).reduce<unknown>((at, step) => (Object(at) as Record<string, unknown>)[step], spec)
  const name = String(place.at(-1))
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name) || calledUnasked.has(name))
    throw new BadBundle(`has a function at ${place.join('.').slice(0, 100)}, where none can be`)
  ;(holder as Record<string, unknown>)[name] = value
}

/** The spec with its endpoints' schemas as host schemas. */
function withSchemas(spec: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const files: readonly unknown[] = Array.isArray(spec['endpoints']) ? spec['endpoints'] : []
  return { ...spec, endpoints: files.map(ofFile) }
}

function ofFile(file: unknown): unknown {
  if (!isFields(file)) throw new BadBundle('has endpoints that are no file of such')
  return Object.fromEntries(Object.entries(file).map(([name, one]) => [name, ofEndpoint(name, one)]))
}

function ofEndpoint(name: string, definition: unknown): unknown {
  if (!isFields(definition)) throw new BadBundle(`exports ${name} beside the endpoints, which is none`)
  const [input, output] = (['input', 'output'] as const).map((side) => hostSchema(definition[side], `${name}: ${side}`))
  return { ...definition, input, output }
}
