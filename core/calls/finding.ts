import { valueAt, valuesAt } from '../../connectors/runtime/values.ts'
import type { Verify } from '../../connectors/kit/declared.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { ErrorCode } from '../../schemas/errors.ts'

/** The stored result of a verification; none of it decides how the call ended. */
export type Finding =
  /** Matching entities; `things` holds the recognised fields, by path, of the first few. */
  | { readonly kind: 'found'; readonly count: number; readonly things: readonly Fields[] }
  /** Nothing matches, which proves nothing. */
  | { readonly kind: 'nothing' }
  /** The app was not asked or gave no answer; `said`: its own message. */
  | { readonly kind: 'untold'; readonly code: ErrorCode | 'paused'; readonly said?: string }

/** How many entities a finding stores. */
const mostShown = 5
/** How far the app's clock may be behind ours, in ms. */
const clocksApart = 5 * 60_000
const dayMs = 86_400_000

/** Entities in a read's output that this write could have created. `since`: earliest send. */
export function fitting(verify: Verify, input: Fields, output: unknown, since: Date): readonly unknown[] {
  const { at, id } = verify
  return (at === undefined ? [output] : valuesAt(output, at)).filter(
    (one) => (id === undefined || hasId(one, id)) && fits(verify, input, one) && !isOfBefore(verify, one, since),
  )
}

/** The finding for the matching entities in a read's output. */
export function findingOf(verify: Verify, input: Fields, output: unknown, since: Date): Finding {
  const found = fitting(verify, input, output, since)
  if (found.length === 0) return { kind: 'nothing' }
  const things = found.slice(0, mostShown).map((one) => told(verify, one))
  return { kind: 'found', count: found.length, things }
}

/** The input of the verification read; fields that the write omitted stay omitted. */
export function inputOfRead({ from = {}, set = {} }: Verify, input: Fields): Fields {
  const taken = Object.entries(from).map(([name, path]) => [name, valueAt(input, path)] as const)
  return { ...Object.fromEntries(taken.filter(([, value]) => value !== undefined)), ...set }
}

/** The fields by which an entity is recognised, in display order. */
export function fieldsOf({ id, same, is = {}, since }: Verify): readonly string[] {
  const paths = [...Object.keys(same), ...Object.keys(is), since, id]
  return [...new Set(paths)].filter((path) => path !== undefined)
}

function told(verify: Verify, thing: unknown): Fields {
  return Object.fromEntries(fieldsOf(verify).map((path) => [path, valueAt(thing, path) ?? null]))
}

function hasId(thing: unknown, path: string): boolean {
  const id = valueAt(thing, path)
  return (typeof id === 'string' && id !== '') || typeof id === 'number'
}

function fits({ same, is = {} }: Verify, input: Fields, thing: unknown): boolean {
  return (
    Object.entries(same).every(([path, name]) => {
      const wanted = valueAt(input, name)
      return wanted === undefined || wanted === null || isSame(valueAt(thing, path), wanted)
    }) && Object.entries(is).every(([path, values]) => values.some((value) => value === (valueAt(thing, path) ?? null)))
  )
}

/** A list in the app must contain every given value; a single value must be one of those given. */
function isSame(told: unknown, given: unknown): boolean {
  if (Array.isArray(told)) return [given].flat().every((one) => told.some((other) => isSame(other, one)))
  if (Array.isArray(given)) return given.some((one) => isSame(told, one))
  return asCompared(told) !== undefined && asCompared(told) === asCompared(given)
}

/** Normalises what apps reformat: whitespace, time zones of timestamps, decimals of amounts. */
function asCompared(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+\.\d+$/.test(value)))
    return String(Number(value))
  if (typeof value !== 'string') return undefined
  return isMoment(value) ? String(Date.parse(value)) : value.normalize().replaceAll(/\s+/g, ' ').trim()
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** The app gives no time, or one certainly before the send. A bare date may be in any time zone. */
function isOfBefore({ since }: Verify, thing: unknown, sent: Date): boolean {
  if (since === undefined) return false
  const said = valueAt(thing, since) ?? null
  if (typeof said !== 'string') return said === null
  return Date.parse(said) < sent.getTime() - (isMoment(said) ? clocksApart : 2 * dayMs)
}
