import { mattersOf } from '../../core/approvals/look-ups.ts'
import type { LookUpProblem, Seen, Told } from '../../core/approvals/look-ups.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { App, Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { kindsOf, labelOf, moneyOf, toldLabelOf } from './declared.ts'
import { sayOf } from './in-short.ts'
import { itemsOf, schemaAt } from './schema.ts'
import { nothingKnown, placeIn } from './things.ts'
import type { KnownThing, KnownThings } from './things.ts'

/** A field of a previewed entity. */
export interface ToldField {
  readonly path: string
  readonly label: string | undefined
  readonly value: unknown
  readonly schema: JsonSchema | undefined
  /** Fields of the object that contains it. */
  readonly beside: Fields
  /** A change after the approval asks the approver again. */
  readonly matters: boolean
}

/** A previewed entity: named in the input, or reached through another entity. */
export interface ToldThing {
  readonly of: string
  readonly id: string
  readonly label: string
  readonly name: string | undefined
  /** Without the name. */
  readonly fields: readonly ToldField[]
  /** Why there is no data. */
  readonly problem: LookUpProblem | undefined
  /** Entities reached through this one. */
  readonly further: readonly ToldThing[]
}

/** The app and endpoint whose schemas describe the preview. */
export interface Telling {
  readonly app: App | undefined
  readonly endpoint: Endpoint | undefined
}

const arrow = ' → '

/** The preview by entity; several reads may describe the same one. */
export function thingsIn(telling: Telling, seen: Seen): readonly ToldThing[] {
  const lines = [...Map.groupBy(seen.things, ({ of, id }) => placeIn(of, id)).values()]
  const things = lines.map((told) => thingIn(telling, told))
  const parentOf = ({ of, id }: ToldThing): ToldThing | undefined => {
    const end = of.lastIndexOf(arrow)
    if (end === -1) return undefined
    const [from, path] = [of.slice(0, end), of.slice(end + arrow.length)]
    const parents = things.filter((one) => one.of === from)
    return (
      parents.find(({ fields }) => fields.some((one) => one.path === path && one.value === id)) ??
      (parents.length === 1 ? parents[0] : undefined)
    )
  }
  const parents = new Map(things.map((thing) => [thing, parentOf(thing)]))
  const whole = (thing: ToldThing): ToldThing => ({
    ...thing,
    further: things.filter((one) => parents.get(one) === thing).map(whole),
  })
  return things.filter((thing) => parents.get(thing) === undefined).map(whole)
}

function thingIn(telling: Telling, told: readonly Told[]): ToldThing {
  const [{ of, id } = { of: '', id: '' }] = told
  const all = told.flatMap((one) => fieldsOf(telling, one))
  const title = all.find((field) => nameIn(field) !== undefined)
  const name = title && nameIn(title)
  const isSaid = (field: ToldField): boolean => field === title && field.value === name
  const known = told.some(({ values }) => values !== undefined)
  return {
    of,
    id,
    label: labelOfThing(telling, told),
    name,
    fields: all.filter(
      (field, at) => field.value !== null && !isSaid(field) && !isTwice(all, at) && !isCurrency(all, at),
    ),
    problem: known ? undefined : told[0]?.problem,
    further: [],
  }
}

/** An earlier read returned the same. */
function isTwice(fields: readonly ToldField[], at: number): boolean {
  const [same, field] = [(one: ToldField | undefined) => JSON.stringify([one?.label, one?.value]), fields[at]]
  return fields.slice(0, at).some((one) => same(one) === same(field))
}

/** Already shown with its amount. */
function isCurrency(fields: readonly ToldField[], at: number): boolean {
  const path = fields[at]?.path ?? ''
  const around = path.slice(0, path.lastIndexOf('.') + 1)
  return fields.some(({ schema, ...other }) => {
    const { currency } = moneyOf(schema) ?? {}
    const isBeside = other.path.slice(0, other.path.lastIndexOf('.') + 1) === around
    return isBeside && other.value !== null && typeof currency === 'object' && `${around}${currency?.field}` === path
  })
}

