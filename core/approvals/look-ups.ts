import { createHash } from 'node:crypto'
import type { ChainedPreview, Preview, Rule } from '../../connectors/kit/declared.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { plain } from '../../connectors/kit/same-thing.ts'
import { valueAt, valuesAt } from '../../connectors/runtime/values.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { canonicalJson } from '../canonical-json.ts'

/** Maximum reads per call; the page shows how many entities are left out. */
const mostReads = 8
/** Maximum entities searched for in one list. */
const mostIds = 50
/** Maximum pages of a list searched for an entity. */
export const mostPages = 5
/** Of one value shown, in characters of its JSON. */
const longestValue = 4_000

/** One preview read: of one entity by its id, or of several in a list. */
export interface LookUp {
  readonly preview: Preview
  readonly input: Fields
  /** The ids of the entities to find. */
  readonly ids: readonly string[]
  /** Conditions that each entity must meet, from `needs` and `rules` for this input. */
  readonly musts?: readonly Must[]
}

/** A field of an entity and the values it must (`isMeant`), or must not, have. */
export interface Must {
  readonly field: string
  readonly values: readonly unknown[]
  readonly isMeant: boolean
}

/** Why an entity could not be previewed. */
export type LookUpProblem = 'absent' | 'not_found' | 'blocked' | 'reconnect' | 'failed'

/** A preview item: one entity of one preview. It is stored sealed, shown and approved. */
export interface Told {
  /** The declared preview: the input path with the id, the read, the path in its output. */
  readonly of: string
  readonly read: string
  readonly at: string
  readonly id: string
  /** By the paths that the preview shows. */
  readonly values?: Readonly<Record<string, unknown>>
  /** `absent`: the app has no such entity. `not_found`: not in the list searched. */
  readonly problem?: LookUpProblem
}

export interface Seen {
  readonly things: readonly Told[]
  /** Number of entities left out. */
  readonly omitted: number
}

/** The preview reads for a write's input. Previews that need an omitted input are skipped. */
export function lookUpsOf(
  { preview }: Pick<Endpoint, 'preview'>,
  input: Fields,
  urgentFirst = true,
): { readonly lookUps: readonly LookUp[]; readonly omitted: number } {
  let omitted = 0
  const all = preview.flatMap((one): LookUp[] => {
    const ids = [...new Set(valuesAt(input, one.of).filter((id) => typeof id === 'string'))]
    const taken = Object.entries(one.from ?? {})
    if (ids.length === 0 || taken.some(([, name]) => input[name] === undefined)) return []
    const filled = { ...one.set, ...Object.fromEntries(taken.map(([name, from]) => [name, input[from]])) }
    const { by } = one
    const musts = mustsOf(one, input)
    if (by !== undefined) return ids.map((id) => ({ preview: one, input: { ...filled, [by]: id }, ids: [id], musts }))
    omitted += Math.max(0, ids.length - mostIds)
    return [{ preview: one, input: filled, ids: ids.slice(0, mostIds), musts }]
  })
  // Reads that may end the call come first, so that the waiting client learns of it.
  if (urgentFirst) all.sort((one, other) => urgency(one) - urgency(other))
  omitted += all.slice(mostReads).flatMap(({ ids }) => ids).length
  return { lookUps: all.slice(0, mostReads), omitted }
}

function urgency({ preview: { conclusive, by } }: LookUp): number {
  return conclusive !== true ? 2 : by === undefined ? 1 : 0
}

/** Sorts items as the endpoint declares its previews; follow-ups come last. */
export function inOrder({ preview }: Pick<Endpoint, 'preview'>, things: readonly Told[]): readonly Told[] {
  const lines = preview.map(({ of, read, at = '' }) => JSON.stringify([of, read, at]))
  const place = ({ of, read, at }: Told): number => {
    const found = lines.indexOf(JSON.stringify([of, read, at]))
    return found < 0 ? lines.length : found
  }
  return things.toSorted((one, other) => place(one) - place(other))
}

function mustsOf({ needs = {}, rules = [] }: Preview, input: Fields): readonly Must[] {
  const says = (value: unknown): boolean => value !== undefined && value !== null && value !== 0 && value !== false
  const given = (path: string): unknown[] => valuesAt(input, path).filter((value) => value !== undefined)
  const ofRule = ({ field, in: some, not, is, isNot, where }: Rule): Must[] => {
    if (where !== undefined && !valuesAt(input, where).some(says)) return []
    const [same, other] = [is, isNot].map((path) => (path === undefined ? [] : given(path)))
    const meant = [...(some ?? []), ...(same ?? [])]
    const unmeant = [...(not ?? []), ...(other ?? [])]
    return [
      ...(meant.length > 0 ? [{ field, values: meant, isMeant: true }] : []),
      ...(unmeant.length > 0 ? [{ field, values: unmeant, isMeant: false }] : []),
    ]
  }
  return [
    ...Object.entries(needs).map(([field, values]) => ({ field, values, isMeant: true })),
    ...rules.flatMap(ofRule),
  ]
}

