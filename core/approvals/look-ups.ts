import { createHash } from 'node:crypto'
import type { ChainedPreview, Preview } from '../../connectors/kit/declared.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { plain } from '../../connectors/kit/same-thing.ts'
import { valueAt, valuesAt } from '../../connectors/runtime/values.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { canonicalJson } from '../canonical-json.ts'

/** So many reads are made for one call; what is left out the page counts. */
const mostReads = 8
/** So many things are looked for in one list. */
const mostIds = 50
/** So many pages of a list are looked through for a thing. */
export const mostPages = 5
/** Of one value that is shown, in characters of its JSON. */
const longestValue = 4_000

/** One read that tells about things of a call: one thing by its id, or those of a list. */
export interface LookUp {
  readonly preview: Preview
  readonly input: Fields
  /** The ids that are looked for. */
  readonly ids: readonly string[]
}

/** Why something could not be looked up. */
export type LookUpProblem = 'absent' | 'not_found' | 'blocked' | 'reconnect' | 'failed'

/** What one line of an endpoint's previews came to, for one thing. It is kept sealed beside the call, shown, and part of what is approved. */
export interface Told {
  /** The line: the input that names the thing, the read that tells about it, and where. */
  readonly of: string
  readonly read: string
  readonly at: string
  readonly id: string
  /** By the paths that the line shows. */
  readonly values?: Readonly<Record<string, unknown>>
  /** `absent`: the app has no such thing. `not_found`: it is not where it was looked for. */
  readonly problem?: LookUpProblem
}

export interface Seen {
  readonly things: readonly Told[]
  /** So many more things were not looked up. */
  readonly omitted: number
}

/** Which reads tell about what the input of a write names. A line that takes more of the input than was given is left out. */
export function lookUpsOf(
  { preview }: Pick<Endpoint, 'preview'>,
  input: Fields,
): { readonly lookUps: readonly LookUp[]; readonly omitted: number } {
  let omitted = 0
  const all = preview.flatMap((one): LookUp[] => {
    const ids = [...new Set(valuesAt(input, one.of).filter((id) => typeof id === 'string'))]
    const taken = Object.entries(one.from ?? {})
    if (ids.length === 0 || taken.some(([, name]) => input[name] === undefined)) return []
    const filled = { ...one.set, ...Object.fromEntries(taken.map(([name, from]) => [name, input[from]])) }
    const { by } = one
    if (by !== undefined) return ids.map((id) => ({ preview: one, input: { ...filled, [by]: id }, ids: [id] }))
    omitted += Math.max(0, ids.length - mostIds)
    return [{ preview: one, input: filled, ids: ids.slice(0, mostIds) }]
  })
  omitted += all.slice(mostReads).flatMap(({ ids }) => ids).length
  return { lookUps: all.slice(0, mostReads), omitted }
}

/** What is to be looked up in turn of the things that an answer tells about. */
export function chainedIn(look: LookUp, output: unknown): readonly LookUp[] {
  return look.ids.flatMap((id) => {
    const thing = thingIn(look, id, output)
    return (look.preview.goesOnTo ?? []).flatMap((next): LookUp[] => {
      const named = valueAt(thing, next.of)
      return typeof named === 'string' ? [chained(look.preview, next, named)] : []
    })
  })
}

function chained(line: Preview, next: ChainedPreview, id: string): LookUp {
  const preview = { ...next, of: `${line.of} → ${next.of}` }
  return { preview, input: { ...next.set, [next.by]: id }, ids: [id] }
}

/** The look-up that a chained line came of; undefined for one that the input names, or that a later release has no more. */
export function chainedAgain({ preview }: Pick<Endpoint, 'preview'>, told: Told): LookUp | undefined {
  const all = preview.flatMap((line) => (line.goesOnTo ?? []).map((next) => chained(line, next, told.id)))
  return all.find((look) => sameLine(lineOf(look, told.id), told))
}