/** Text usable as a name; undefined for lists and objects. */
function nameIn({ value, schema, beside }: ToldField): string | undefined {
  if (value === null || typeof value === 'object') return undefined
  return sayOf(value, { schema, beside, things: nothingKnown })?.text
}

/** Fields that one read returned, in display order. */
export function fieldsOf(telling: Telling, told: Told): readonly ToldField[] {
  const { values = {} } = told
  const schema = schemaOf(telling, told)
  const matters = telling.endpoint ? mattersOf(telling.endpoint, told) : []
  return Object.entries(values).map(([path, value]) => ({
    path,
    label: labelAt(schema, path),
    value,
    schema: schemaAt(schema, path),
    beside: besideOf(values, path),
    matters: matters.includes(path),
  }))
}

/** Schema of one such entity. */
function schemaOf({ app }: Telling, { read, at }: Pick<Told, 'read' | 'at'>): JsonSchema | undefined {
  const output = app?.endpoints.get(read)?.outputSchema
  const found = at === '' ? output : schemaAt(output, at)
  return itemsOf(found) ?? found
}

/** `Client · Name`. */
function labelAt(schema: JsonSchema | undefined, path: string): string | undefined {
  const steps = path.split('.')
  const schemas = steps.map((_, at) => schemaAt(schema, steps.slice(0, at + 1).join('.')))
  const [last, name = path] = [schemas.at(-1), steps.at(-1)]
  if (last === undefined) return undefined
  return [...schemas.slice(0, -1).flatMap((one) => labelOf(one) ?? []), toldLabelOf(last, name)].join(' · ')
}

function besideOf(values: Fields, path: string): Fields {
  const around = path.slice(0, path.lastIndexOf('.') + 1)
  const inner = Object.entries(values).filter(([name]) => name.startsWith(around))
  return Object.fromEntries(inner.map(([name, value]) => [name.slice(around.length), value]))
}

/** Label of a previewed entity: that of the field with its id, or its kind in a list. */
function labelOfThing(telling: Telling, [told]: readonly Told[]): string {
  const { of = '' } = told ?? {}
  const isChained = of.includes(arrow)
  const schema = isChained ? chainedSchema(telling, of) : schemaAt(telling.endpoint?.inputSchema, of)
  const kind = kindsOf(schema)
    .map((one) => telling.app?.things[one]?.label)
    .find((one) => one !== undefined)
  const own = isChained || itemsOf(schema) !== undefined ? undefined : labelOf(schema)
  const label = own ?? kind ?? labelOf(schema) ?? lastWord(of)
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** Schema of an entity's id in the output of the entity that leads to it. */
function chainedSchema(telling: Telling, of: string): JsonSchema | undefined {
  const [from = '', path = ''] = of.split(arrow)
  const line = telling.endpoint?.preview.find(
    (one) => one.of === from && one.goesOnTo?.some((next) => next.of === path),
  )
  return line && schemaAt(schemaOf(telling, { read: line.read, at: line.at ?? '' }), path)
}

/** `project.project_id` → `project`. */
function lastWord(of: string): string {
  const name = of.split(/ → |\./).at(-1) ?? of
  return name.replace(/_id$/, '').replaceAll('_', ' ')
}

/** Known entities, with this call's own preview added. */
export function withTold(
  known: KnownThings,
  { endpoint }: Telling,
  things: readonly ToldThing[],
  at: Date | null,
): KnownThings {
  const own = things.flatMap(({ of, id, name, fields }): [string, KnownThing][] => {
    const thing = { name, facts: name === undefined ? fields.slice(0, 1).flatMap(factOf) : [], at: at ?? new Date(0) }
    if (thing.name === undefined && thing.facts.length === 0) return []
    return kindsOf(schemaAt(endpoint?.inputSchema, of)).map((kind) => [placeIn(kind, id), thing])
  })
  return new Map([...known, ...own])
}

/** Names and amounts in a few words. */
function factOf({ label, value, schema, beside }: ToldField): readonly string[] {
  const said = sayOf(value, { schema, beside, things: nothingKnown })
  if (said === undefined) return []
  return [said.clear || label === undefined ? said.text : `${label}: ${said.text}`]
}
