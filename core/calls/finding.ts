import { valueAt, valuesAt } from '../../connectors/runtime/values.ts'
import type { Verify } from '../../connectors/kit/declared.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { ErrorCode } from '../../schemas/errors.ts'

/** What a look in the app came to, as it is kept: none of it decides how the call ended. */
export type Finding =
  /** Things that fit, of which the page shows some: by the paths of their fields. */
  | { readonly kind: 'found'; readonly count: number; readonly things: readonly Fields[] }
  /** Nothing that fits, which proves nothing. */
  | { readonly kind: 'nothing' }
  /** The app was not asked, or did not tell; `said`: its own words. */
  | { readonly kind: 'untold'; readonly code: ErrorCode | 'paused'; readonly said?: string }

/** So many are kept. */
const mostShown = 5
/** So much may the app's clock be behind ours, in ms. */
const clocksApart = 5 * 60_000
const dayMs = 86_400_000

/** Of a read's answer, what a write with this input would have left. `since`: when it could have been sent at the earliest. */
export function fitting(verify: Verify, input: Fields, output: unknown, since: Date): readonly unknown[] {
  const { at, id } = verify
  return (at === undefined ? [output] : valuesAt(output, at)).filter(
    (one) => (id === undefined || hasId(one, id)) && fits(verify, input, one) && !isOfBefore(verify, one, since),
  )
}

/** What is told of those. */
export function findingOf(verify: Verify, input: Fields, output: unknown, since: Date): Finding {
  const found = fitting(verify, input, output, since)
  if (found.length === 0) return { kind: 'nothing' }
  const things = found.slice(0, mostShown).map((one) => told(verify, one))
  return { kind: 'found', count: found.length, things }
}

/** What the read is asked for; inputs that the write left out are left out here, too. */
export function inputOfRead({ from = {}, set = {} }: Verify, input: Fields): Fields {
  const taken = Object.entries(from).map(([name, path]) => [name, valueAt(input, path)] as const)
  return { ...Object.fromEntries(taken.filter(([, value]) => value !== undefined)), ...set }
}

/** The fields of a finding by which it was recognised, in the order in which a person reads them. */
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

/** A list of many holds those that were given; a thing that has one of those that were given is one of theirs. */
function isSame(told: unknown, given: unknown): boolean {
  if (Array.isArray(told)) return [given].flat().every((one) => told.some((other) => isSame(other, one)))
  if (Array.isArray(given)) return given.some((one) => isSame(told, one))
  return asCompared(told) !== undefined && asCompared(told) === asCompared(given)
}

/** Apps set the spaces of texts, the zone of moments and the decimals of amounts in their own way. */
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

/** It did not happen to it, or certainly before; a day may be that of any zone. */
function isOfBefore({ since }: Verify, thing: unknown, sent: Date): boolean {
  if (since === undefined) return false
  const said = valueAt(thing, since) ?? null
  if (typeof said !== 'string') return said === null
  return Date.parse(said) < sent.getTime() - (isMoment(said) ? clocksApart : 2 * dayMs)
}
