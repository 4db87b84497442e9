import { isFields } from '../../connectors/kit/wire.ts'

/** A part that was left out: items of a list, fields of an object or characters, from `from` on. */
export interface LeftOut {
  /** Where in the whole value: names and indexes, with dots between; '' is all of it. */
  readonly at: string
  readonly from: number
  /** How many it has in total. */
  readonly of: number
}

export interface Fitted {
  readonly value: unknown
  readonly leftOut: readonly LeftOut[]
}

/** The room for a value. */
export interface Room {
  /** As sizeOf counts. */
  readonly room: number
  /** How many left-out fields of one object may be named. */
  readonly named: number
  /** Where the value is in the whole. */
  readonly at: string
}

/**
 * Size of a value as JSON, in bytes of ordinary text, of which about four make a token. A digit
 * counts as three, as ids and times take more tokens than words. Over lists of the built-in apps
 * that gives 3.4 to 4.5 to a token; bytes alone give 2.2 to 3.8.
 */
export function sizeOf(value: unknown): number {
  const json = JSON.stringify(value) ?? ''
  let digits = 0
  for (let at = 0; at < json.length; at++) if (isDigit(json.charCodeAt(at))) digits++
  return Buffer.byteLength(json) + 2 * digits
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** As sizeOf counts: nothing worth reading fits into less. */
const least = 100

/**
 * As much of a value as fits, cut between items, fields and values only. An object keeps its small
 * fields, if few enough are left out to name each, else its first ones. A text stays or goes.
 */
export function fit(value: unknown, { room, named, at }: Room): Fitted {
  if (sizeOf(value) <= room) return { value, leftOut: [] }
  const here = { room, named, at }
  if (room >= least && Array.isArray(value)) return window(value, here, 0)
  if (room >= least && isFields(value)) return smallFirst(value, here) ?? window(value, here, 0)
  return { value: undefined, leftOut: [{ at, from: 0, of: countOf(value) }] }
}

/** The same from the item, field or character `from` on. Here a text is cut, between characters. */
export function window(value: unknown, here: Room, from: number): Fitted {
  if (Array.isArray(value)) {
    const entries = value.map((item, place) => [String(place), item] as const)
    const { shown, leftOut } = firstEntries(entries, here, from)
    return { value: shown.map(([, item]) => item ?? null), leftOut }
  }
  if (isFields(value)) {
    const { shown, leftOut } = firstEntries(Object.entries(value), here, from)
    return { value: Object.fromEntries(shown), leftOut }
  }
  if (typeof value !== 'string') return { value, leftOut: [] }
  const end = from + charactersWithin(value.slice(from), here.room)
  const rest = { at: here.at, from: end, of: value.length }
  return { value: value.slice(from, end), leftOut: end < value.length ? [rest] : [] }
}

/** How many items, fields or characters a value has. */
export function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return isFields(value) ? Object.keys(value).length : String(value).length
}

/** The value at a path as in `LeftOut`. Undefined: there is none. */
export function valueAt(value: unknown, at: string): unknown {
  if (at === '') return value
  if (typeof value !== 'object' || value === null) return undefined
  // A name may contain dots.
  for (const [name, item] of Object.entries(value)) {
    const rest = at === name ? '' : at.startsWith(`${name}.`) ? at.slice(name.length + 1) : undefined
    const found = rest === undefined ? undefined : valueAt(item, rest)
    if (found !== undefined) return found
  }
  return undefined
}

type Entry = readonly [name: string, value: unknown]

/** Undefined if too many fields would have to be named. */
function smallFirst(value: Readonly<Record<string, unknown>>, { room, named, at }: Room): Fitted | undefined {
  const sized = Object.entries(value).map((entry) => ({ entry, size: entrySize(entry) }))
  const bySize = sized.toSorted((a, b) => a.size - b.size)
  let left = room - brackets
  const whole = bySize.findIndex(({ size }) => (left -= size) < 0)
  const [cut, ...others] = bySize.slice(whole)
  left += cut?.size ?? 0
  if (cut === undefined || others.length >= named) return undefined
  const [name, item] = cut.entry
  const inner = fit(item, { room: left - nameSize(name), named, at: below(at, name) })
  const kept = new Map([...bySize.slice(0, whole).map(({ entry }) => entry), [name, inner.value] as const])
  const shown = sized.flatMap(({ entry: [key] }) => (kept.get(key) === undefined ? [] : [[key, kept.get(key)]]))
  const rest = others.map(({ entry: [key, other] }) => ({ at: below(at, key), from: 0, of: countOf(other) }))
  return { value: Object.fromEntries(shown) as object, leftOut: [...inner.leftOut, ...rest] }
}

/** The entries from `from` on that fit; if not even the first does, as much of it as fits. */
function firstEntries(entries: readonly Entry[], { room, named, at }: Room, from: number) {
  let left = room - brackets
  const rest = entries.slice(from)
  const beyond = rest.findIndex((entry) => (left -= entrySize(entry)) < 0)
  if (beyond === -1) return { shown: rest, leftOut: [] }
  const after = (next: number): LeftOut[] => (next < entries.length ? [{ at, from: next, of: entries.length }] : [])
  if (beyond > 0) return { shown: rest.slice(0, beyond), leftOut: after(from + beyond) }
  const [[name, item]] = rest as [Entry]
  const inner = fit(item, { room: room - brackets - nameSize(name), named, at: below(at, name) })
  return { shown: [[name, inner.value] as Entry], leftOut: [...inner.leftOut, ...after(from + 1)] }
}

/** Whole characters: none is cut in two. */
function charactersWithin(text: string, room: number): number {
  let left = room - brackets
  let end = 0
  for (const character of text) {
    left -= sizeOf(character) - brackets
    // At least one, so that a reader who continues reaches the end.
    if (left < 0 && end > 0) return end
    end += character.length
  }
  return end
}

/** `[]`, `{}` or `""`. */
const brackets = 2
/** With colon and comma. Items of lists have no names, so they count a little too much. */
const nameSize = (name: string): number => sizeOf(name) + 2
const entrySize = ([name, value]: Entry): number => nameSize(name) + sizeOf(value ?? null)
const below = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)