/** The follow-up previews of the entities in an output. */
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

/** The preview that a follow-up item came from; undefined: no follow-up, or no longer declared. */
export function chainedAgain({ preview }: Pick<Endpoint, 'preview'>, told: Told): LookUp | undefined {
  const all = preview.flatMap((line) => (line.goesOnTo ?? []).map((next) => chained(line, next, told.id)))
  return all.find((look) => sameLine(lineOf(look, told.id), told))
}

/** The preview items of those ids that the output contains. */
export function toldIn(look: LookUp, output: unknown): readonly Told[] {
  return look.ids.flatMap((id): Told[] => {
    const thing = thingIn(look, id, output)
    if (thing === undefined) return []
    const values = look.preview.shows.map((path): [string, unknown] => [path, shown(valueAt(thing, path))])
    return [{ ...lineOf(look, id), values: Object.fromEntries(values) }]
  })
}

/** The first unmet condition of the entities in an output, with the actual value. */
export function unmet(look: LookUp, output: unknown): (Must & { readonly value: unknown }) | undefined {
  return look.ids
    .flatMap((id) => thingIn(look, id, output) ?? [])
    .flatMap((thing) => (look.musts ?? []).map((must) => ({ ...must, value: valueAt(thing, must.field) ?? null })))
    .find(({ values, value, isMeant }) => values.some((one) => sameValue(one, value)) !== isMeant)
}

/** Whether an output may be incomplete: it has a next page, or as many items as the limit. */
export function isCut({ preview: { at }, input }: LookUp, output: Fields): boolean {
  const { limit } = input
  if (typeof output['next_cursor'] === 'string') return true
  return (
    !('next_cursor' in output) && typeof limit === 'number' && at !== undefined && valuesAt(output, at).length >= limit
  )
}

/** Items for entities that could not be previewed. */
export function untold(look: LookUp, ids: readonly string[], problem: LookUpProblem): readonly Told[] {
  return ids.map((id) => ({ ...lineOf(look, id), problem }))
}

function lineOf({ preview: { of, read, at = '' } }: LookUp, id: string): Pick<Told, 'of' | 'read' | 'at' | 'id'> {
  return { of, read, at, id }
}

/** Compares ids normalised: some apps accept 007 for 7 and return 7. */
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
 * Fields of an item whose change requires new approval, from all previews with the same `of`,
 * `read` and `at`, which may differ in `set`. Empty if no longer declared.
 */
export function mattersOf(
  { preview }: Pick<Endpoint, 'preview'>,
  told: Pick<Told, 'of' | 'read' | 'at'>,
): readonly string[] {
  const lines = preview.flatMap((one) => [one, ...(one.goesOnTo ?? []).map((next) => chained(one, next, '').preview)])
  const its = lines.filter((one) => one.of === told.of && one.read === told.read && (one.at ?? '') === told.at)
  return [...new Set(its.flatMap(({ matters }) => matters))]
}

/** Drops problems that an equal item solves: an entity may be in one of several lists. */
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

/** Whether to request approval again: a shown field that matters differs, or its entity is gone. */
export function differs(endpoint: Pick<Endpoint, 'preview'>, approved: Seen, now: Seen): boolean {
  return approved.things.some((before) => {
    const after = now.things.find((one) => sameLine(one, before))
    if (before.values === undefined || after === undefined) return false
    const { values } = after
    if (values === undefined) return after.problem === 'absent' || after.problem === 'not_found'
    return mattersOf(endpoint, before).some((path) => !sameValue(before.values?.[path], values[path]))
  })
}

/** Whether both previews are equal. */
export function sameThings(before: Seen | null, now: Seen | null): boolean {
  return sameValue(before, now)
}

function sameValue(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

/** Cuts long values deterministically, with a hash of the whole. */
function shown(value: unknown): unknown {
  if (value === undefined) return null
  const text = JSON.stringify(value)
  if (text.length <= longestValue) return value
  const whole = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${(typeof value === 'string' ? value : text).slice(0, longestValue)}… (${text.length} characters, ${whole})`
}
