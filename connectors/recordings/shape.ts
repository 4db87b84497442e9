import { isFields } from '../kit/wire.ts'

/**
 * Type at a place of an output: `null`, `text`, `number`, `yes or no`, `list`, `empty list`,
 * `object`, or `nothing` if absent.
 */
type Sort = string

/** Place → types over all entries: `$.items[*].name` → text. It contains no values. */
export type Shape = ReadonlyMap<string, ReadonlySet<Sort>>

/** The combined shape of several outputs. */
export function shapeOf(...outputs: readonly unknown[]): Shape {
  const shape = new Map<string, Set<Sort>>()
  const at = (place: string): Set<Sort> => {
    const found = shape.get(place) ?? new Set()
    shape.set(place, found)
    return found
  }
  const walk = (value: unknown, place: string): void => {
    at(place).add(sortOf(value))
    if (Array.isArray(value)) walkAll(value, `${place}[*]`)
    else if (isFields(value)) for (const [name, inner] of Object.entries(value)) walk(inner, `${place}.${name}`)
  }
  const walkAll = (entries: readonly unknown[], place: string): void => {
    for (const entry of entries) walk(entry, place)
    const names = new Set(entries.flatMap((entry) => (isFields(entry) ? Object.keys(entry) : [])))
    for (const name of names)
      if (entries.some((entry) => isFields(entry) && !Object.hasOwn(entry, name))) at(`${place}.${name}`).add('nothing')
  }
  for (const output of outputs) walk(output, '$')
  return shape
}

function sortOf(value: unknown): Sort {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : 'list'
  return { string: 'text', number: 'number', boolean: 'yes or no' }[typeof value as string] ?? 'object'
}

const isAbsent = (sort: Sort): boolean => sort === 'null' || sort === 'nothing'

export interface Difference {
  readonly place: string
  /** `gone`: the value is missing; `empty`: a list lost all entries; `type`: the type changed. */
  readonly kind: 'gone' | 'empty' | 'type'
  /** For display: `was text, is null`. */
  readonly words: string
}

/** What `is` lacks or has with another type, except for new places and those in empty lists. */
export function differencesOf(was: Shape, is: Shape): readonly Difference[] {
  const found: Difference[] = []
  for (const [place, before] of was) {
    const now = is.get(place)
    const difference = now === undefined ? goneAt(place, before, is) : changed(place, before, now)
    if (difference) found.push(difference)
  }
  return found
}

function changed(place: string, before: ReadonlySet<Sort>, now: ReadonlySet<Sort>): Difference | undefined {
  const words = `was ${inWords(before)}, is ${inWords(now)}`
  const [had, has] = [solid(before), solid(now)]
  if (had.length === 0) return undefined
  // A value that was missing at times may be missing.
  if (has.length === 0) return had.length < before.size ? undefined : { place, kind: 'gone', words }
  if (before.has('list') && !before.has('empty list') && now.size === 1 && now.has('empty list'))
    return { place, kind: 'empty', words }
  const plain = (sorts: readonly Sort[]) => sorts.map((sort) => sort.replace('empty ', ''))
  return plain(has).every((sort) => plain(had).includes(sort)) ? undefined : { place, kind: 'type', words }
}

/** Not reported where the list or object around it is gone: that is reported itself. */
function goneAt(place: string, before: ReadonlySet<Sort>, is: Shape): Difference | undefined {
  const around = place.replace(/(?:\[\*\]|\.[^.[]*)$/, '')
  const isThere = is.get(around)?.has(place.endsWith('[*]') ? 'list' : 'object') === true
  if (!isThere || [...before].some(isAbsent)) return undefined
  return { place, kind: 'gone', words: `was ${inWords(before)}, is not there` }
}

const solid = (sorts: ReadonlySet<Sort>): readonly Sort[] => [...sorts].filter((sort) => !isAbsent(sort))

const inWords = (sorts: ReadonlySet<Sort>): string => [...sorts].toSorted().join(' or ')