/** What an answer tells about those of the ids that are in it. */
export function toldIn(look: LookUp, output: unknown): readonly Told[] {
  return look.ids.flatMap((id): Told[] => {
    const thing = thingIn(look, id, output)
    if (thing === undefined) return []
    const values = look.preview.shows.map((path): [string, unknown] => [path, shown(valueAt(thing, path))])
    return [{ ...lineOf(look, id), values: Object.fromEntries(values) }]
  })
}

/** Of those things that ought to be in a certain state the first that is not, and how it is instead. */
export function unmet(look: LookUp, output: unknown): { readonly field: string; readonly value: unknown } | undefined {
  return look.ids
    .flatMap((id) => thingIn(look, id, output) ?? [])
    .flatMap((thing) =>
      Object.entries(look.preview.needs ?? {}).map(([field, values]) => ({
        field,
        values,
        value: valueAt(thing, field) ?? null,
      })),
    )
    .find(({ values, value }) => !values.some((one) => one === value))
}

/** Nothing was told of these. */
export function untold(look: LookUp, ids: readonly string[], problem: LookUpProblem): readonly Told[] {
  return ids.map((id) => ({ ...lineOf(look, id), problem }))
}

function lineOf({ preview: { of, read, at = '' } }: LookUp, id: string): Pick<Told, 'of' | 'read' | 'at' | 'id'> {
  return { of, read, at, id }
}

/** Some apps take 007 for 7, and tell it as 7. */
function thingIn({ preview: { at, id: idField, by } }: LookUp, wanted: string, output: unknown): Fields | undefined {
  const things = at === undefined ? [output] : valuesAt(output, at)
  const isIt = (one: unknown): boolean => {
    const id = valueAt(one, idField ?? '')
    return typeof id === 'string' && plain(id) === plain(wanted)
  }
  const found = idField === undefined && by !== undefined ? things[0] : things.find(isIt)
  return isFields(found) ? found : undefined
}

/**
 * What matters of this, of whichever line told it: a thing is looked for in several parts of a list by lines that differ only in what they set.
 * Nothing, where a later release has no such line any more.
 */
export function mattersOf(
  { preview }: Pick<Endpoint, 'preview'>,
  told: Pick<Told, 'of' | 'read' | 'at'>,
): readonly string[] {
  const lines = preview.flatMap((one) => [one, ...(one.goesOnTo ?? []).map((next) => chained(one, next, '').preview)])
  const its = lines.filter((one) => one.of === told.of && one.read === told.read && (one.at ?? '') === told.at)
  return [...new Set(its.flatMap(({ matters }) => matters))]
}

/** Without what one line missed and another of the same kind told: a thing may be looked for in one list, and then in another. */
export function settled(things: readonly Told[]): readonly Told[] {
  return things.filter(
    (one, at) =>
      one.problem === undefined ||
      !things.some(
        (other, there) => there !== at && sameLine(one, other) && (other.values !== undefined || there < at),
      ),
  )
}

export function sameLine(one: Told, other: Told): boolean {
  return one.of === other.of && one.read === other.read && one.at === other.at && one.id === other.id
}

/** Whether a field that was shown, and of which a change after the approval asks again, has another value, or its thing is gone. */
export function differs(endpoint: Pick<Endpoint, 'preview'>, approved: Seen, now: Seen): boolean {
  return approved.things.some((before) => {
    const after = now.things.find((one) => sameLine(one, before))
    if (before.values === undefined || after === undefined) return false
    const { values } = after
    if (values === undefined) return after.problem === 'absent' || after.problem === 'not_found'
    return mattersOf(endpoint, before).some((path) => !sameValue(before.values?.[path], values[path]))
  })
}

/** Whether the page shows the same. */
export function sameThings(before: Seen | null, now: Seen | null): boolean {
  return sameValue(before, now)
}

function sameValue(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

/** What is too long to be shown is cut, in the same way each time. */
function shown(value: unknown): unknown {
  if (value === undefined) return null
  const text = JSON.stringify(value)
  if (text.length <= longestValue) return value
  const whole = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${(typeof value === 'string' ? value : text).slice(0, longestValue)}… (${text.length} characters, ${whole})`
}
