/** A path in a JSON value, from the outside in: field names and array indexes. */
export type Place = readonly (string | number)[]

/** A difference between two JSON values; undefined: absent. */
export interface Difference {
  readonly place: Place
  readonly before: unknown
  readonly after: unknown
}

/** Every path where `after` differs from `before`, as deep as both have the same shape. */
export function differences(before: unknown, after: unknown, place: Place = []): Difference[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, at) => differences(before[at], after[at], [...place, at])).flat()
  }
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => differences(fieldOf(before, name), fieldOf(after, name), [...place, name]))
  }
  return before === after ? [] : [{ place, before, after }]
}

/** A path as JSONPath (RFC 9535): `$.items[0].price`; names that are no identifiers in brackets. */
export function jsonPath(place: Place): string {
  return place.reduce<string>((path, step) => `${path}${typeof step === 'number' ? `[${step}]` : member(step)}`, '$')
}

const member = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replaceAll(/[\\']/g, (one) => `\\${one}`)}']`

type JsonObject = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldOf(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
