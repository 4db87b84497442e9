import { isFields } from '../kit/wire.ts'

/** Field names, and `*` for each entry of a list. */
export type JsonPath = readonly string[]

/** Paths of all fields, outer ones first; list entries share one path. */
export function pathsIn(value: unknown): readonly JsonPath[] {
  const found = new Map<string, JsonPath>()
  const walk = (at: unknown, path: JsonPath): void => {
    if (Array.isArray(at)) for (const entry of at) walk(entry, [...path, '*'])
    else if (isFields(at))
      for (const [name, inner] of Object.entries(at)) {
        const own = [...path, name]
        found.set(JSON.stringify(own), own)
        walk(inner, own)
      }
  }
  walk(value, [])
  return [...found.values()].toSorted((a, b) => a.length - b.length)
}

/** A copy without this field, in every entry of lists along the path. */
export function withoutPath(value: unknown, [name, ...rest]: JsonPath): unknown {
  if (name === undefined) return value
  if (Array.isArray(value)) return name === '*' ? value.map((entry) => withoutPath(entry, rest)) : value
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([own, inner]) => {
      if (own !== name) return [[own, inner]]
      return rest.length === 0 ? [] : [[own, withoutPath(inner, rest)]]
    }),
  )
}

/** For display: `$.items[*].title`. */
export function pathText(path: JsonPath): string {
  return `$${path.map((name) => (name === '*' ? '[*]' : `.${name}`)).join('')}`
}
